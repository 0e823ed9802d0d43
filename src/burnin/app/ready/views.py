"""What a face gets to see of readiness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnin.learner.lights import Light
    from burnin.learner.misconceptions import Recurrence


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Evidence that is missing: how many more answers in a domain, in mixed sets."""

    domain: str
    title: str
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainReadiness:
    """A domain on the exam day: expected percent right with a 90 % interval, and whether it lags."""

    id: str
    title: str
    weight: int
    answers: int
    mean_percent: float
    interval: tuple[float, float]
    lagging: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The chance to reach the assumed pass mark on a date.

    ``status`` is ``enough`` or ``insufficient``; on too little evidence there is no chance
    to tell and ``missing`` says what to answer. ``interval`` (90 %) is the chance's,
    ``score`` the score's in percent. ``p_even`` is the chance to pass with no domain
    lagging. ``book`` is whether the guide's rule to book is met, ``why`` says it in a
    sentence. ``answers`` is what all of it rests on, ``planned_hours`` the study counted in.
    """

    exam: str
    status: str
    missing: tuple[Missing, ...]
    p_pass: float | None
    interval: tuple[float, float] | None
    p_even: float | None
    score_mean: float | None
    score: tuple[float, float] | None
    pass_mark_percent: int
    date: date
    domains: tuple[DomainReadiness, ...]
    answers: int
    exam_answers: int
    planned_hours: float
    book: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One of the ways in which candidates fail, set against the learner's own history."""

    name: str
    seen: bool | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """Questions to see again today, the most endangered first.

    ``leeches`` were forgotten again and again: their remedies come first. ``held`` is the
    share of everything seen that is expected to be known now, ``held_then`` on the exam
    date without another look; None where there is nothing, or no date.
    """

    exam: str
    due: tuple[str, ...]
    leeches: tuple[str, ...]
    cards: int
    held: float | None
    held_then: float | None
    then: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The forecast as it stood after a day of study, for a sitting that day."""

    day: date
    p_pass: float
    score_mean: float
    score: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Lights for every domain, objective and focus point, recurring mistakes, failure patterns.

    ``own`` holds the learner's own ratings by key, beside the measured ones.
    """

    exam: str
    domains: Mapping[str, Light]
    objectives: Mapping[str, Light]
    focus: Mapping[str, Light]
    own: Mapping[str, str]
    mistakes: tuple[Recurrence, ...]
    patterns: tuple[Pattern, ...]
