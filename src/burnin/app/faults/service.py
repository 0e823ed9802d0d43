"""Reports of errors in items, kept locally and exportable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("wrong-key", "ambiguous", "outdated", "source", "typo", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultReport:
    """What somebody found wrong with an item, and exactly which text they saw."""

    id: str
    item: str
    version: int
    hash: str
    exam: str
    sitting: str
    kind: str
    text: str
    wall_ms: int


class Faults:
    """Adds and exports reports."""

    async def add(self, *, sitting: str, item: str, kind: str, text: str) -> FaultReport:
        """Store a report on an item of a sitting.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``BadRequest`` (unknown kind,
        empty text with kind "other", over 4,000 characters).
        """
        raise NotImplementedError

    async def all(self) -> tuple[FaultReport, ...]:
        """Every report, oldest first."""
        raise NotImplementedError

    async def export(self) -> Iterator[str]:
        """One JSON object a line, oldest first."""
        raise NotImplementedError
