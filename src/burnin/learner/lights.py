"""Red, yellow or green for a domain, an objective or a focus point, with the evidence behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from burnin.domain.evidence import Evidence
from burnin.learner.memory import study_day
from burnin.learner.weighing import Weighed

Colour = Literal["none", "red", "yellow", "green"]

RED_BELOW, GREEN_FROM = 0.6, 0.8
"""Shares right. Green follows the candidates' guide: steady 80 to 85 percent."""

GREEN_ANSWERS, GREEN_DAYS = 3, 2
"""Answers in mixed sets, and the separate study days they must lie on, that green takes."""

FADED = 1.5
"""What the mixed answers must still weigh together: green fades as they grow old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """A colour and what it rests on.

    ``right`` and ``answers`` count settled answers as they stand; ``share`` is weighted,
    None without answers. ``mixed`` and ``days`` count what green asks for. ``why`` says
    in a sentence what keeps the next colour away, or what holds this one.
    """

    key: str
    colour: Colour
    answers: int
    right: int
    share: float | None
    mixed: int
    days: int
    why: str


Keys = Callable[[Evidence], Iterable[str]]


def by_domain(entry: Evidence) -> tuple[str, ...]:
    """The domain an answer speaks of."""
    return (entry.domain,)


def by_objective(entry: Evidence) -> tuple[str, ...]:
    """The primary objective an answer speaks of."""
    return (entry.objective,)


def by_focus(entry: Evidence) -> tuple[str, ...]:
    """The focus points an answer speaks of."""
    return entry.focus


def lights(
    answers: Sequence[Weighed], keys: Sequence[str], of: Keys, *, zone: str = "UTC"
) -> dict[str, Light]:
    """Return a light for each key, in their order.

    Green takes a weighted share of 80 % right, three answers in mixed sets on two separate
    study days that have not faded, and the last of them right. Any light can fall again.
    """
    mine: dict[str, list[Weighed]] = {key: [] for key in keys}
    for answer in answers:
        for key in of(answer.evidence):
            if key in mine:
                mine[key].append(answer)
    return {key: _light(key, found, zone) for key, found in mine.items()}


def _light(key: str, answers: Sequence[Weighed], zone: str) -> Light:
    weight = sum(answer.weight for answer in answers)
    right = sum(answer.evidence.right for answer in answers)
    share = sum(a.weight * a.worth for a in answers) / weight if weight > 0 else None
    mixed = [answer for answer in answers if answer.evidence.mixed]
    days = len({study_day(answer.evidence.at_ms, zone) for answer in mixed})
    colour, why = _verdict(share, answers, mixed, days)
    return Light(
        key=key,
        colour=colour,
        answers=len(answers),
        right=right,
        share=share,
        mixed=len(mixed),
        days=days,
        why=why,
    )


def _verdict(
    share: float | None, answers: Sequence[Weighed], mixed: Sequence[Weighed], days: int
) -> tuple[Colour, str]:
    if share is None:
        return "none", "Nothing answered yet."
    if share < RED_BELOW:
        return "red", f"{share:.0%} right, weighted; yellow begins at {RED_BELOW:.0%}."
    if share < GREEN_FROM:
        return "yellow", f"{share:.0%} right, weighted; green begins at {GREEN_FROM:.0%}."
    if len(mixed) < GREEN_ANSWERS:
        missing = GREEN_ANSWERS - len(mixed)
        return "yellow", f"Green takes {missing} more answer{'s' * (missing > 1)} in a mixed set."
    if days < GREEN_DAYS:
        return "yellow", "Green takes answers in mixed sets on another day."
    if sum(answer.weight for answer in mixed) < FADED:
        return "yellow", "The answers have grown old: a few new ones in a mixed set bring green back."
    last = max(answers, key=lambda a: a.evidence.at_ms)
    if not last.evidence.right:
        return "yellow", "The last answer was wrong."
    return "green", f"{share:.0%} right, weighted, in mixed sets on {days} days."
