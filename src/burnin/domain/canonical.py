"""One byte form for any noun, and its hash."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any


def canonical_bytes(value: Any) -> bytes:
    """Encode a frozen noun as JSON with sorted keys, UTF-8, no spaces.

    Equal values give equal bytes on every machine and Python version.
    """
    return json.dumps(
        value,
        default=_plain,
        sort_keys=True,
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    ).encode()


def content_hash(value: Any) -> str:
    """Return the first 32 hex digits of the SHA-256 of ``canonical_bytes``."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()[:32]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"no canonical form for {type(value).__name__}")
