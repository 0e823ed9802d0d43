"""How much an answer says: its condition, how fresh the item was, how long ago it is, what it felt like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from burnin.domain.evidence import Evidence
from burnin.domain.sitting import Conditions

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """The weights, all of them assumptions that the back-test was run with.

    ``conditions`` maps a sitting's conditions to a weight; exam conditions that were
    interrupted count as timed. An item seen before says a half less than a new one after
    ``fresh_days``, and next to nothing after minutes. An answer loses half of its weight
    in ``half_life_days``. ``felt`` says how far a right answer counts as right when the
    learner tapped it so; a wrong one is wrong however it felt.
    """

    conditions: Mapping[Conditions, float]
    felt: Mapping[str | None, float]
    fresh_days: float = 30.0
    half_life_days: float = 60.0


WEIGHING = Weighing(
    conditions={Conditions.EXAM: 1.0, Conditions.TIMED: 0.9, Conditions.TUTOR: 0.75},
    felt={None: 1.0, "sure": 1.0, "unsure": 0.85, "guess": 0.5},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """An answer with its weight (0 to 1) and how far it counts as right (0 to 1)."""

    evidence: Evidence
    weight: float
    worth: float


def weighed(evidence: Sequence[Evidence], now_ms: int, weighing: Weighing = WEIGHING) -> tuple[Weighed, ...]:
    """Weigh answers given up to ``now_ms``, the oldest first; later ones are left out.

    The same answer twice (one subject, one sitting) counts once.
    """
    last: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    found = []
    for entry in sorted(evidence, key=lambda e: (e.at_ms, e.sitting, e.subject)):
        if entry.at_ms > now_ms or (entry.subject, entry.sitting) in seen:
            continue
        seen.add((entry.subject, entry.sitting))
        found.append(
            Weighed(
                evidence=entry,
                weight=weight(entry, last.get(entry.subject), now_ms, weighing),
                worth=weighing.felt.get(entry.rating, 1.0) if entry.right else 0.0,
            )
        )
        last[entry.subject] = entry.at_ms
    return tuple(found)


def weight(entry: Evidence, before_ms: int | None, now_ms: int, weighing: Weighing = WEIGHING) -> float:
    """Return an answer's weight; ``before_ms`` is when its subject was answered before, if it was."""
    interrupted_exam = entry.interrupted and entry.conditions is Conditions.EXAM
    conditions = Conditions.TIMED if interrupted_exam else entry.conditions
    fresh = 1.0
    if before_ms is not None:
        fresh -= 2.0 ** (-(entry.at_ms - before_ms) / DAY_MS / weighing.fresh_days)
    age: float = 2.0 ** (-(now_ms - entry.at_ms) / DAY_MS / weighing.half_life_days)
    return weighing.conditions[conditions] * fresh * age
