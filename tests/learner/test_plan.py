"""Calendars add up, lean where the marks are, and can be made anew from any day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.learner.forecast import Change
from burnin.learner.plan import LONGEST_DAY, PHASES, QUARTER, DomainNeed, allocated, plan
from burnin.psychometrics.cold_start import ColdStart

ITEMS = tuple(ColdStart().prior(difficulty=d, options=4) for d in (2, 3, 4))
NEEDS = tuple(
    DomainNeed(id=name, title=name.title(), weight=weight, theta=-0.5, items=ITEMS, first=name == "core")
    for name, weight in (("core", 20), ("heavy", 40), ("middle", 25), ("light", 15))
)
TODAY = date(2026, 12, 1)


def made(days=70, hours=10.0, today=TODAY, **changes):
    terms = {"domains": NEEDS, "usual_hours": (40.0, 60.0), **changes}
    return plan(today, TODAY + timedelta(days=days), hours_per_week=hours, **terms)


@settings(deadline=None, max_examples=150)
@given(
    days=st.integers(1, 200),
    hours=st.floats(0.3, 60),
    weekdays=st.sets(st.integers(0, 6), min_size=1),
    due=st.integers(0, 200),
)
def test_every_calendar_adds_up(days: int, hours: float, weekdays: set[int], due: int) -> None:
    reviews = {TODAY + timedelta(days=k): due for k in range(days)}
    found = made(days, hours, study_days=sorted(weekdays), due_minutes=reviews)
    dates = [day.date for day in found.days]
    assert dates == sorted(set(dates))
    assert all(TODAY <= day < TODAY + timedelta(days=days) for day in dates)
    assert all(day.weekday() in weekdays for day in dates)
    assert all(0 < day.minutes <= LONGEST_DAY for day in found.days)
    assert all(task.minutes > 0 for day in found.days for task in day.tasks)
    assert sum(day.minutes for day in found.days) == pytest.approx(60 * found.available_hours)
    assert sum(phase.minutes for phase in found.phases) == sum(day.minutes for day in found.days)
    assert found.available_hours <= hours * (days / 7 + 1) + 0.01 + QUARTER / 60 * 7
    assert [phase.id for phase in found.phases] == [name for name, _, _ in PHASES]
    order = [name for name, _, _ in PHASES]
    assert [order.index(day.phase) for day in found.days] == sorted(
        order.index(day.phase) for day in found.days
    )


def test_a_full_week_holds_the_hours_asked_for() -> None:
    found = made(70, 9.5)
    for week in range(9):
        start = TODAY + timedelta(days=7 * week)
        minutes = sum(d.minutes for d in found.days if start <= d.date < start + timedelta(days=7))
        assert minutes == 9.5 * 60


def test_hours_go_where_the_marks_are() -> None:
    hours = made().hours
    assert hours["heavy"] > hours["middle"] > hours["light"] > 0
    weak = replace(NEEDS[3], theta=-2.0)
    strong = replace(NEEDS[1], theta=3.0)
    shifted = made(domains=(NEEDS[0], strong, NEEDS[2], weak)).hours
    assert shifted["heavy"] < hours["heavy"]
    assert shifted["middle"] > hours["middle"]


def test_greedy_hours_are_the_best_of_all_ways_to_spread_them() -> None:
    import itertools

    import numpy as np

    from burnin.psychometrics.curves import probability
    from burnin.psychometrics.domains import blurred

    domains = [replace(need, first=False) for need in NEEDS[:3]]
    change = Change()
    found = allocated(domains, 6.0, change)

    def marks(halves):
        total = 0.0
        for need, half in zip(domains, halves, strict=True):
            theta = need.theta + change.gain * np.log2(1 + half / 2 / 10)
            total += need.weight * probability(blurred(need.items), np.array([theta])).mean()
        return total

    least = [int(2 * 0.6 * 6.0 * need.weight / 85) for need in domains]
    ways = [
        w
        for w in itertools.product(range(13), repeat=3)
        if sum(w) == 12 and all(a >= b for a, b in zip(w, least, strict=True))
    ]
    best = max(map(marks, ways))
    assert marks([found[need.id] * 2 for need in domains]) == pytest.approx(best, rel=1e-5)


def test_the_first_day_places_and_the_last_phase_rehearses() -> None:
    found = made()
    assert [task.kind for task in found.days[0].tasks] == ["placement"]
    assert any(task.kind == "mock" for day in found.days[-8:] for task in day.tasks)
    assert found.days[-1].minutes <= 60
    foundations = next(phase for phase in found.phases if phase.id == "foundations")
    assert foundations.domains == ("core",)


def test_feasible_or_what_would_make_it_so() -> None:
    assert made(70, 10).feasible
    tight = made(14, 5)
    assert not tight.feasible
    assert "days later" in tight.why
    least = tight.needed_hours[0]
    later = int(tight.why.split(" days later")[0].split()[-1])
    assert made(14 + later + 7, 5).available_hours >= least
    assert not made(1, 10, study_days=[3]).feasible


def test_advice_stays_within_what_the_days_hold() -> None:
    # Two days of five hours: ten hours a week are all there is, whatever is wished for.
    tight = made(14, 80, study_days=[5, 6])
    hours = [int(words.split()[0]) for words in tight.why.split("study ")[1:]]
    assert not tight.feasible
    assert all(each <= 10 for each in hours)
    later = int(tight.why.split(" days later")[0].split()[-1])
    assert made(14 + later + 7, 80, study_days=[5, 6]).available_hours >= tight.needed_hours[0]
    # A quarter of an hour a week never brings it within three years.
    assert "later date with more hours" in made(1000, 0.25, study_days=[5]).why or made(1000, 0.25).feasible


@pytest.mark.parametrize("days", [2, 3, 5, 8, 14, 70])
def test_the_day_that_places_lies_in_the_phase_that_places(days: int) -> None:
    found = made(days, 10)
    assert found.days[0].phase == "place"
    by_phase = {phase.id: phase for phase in found.phases}
    assert by_phase["place"].start == found.days[0].date
    for phase in found.phases:
        mine = [day for day in found.days if day.phase == phase.id]
        assert phase.minutes == sum(day.minutes for day in mine)
        assert (phase.start is None) == (not mine)


def test_what_is_known_and_done_comes_off() -> None:
    expert = made(domains=tuple(replace(need, theta=3.0) for need in NEEDS))
    assert expert.needed_hours < made().needed_hours
    assert made(done_hours=20).needed_hours[0] == pytest.approx(made().needed_hours[0] - 20)


def test_missed_days_are_planned_anew_to_the_same_date() -> None:
    before = made(70, 10)
    after = made(70, 10, today=TODAY + timedelta(days=14), done_hours=0)
    assert after.days[0].date >= TODAY + timedelta(days=14)
    assert after.days[-1].date == before.days[-1].date
    assert after.available_hours < before.available_hours
    assert after.feasible


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"days": 0}, "future"),
        ({"hours": 0.0}, "above zero"),
        ({"study_days": [7]}, "weekdays"),
        ({"study_days": []}, "weekdays"),
    ],
)
def test_impossible_wishes_are_refused(changes, words) -> None:
    with pytest.raises(ValueError, match=words):
        made(**changes)
