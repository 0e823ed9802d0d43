"""What a face gets to see of a diagnostic."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where a diagnostic stands. ``number`` names the sitting's question to show next.

    Show it with ``Take.question``; it is ``asked`` + 1 of at least ``fewest`` and at most
    ``most``. None means that the diagnostic is over.
    """

    sitting: str
    exam: str
    asked: int
    fewest: int
    most: int
    number: int | None
    item: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainStart:
    """What the diagnostic says about a domain.

    ``mean_percent`` is the expected share right of the domain's questions in the bank;
    80 % of what is believed lies between the bounds. ``open_points`` are the percentage
    points of the whole exam that lie open here: the domain's share times what is missing.
    """

    id: str
    title: str
    weight: int
    asked: int
    right: int
    mean_percent: float
    low_percent: float
    high_percent: float
    open_points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticResult:
    """Where to start: domains with the most open points first.

    ``clear`` says whether the first domain stands out: its open points at the upper bound
    still exceed the average domain's. ``theta`` and ``se`` are on the scale of the
    authors' grades, not a score.
    """

    sitting: str
    exam: str
    asked: int
    right: int
    theta: float
    se: float
    level_percent: int
    clear: bool
    domains: tuple[DomainStart, ...]
