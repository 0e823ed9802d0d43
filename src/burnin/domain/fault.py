"""What somebody found wrong with an item."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultReport:
    """A report on an item. ``hash`` names exactly the text that was seen."""

    id: str
    item: str
    version: int
    hash: str
    exam: str
    sitting: str
    kind: str
    text: str
    wall_ms: int
