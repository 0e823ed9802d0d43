"""Plans from a real data folder, and their calendar files."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import icalendar
import pytest

from burnin.app.errors import BadRequest, UnknownExam
from burnin.app.planning import Wish, ical
from burnin.app.take import Conditions, EventKind
from burnin.app.wiring import Services
from burnin.catalog import load
from tests.app.desk import HandClock, answer, begin, open_at, send

EXAM = "NCP-GENL"


def today(clock: HandClock) -> date:
    return datetime.fromtimestamp(clock.wall_s, UTC).date()


@pytest.fixture
def real(home: Path, clock: HandClock):
    services = open_at(home, clock, load(None))
    yield services
    services.close()


@pytest.mark.asyncio
async def test_a_plan_takes_what_the_settings_hold(real: Services, clock: HandClock) -> None:
    with pytest.raises(BadRequest, match="needs the exam date"):
        await real.planning.plan(EXAM, Wish())
    await real.profile.change(exam=EXAM, exam_date=today(clock) + timedelta(days=70))
    with pytest.raises(BadRequest, match="hours a week"):
        await real.planning.plan(EXAM, Wish())
    await real.profile.change(hours_per_week="9", background="two_years_daily_production", weekdays="5,6")
    made = await real.planning.plan(EXAM, Wish())
    assert {day.date.weekday() for day in made.days} == {5, 6}
    assert made.needed_hours[1] <= 60
    other = await real.planning.plan(EXAM, Wish(background="early_career", hours_per_week=20))
    assert other.needed_hours[0] > made.needed_hours[1]


@pytest.mark.asyncio
async def test_weeks_of_study_and_two_missed_weeks_are_planned_anew(real: Services, clock: HandClock) -> None:
    """Ten weeks, one learner faithful and one who does nothing for two of them."""
    start = today(clock)
    wish = Wish(exam_date=start + timedelta(days=70), hours_per_week=12)
    before = await real.planning.plan("NCA-GENM", wish)
    assert before.feasible
    for week in range(1, 10):
        missed = week in (4, 5)
        if not missed:
            sitting = await real.take.create(
                "NCA-GENM", conditions=Conditions.TIMED, size=20, minutes=60, seed=week
            )
            for number in range(1, 21):
                clock.wait(60)
                question = await real.take.question(sitting, number)
                item = real.catalog.items[question.asked.id]
                await send(real, sitting, EventKind.ANSWERED, item.id, *item.key)
            await send(real, sitting, EventKind.SUBMITTED)
        while (today(clock) - start).days < 7 * week:
            clock.wait(6 * 3600)
        made = await real.planning.plan("NCA-GENM", wish)
        assert all(today(clock) <= day.date < start + timedelta(days=70) for day in made.days)
        assert sum(d.minutes for d in made.days) == pytest.approx(60 * made.available_hours)
        assert made.feasible, (week, made.why)
    assert made.needed_hours[0] < before.needed_hours[0]


@pytest.mark.asyncio
async def test_reviews_that_are_due_come_first(real: Services, clock: HandClock) -> None:
    sitting = await real.take.create(EXAM, conditions=Conditions.TUTOR, size=40, seed=1)
    for number in range(1, 41):
        question = await real.take.question(sitting, number)
        item = await answer_wrong(real, sitting, question)
        await send(real, sitting, EventKind.REVEALED, item)
    clock.wait(86400)
    made = await real.planning.plan(
        EXAM, Wish(exam_date=today(clock) + timedelta(days=30), hours_per_week=14, weekdays=tuple(range(7)))
    )
    first = made.days[0]
    assert first.tasks[0].kind == "review"
    assert first.tasks[0].minutes >= 45


async def answer_wrong(services: Services, sitting: str, question) -> str:
    item = services.catalog.items.get(question.asked.id)
    if item is None:  # computed
        await send(services, sitting, EventKind.ANSWERED, question.asked.id, question.asked.options[0].id)
        return question.asked.id
    wrong = [o.id for o in item.options if o.id not in item.key][: item.choose]
    if len(wrong) < item.choose:
        wrong += list(item.key)[: item.choose - len(wrong)]
    await send(services, sitting, EventKind.ANSWERED, item.id, *wrong)
    return item.id


@pytest.mark.asyncio
async def test_a_calendar_file_reads_back(real: Services, clock: HandClock) -> None:
    made = await real.planning.plan(EXAM, Wish(exam_date=today(clock) + timedelta(days=40), hours_per_week=7))
    titles = {domain.id: domain.title for domain in real.exams.get(EXAM).domains}
    stamp = datetime.fromtimestamp(clock.wall_s, UTC)
    events = icalendar.Calendar.from_ical(ical(made, EXAM, titles, stamp)).walk("VEVENT")
    assert [e.decoded("dtstart").date() for e in events] == [day.date for day in made.days]
    assert [(e.decoded("dtend") - e.decoded("dtstart")).seconds // 60 for e in events] == [
        d.minutes for d in made.days
    ]
    assert len({str(e["uid"]) for e in events}) == len(events)
    assert "Model Optimization" in str(events[1]["description"])
    again = icalendar.Calendar.from_ical(ical(made, EXAM, titles, stamp + timedelta(days=1))).walk("VEVENT")
    assert [str(e["uid"]) for e in again] == [str(e["uid"]) for e in events]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"hours_per_week": 0.0}, "between 0.25"),
        ({"hours_per_week": float("nan")}, "between 0.25"),
        ({"hours_per_week": 1e-300}, "between 0.25 .a quarter of an hour. and 80"),
        ({"hours_per_week": 1e300}, "between 0.25"),
        ({"hours_per_week": 81.0}, "and 80"),
        ({"background": "astronaut"}, "knows no background"),
        ({"exam_date": date(2001, 1, 1)}, "has passed"),
        ({"exam_date": date(9999, 12, 31)}, "more than three years ahead"),
    ],
)
async def test_impossible_wishes_are_refused(real: Services, clock: HandClock, wish, words) -> None:
    terms = {"exam_date": today(clock) + timedelta(days=40), "hours_per_week": 7.0, **wish}
    with pytest.raises(BadRequest, match=words):
        await real.planning.plan(EXAM, Wish(**terms))
    with pytest.raises(UnknownExam):
        await real.planning.plan("NOPE", Wish())


@pytest.mark.asyncio
async def test_the_small_bank_plans_too(services: Services, clock: HandClock) -> None:
    sitting = await begin(services, Conditions.TIMED)
    await answer(services, sitting, 1)
    await send(services, sitting, EventKind.SUBMITTED)
    made = await services.planning.plan(
        EXAM, Wish(exam_date=today(clock) + timedelta(days=20), hours_per_week=5)
    )
    assert made.days


@pytest.mark.asyncio
async def test_a_silly_date_stored_once_is_as_good_as_none(real: Services) -> None:
    real.store.settings.set_all(
        {"profile.exam": EXAM, "profile.exam_date": "9999-12-31", "profile.hours_per_week": 1e-300}
    ).result()
    settings = await real.profile.get()
    assert (settings.exam_date, settings.hours_per_week) == (None, None)
    with pytest.raises(BadRequest, match="needs the exam date"):
        await real.planning.plan(EXAM, Wish(hours_per_week=10))
