"""Computed questions, with each generator's candidates kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

import msgspec
import platformdirs

from burnin.domain.generator import GeneratorWords
from burnin.domain.item import Item
from burnin.itemgen import make
from burnin.itemgen.choosing import Groups, groups
from burnin.itemgen.keeping import packed, unpacked

ROOMS = ("itemgen", "systems", "domain")
"""What the candidates are worked out by; a change there makes what was kept worthless."""


def computed(words: GeneratorWords, seed: int) -> Item:
    """Return ``itemgen.make(words, seed)``; the first question of a generator is as fast as the next.

    ``CannotMake`` as there.
    """
    return make(words, seed, groups=candidates)


@lru_cache(maxsize=256)
def candidates(words: GeneratorWords) -> Groups:
    """Return a generator's candidates: from the cache folder, or worked out and kept there.

    What is damaged there is worked out again; a folder that cannot be written costs only time.
    """
    path = _folder() / f"{words.id}-{_key(words)}.msgpack"
    try:
        return unpacked(msgspec.msgpack.decode(path.read_bytes()), words)
    except (OSError, msgspec.MsgspecError, ValueError, TypeError, IndexError, ArithmeticError):
        found = groups(words)
    _keep(path, msgspec.msgpack.encode(packed(found, words)))
    return found


def _folder() -> Path:
    return platformdirs.user_cache_path("burnin", appauthor=False) / "computed"


def _keep(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(path)
        # A key is 32 letters; an id that only begins like this one's has more before its key.
        for old in path.parent.glob(f"{path.stem[:-33]}-{'?' * 32}.msgpack"):
            if old != path:
                old.unlink(missing_ok=True)
    except OSError:
        return


def _key(words: GeneratorWords) -> str:
    return hashlib.sha256(msgspec.json.encode(words, order="sorted") + _models()).hexdigest()[:32]


@lru_cache(maxsize=1)
def _models() -> bytes:
    """Hash the code of the models."""
    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.digest()
