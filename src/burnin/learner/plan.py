"""A dated calendar to the exam: six phases, hours where they bring most marks, a re-plan from any day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from burnin.learner.forecast import CURVE, Change, share_curve
from burnin.psychometrics.cold_start import ItemPrior

QUARTER = 15
"""Minutes are planned in quarters of an hour."""

LONGEST_DAY = 300
"""Nobody studies well for more minutes in a day."""

LATEST = 3 * 365
"""Days ahead beyond which no later date is advised."""

FLOOR = 0.6

PHASES: tuple[tuple[str, float, str], ...] = (
    ("place", 0.05, "Find out where you stand in every domain."),
    ("foundations", 0.15, "Stand firm in what the other domains build on."),
    ("marks", 0.35, "Win the marks that lie open in the heaviest domains."),
    ("breadth", 0.20, "Leave no domain lagging."),
    ("practice", 0.15, "Do it: labs, drills and sums under constraints."),
    ("rehearse", 0.10, "Sit full exams as the real one runs, and mend what they show."),
)
"""Name, share of the hours and goal of each phase, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainNeed:
    """A domain as the plan sees it. ``theta`` is the present ability, ``first`` that others build on it."""

    id: str
    title: str
    weight: int
    theta: float
    items: Sequence[ItemPrior]
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Something to do for some minutes. ``kind`` is placement, read, practise, apply, mock, review or check."""

    kind: str
    minutes: int
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day of study."""

    date: date
    phase: str
    tasks: tuple[Task, ...]

    @property
    def minutes(self) -> int:
        """The day's minutes."""
        return sum(task.minutes for task in self.tasks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One of the six phases, with the days it takes and the domains it is about."""

    id: str
    goal: str
    start: date | None
    end: date | None
    minutes: int
    domains: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A calendar. ``hours`` is what each domain gets; ``feasible`` is explained by ``why``."""

    phases: tuple[Phase, ...]
    days: tuple[Day, ...]
    hours: Mapping[str, float]
    needed_hours: tuple[float, float]
    available_hours: float
    feasible: bool
    why: str


def plan(
    today: date,
    exam: date,
    *,
    hours_per_week: float,
    domains: Sequence[DomainNeed],
    usual_hours: tuple[float, float],
    done_hours: float = 0.0,
    study_days: Sequence[int] = (0, 1, 2, 3, 5),
    due_minutes: Mapping[date, int] | None = None,
    change: Change | None = None,
) -> Plan:
    """Return the days from ``today`` to the eve of ``exam``; call it again after any day, missed or not.

    ``usual_hours`` is what candidates of the learner's background need from nothing to ready;
    what is known already and ``done_hours`` come off. ``study_days`` are weekdays, Monday 0.
    ``due_minutes`` are minutes of due reviews by day, which come first. ``ValueError`` for an
    exam that is not in the future, hours that are not above zero, or no study day.
    """
    if exam <= today:
        raise ValueError("the exam date must lie in the future")
    if not hours_per_week > 0:
        raise ValueError("hours a week must be above zero")
    if not study_days or any(day not in range(7) for day in study_days):
        raise ValueError("study days are weekdays from 0 (Monday) to 6, at least one")
    slots = _slots(today, exam, hours_per_week, study_days)
    known = _known(domains)
    needed = tuple(max(0.0, hours * (1.0 - known) - done_hours) for hours in usual_hours)
    available = sum(minutes for _, minutes in slots) / 60.0
    hours = allocated(domains, available * 0.7, change or Change())
    days, phases = _filled(slots, domains, hours, due_minutes or {})
    reachable = len(set(study_days)) * LONGEST_DAY / 60.0
    feasible, why = _verdict(
        needed[0],
        needed[1],
        available,
        bool(slots),
        min(hours_per_week, reachable),
        reachable,
        (exam - today).days,
    )
    return Plan(
        phases=phases,
        days=days,
        hours=hours,
        needed_hours=(needed[0], needed[1]),
        available_hours=available,
        feasible=feasible,
        why=why,
    )


def allocated(domains: Sequence[DomainNeed], hours: float, change: Change) -> dict[str, float]:
    """Spread hours over domains: a floor for each, then each half-hour where it brings the most marks.

    The floor is ``FLOOR`` of what a domain's weight alone would give it: marks alone would
    leave light domains out, and one that lags can cost the exam.
    A domain's marks are its weight times the expected share right of its items, at the
    ability that the hours so far would bring.
    """
    total = sum(domain.weight for domain in domains)
    spent = {domain.id: int(2 * FLOOR * hours * domain.weight / total) / 2 for domain in domains}
    curves = {domain.id: share_curve(domain.items) for domain in domains}

    def marks(domain: DomainNeed, given: float) -> float:
        theta = domain.theta + change.gain * np.log2(1.0 + given / 10.0)
        return domain.weight * float(np.interp(theta, CURVE, curves[domain.id]))

    def gain(domain: DomainNeed) -> float:
        more = marks(domain, spent[domain.id] + 0.5) - marks(domain, spent[domain.id])
        return more * (1.15 if domain.first else 1.0)

    gains = {domain.id: gain(domain) for domain in domains}
    for _ in range(int(hours * 2) - round(2 * sum(spent.values()))):
        best = max(domains, key=lambda d: gains[d.id])
        spent[best.id] += 0.5
        gains[best.id] = gain(best)
    return spent


def _slots(
    today: date, exam: date, hours_per_week: float, study_days: Sequence[int]
) -> list[tuple[date, int]]:
    """Return study days with their minutes; a week's quarters of an hour lie as evenly as they can.

    The eve of the exam is kept short. A part of a week gets its part of the hours.
    """
    chosen = sorted(set(study_days))
    quarters = round(hours_per_week * 60 / QUARTER)
    share, more = divmod(quarters, len(chosen))
    by_weekday = {day: share + (place < more) for place, day in enumerate(chosen)}
    found = []
    for offset in range((exam - today).days):
        day = today + timedelta(days=offset)
        minutes = min(by_weekday.get(day.weekday(), 0) * QUARTER, LONGEST_DAY)
        if day == exam - timedelta(days=1):
            minutes = min(minutes, 60)
        if minutes:
            found.append((day, minutes))
    return found


def _known(domains: Sequence[DomainNeed]) -> float:
    """Return how much of the way from nothing (40 % right) to ready (85 %) is done, 0 to 1."""
    weights = sum(domain.weight for domain in domains)
    reached = 0.0
    for domain in domains:
        share = float(np.interp(domain.theta, CURVE, share_curve(domain.items)))
        reached += domain.weight * min(1.0, max(0.0, (share - 0.40) / 0.45))
    return reached / weights


def _filled(
    slots: Sequence[tuple[date, int]],
    domains: Sequence[DomainNeed],
    hours: Mapping[str, float],
    due_minutes: Mapping[date, int],
) -> tuple[tuple[Day, ...], tuple[Phase, ...]]:
    total = sum(minutes for _, minutes in slots)
    turns = _turns(domains, hours)
    left_of = {domain: 60.0 * given for domain, given in hours.items()}
    before = ""
    bounds = np.cumsum([share for _, share, _ in PHASES]) * total
    days: list[Day] = []
    used = [0] * len(PHASES)
    spans: list[list[date]] = [[] for _ in PHASES]
    told: list[list[str]] = [[] for _ in PHASES]
    passed, placed = 0, False
    for day, minutes in slots:
        number = min(int(np.searchsorted(bounds, passed + minutes / 2)), len(PHASES) - 1)
        if not placed:
            number = 0  # the first day places, also where its middle lies in a later phase
        name = PHASES[number][0]
        tasks: list[Task] = []
        review = min(QUARTER * round(due_minutes.get(day, 0) / QUARTER + 0.49), minutes // 2)
        if review:
            tasks.append(Task(kind="review", minutes=review))
        left = minutes - review
        if not placed:
            tasks.append(Task(kind="placement", minutes=left))
            placed = True
        elif name == "rehearse" and left >= 60:
            tasks += [Task(kind="mock", minutes=left - QUARTER), Task(kind="check", minutes=QUARTER)]
        else:
            # Days of one domain in a row teach less than days that alternate.
            open_ = [d for d in turns[number] if d != before] or turns[number]
            domain = max(open_, key=lambda d: (left_of[d], d))
            left_of[domain] -= left
            before = domain
            tasks += _tasks(name, left, domain)
            if domain not in told[number]:
                told[number].append(domain)
        days.append(Day(date=day, phase=name, tasks=tuple(tasks)))
        used[number] += minutes
        spans[number].append(day)
        passed += minutes
    phases = tuple(
        Phase(
            id=name,
            goal=goal,
            start=spans[number][0] if spans[number] else None,
            end=spans[number][-1] if spans[number] else None,
            minutes=used[number],
            domains=tuple(told[number]),
        )
        for number, (name, _, goal) in enumerate(PHASES)
    )
    return tuple(days), phases


def _tasks(phase: str, minutes: int, domain: str) -> list[Task]:
    """Split a day's minutes: less reading and more doing as the exam comes near."""
    reading = {"place": 0.3, "foundations": 0.5, "marks": 0.4, "breadth": 0.4}.get(phase, 0.0)
    kind = "apply" if phase == "practice" else "practise"
    read = QUARTER * round(minutes * reading / QUARTER)
    check = QUARTER if minutes - read > 2 * QUARTER else 0
    tasks = [
        Task(kind="read", minutes=read, domain=domain),
        Task(kind=kind, minutes=minutes - read - check, domain=domain),
        Task(kind="check", minutes=check, domain=domain),
    ]
    return [task for task in tasks if task.minutes > 0]


def _turns(domains: Sequence[DomainNeed], hours: Mapping[str, float]) -> list[list[str]]:
    """Return, for each phase, domains in the order in which their days come."""
    ranked = [d.id for d in sorted(domains, key=lambda d: (-hours.get(d.id, 0.0), d.id))]
    half = (len(ranked) + 1) // 2
    first = [d.id for d in domains if d.first] or ranked[:3]
    return [ranked[:half], first, ranked[:half], ranked[half:] or ranked, ranked, ranked]


def _verdict(
    least: float, most: float, available: float, any_day: bool, weekly: float, reachable: float, days: int
) -> tuple[bool, str]:
    if not any_day:
        return False, "No day of study lies before the exam: choose a later date or other weekdays."
    if available >= least:
        room = "with room to spare" if available >= most else "if all goes well"
        return (
            True,
            f"{available:.0f} hours lie before the exam and about {least:.0f} to {most:.0f} are needed: enough {room}.",
        )
    later = int((least - available) / weekly * 7) + 1
    more = least / (days / 7)
    ways = []
    if days + later <= LATEST:
        ways.append(f"sit {later} days later")
    if more <= reachable:
        ways.append(f"study {more:.0f} hours a week")
    return False, (
        f"{available:.0f} hours lie before the exam and about {least:.0f} to {most:.0f} are needed: "
        f"{', or '.join(ways) or 'take more days of study, or a later date with more hours a week'}."
    )
