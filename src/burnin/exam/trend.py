"""How results move over sittings, without what short forms and reruns would feign."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from burnin.domain.sitting import Conditions
from burnin.exam.forms import DIAGNOSTIC_RULE
from burnin.exam.record import SittingRecord
from burnin.exam.report import Interval, wilson

ENOUGH = 20
"""How many items must be new for a sitting to stand in the trend: below, its interval says too little."""

Doubt = Literal["practice", "interrupted", "short", "rerun"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """A finished sitting. ``fresh_percent`` is the share right of the items not seen before.

    ``doubts`` say why it does not count: no exam conditions, interrupted, shorter than the
    exam's smallest form, or a rerun: fewer than 20 items, or fewer than half, were new. The
    score itself is told in
    any case, beside the number of items, so that no length is hidden.
    """

    sitting: str
    wall_ms: int
    conditions: Conditions
    size: int
    percent: float
    seen_before: int
    fresh: int
    fresh_percent: float | None
    fresh_interval: Interval | None
    doubts: tuple[Doubt, ...]

    @property
    def counts(self) -> bool:
        """Whether it stands in the trend line."""
        return not self.doubts


def trend(records: Iterable[SittingRecord], *, full_size: int) -> tuple[TrendPoint, ...]:
    """Return a point for each finished sitting of ``records``, which come oldest first.

    An item counts as seen once it was looked at in an earlier finished sitting or its
    reasons were shown in any; a diagnostic has no point of its own. ``full_size`` is the exam's smallest
    number of questions.
    """
    seen: set[str] = set()
    points = []
    for record in records:
        if record.over and record.rule != DIAGNOSTIC_RULE:
            points.append(_point(record, seen, full_size))
        seen.update(attempt.known_as for attempt in record.attempts)
    return tuple(points)


def seen_before(records: Iterable[SittingRecord], sitting: str) -> frozenset[str]:
    """Return what had been seen, by ``exposed_as``, when a sitting began. Records come oldest first."""
    seen: set[str] = set()
    for record in records:
        if record.sitting == sitting:
            break
        seen.update(attempt.known_as for attempt in record.attempts)
    return frozenset(seen)


def _point(record: SittingRecord, seen: set[str], full_size: int) -> TrendPoint:
    fresh = [earned for known_as, earned in record.places if known_as not in seen]
    size, total = len(record.places), sum((earned for _, earned in record.places), Fraction(0))
    doubts: list[Doubt] = []
    if record.conditions is not Conditions.EXAM:
        doubts.append("practice")
    if record.interrupted:
        doubts.append("interrupted")
    if size < full_size:
        doubts.append("short")
    if len(fresh) < min(ENOUGH, size) or 2 * len(fresh) < size:
        doubts.append("rerun")
    earned = sum(fresh, Fraction(0))
    return TrendPoint(
        sitting=record.sitting,
        wall_ms=record.wall_ms,
        conditions=record.conditions,
        size=size,
        percent=float(100 * total / size),
        seen_before=size - len(fresh),
        fresh=len(fresh),
        fresh_percent=float(100 * earned / len(fresh)) if fresh else None,
        fresh_interval=wilson(earned, Fraction(len(fresh))) if fresh else None,
        doubts=tuple(doubts),
    )
