"""Which named mistakes come back, and whether their remedies worked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from burnin.domain.evidence import Evidence
from burnin.learner.memory import study_day

State = Literal["once", "recurring", "mended"]

MENDED = 2
"""How often the mistake must be passed by afterwards, on another day, to count as mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A mistake's history. ``offered`` counts later answers in which it could have been made.

    ``remedy_ms`` is when the learner last opened the remedy, ``since`` how often the mistake
    was made after that and ``passed`` how often it was not, though it was on offer.
    """

    misconception: str
    made: int
    days: int
    last_ms: int
    remedy_ms: int | None
    since: int
    passed: int
    state: State


def recurrences(
    evidence: Sequence[Evidence],
    carriers: Mapping[str, frozenset[str]],
    remedies: Mapping[str, int] | None = None,
    *,
    zone: str = "UTC",
) -> tuple[Recurrence, ...]:
    """Return the mistakes that were made, those that recur first.

    ``carriers`` maps a misconception to the subjects that offer it in a wrong option;
    ``remedies`` to when its remedy was last opened (UTC ms). A mistake recurs when it was
    made more than once, and is mended when it was then passed by twice, last on a later
    study day.
    """
    remedies = remedies or {}
    ordered = sorted(evidence, key=lambda e: e.at_ms)
    names = {name for entry in ordered for name in entry.misconceptions}
    found = [
        _recurrence(name, ordered, carriers.get(name, frozenset()), remedies.get(name), zone)
        for name in names
    ]
    rank = {"recurring": 0, "once": 1, "mended": 2}
    return tuple(sorted(found, key=lambda r: (rank[r.state], -r.made, -r.last_ms, r.misconception)))


def _recurrence(
    name: str, evidence: Sequence[Evidence], carriers: frozenset[str], remedy_ms: int | None, zone: str
) -> Recurrence:
    made = [entry for entry in evidence if name in entry.misconceptions]
    last = made[-1].at_ms
    passed = [
        entry
        for entry in evidence
        if entry.at_ms > last and entry.subject in carriers and name not in entry.misconceptions
    ]
    mended = len(passed) >= MENDED and study_day(passed[-1].at_ms, zone) > study_day(last, zone)
    return Recurrence(
        misconception=name,
        made=len(made),
        days=len({study_day(entry.at_ms, zone) for entry in made}),
        last_ms=last,
        remedy_ms=remedy_ms,
        since=sum(remedy_ms is not None and entry.at_ms > remedy_ms for entry in made),
        passed=len(passed),
        state="mended" if mended else "recurring" if len(made) > 1 else "once",
    )
