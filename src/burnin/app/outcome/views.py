"""What a face gets to see of a finished sitting."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions, SittingSpec
from burnin.exam.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """One question of a finished sitting, with everything there is to learn from it.

    ``order`` is the order in which the options were shown, by id.
    """

    number: int
    item: RenderedItem
    order: tuple[str, ...]
    selected: tuple[str, ...]
    struck: tuple[str, ...]
    flagged: bool
    correct: bool
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Score, report and review of one finished sitting."""

    spec: SittingSpec
    form: Form
    phase: str
    report: Report
    review: tuple[ReviewItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentSitting:
    """A line in the list of sittings.

    ``percent`` is None while it is not over, and for a diagnostic, whose ``size`` is what
    was asked so far. ``rerun`` says that the questions were those of an earlier sitting,
    ``drill`` that they were chosen by what they are about or how they went.
    """

    id: str
    exam: str
    title: str
    conditions: Conditions
    size: int
    created_wall_ms: int
    phase: str
    over: bool
    interrupted: bool
    percent: float | None
    diagnostic: bool = False
    rerun: bool = False
    drill: bool = False
