"""The built-in content and the user's own, as one catalogue."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec
import platformdirs

from burnin.catalog.catalogue import Catalog
from burnin.catalog.compiling import COMPILED, Bundle, compile_folder, latest, pack, stamp, unpack
from burnin.catalog.problem import Problem

BUILT_IN = Path(__file__).parent.parent / "content"


def load(home: Path | None = None, *, built_in: Path = BUILT_IN) -> Catalog:
    """Return everything that can be asked, own content in ``home/content`` included.

    Faulty entries are left out and listed in ``problems``; nothing raises for content.
    The compiled bundle of the wheel is used while it matches the files beside it.
    """
    bundle, problems = _built_in(built_in)
    if home is None or not (home / "content").is_dir():
        return _catalog(bundle, problems)
    own, own_problems = compile_folder(home / "content", known=bundle, label="BURNIN_HOME/content/")
    lists = {name: getattr(bundle, name) + getattr(own, name) for name in Bundle.__slots__ if name != "stamp"}
    merged = Bundle(stamp=hashlib.sha256(f"{bundle.stamp} {own.stamp}".encode()).hexdigest()[:32], **lists)
    return _catalog(merged, problems + own_problems)


def _built_in(folder: Path) -> tuple[Bundle, list[Problem]]:
    now = stamp(folder)
    for candidate in (folder / COMPILED, _cache(now)):
        try:
            bundle = unpack(candidate.read_bytes())
        except (OSError, msgspec.MsgspecError):
            continue
        if bundle.stamp == now:
            return bundle, []
    bundle, problems = compile_folder(folder)
    if not problems:
        _write(_cache(now), pack(bundle))
    return bundle, problems


def _cache(version: str) -> Path:
    return platformdirs.user_cache_path("burnin", appauthor=False) / f"content-{version}.msgpack"


def _write(path: Path, data: bytes) -> None:
    """Keep a compiled bundle for the next start; a folder that cannot be written costs only time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(path)
    except OSError:
        return


def _catalog(bundle: Bundle, problems: list[Problem]) -> Catalog:
    return Catalog(
        blueprints=latest(bundle.revisions),
        revisions=tuple(sorted(bundle.revisions, key=lambda b: (b.code, b.as_of))),
        items={entry.id: entry for entry in bundle.items},
        misconceptions={entry.id: entry for entry in bundle.misconceptions},
        sources={entry.id: entry for entry in bundle.sources},
        exhibits={entry.id: entry for entry in bundle.exhibits},
        gpus={entry.id: entry for entry in bundle.gpus},
        clusters={entry.id: entry for entry in bundle.clusters},
        calibrations={entry.id: entry for entry in bundle.calibrations},
        models={entry.id: entry for entry in bundle.models},
        methods={entry.id: entry for entry in bundle.methods},
        accuracy={entry.id: entry for entry in bundle.accuracy},
        drills={entry.id: entry for entry in bundle.drills},
        generators={entry.id: entry for entry in bundle.generators},
        glossary={entry.id: entry for entry in bundle.glossary},
        concepts={entry.id: entry for entry in bundle.concepts},
        version=bundle.stamp,
        problems=tuple(problems),
    )
