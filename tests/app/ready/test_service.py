"""Readiness from real sittings in a real database."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from burnin.app.errors import BadRequest, UnknownExam
from burnin.app.ready.service import _too_little
from burnin.app.ready.views import Missing
from burnin.app.take import Conditions, EventKind
from burnin.app.wiring import Services
from tests.app.desk import HandClock, answer, begin, send

EXAM = "NCP-GENL"


def today(clock: HandClock) -> date:
    return datetime.fromtimestamp(clock.wall_s, UTC).date()


async def sat(
    services: Services, seed: int, right, conditions: Conditions = Conditions.TIMED, size: int = 20
):
    sitting = await begin(services, conditions, size=size, minutes=60, seed=seed)
    for number in range(1, size + 1):
        question = await services.take.question(sitting, number)
        item = services.catalog.items[question.asked.id]
        await answer(services, sitting, number, right=right(item, number))
    await send(services, sitting, EventKind.SUBMITTED)
    return sitting


@pytest.mark.asyncio
async def test_without_evidence_it_says_what_is_missing(services: Services) -> None:
    found = await services.ready.readiness(EXAM)
    assert (found.status, found.p_pass, found.book) == ("insufficient", None, False)
    assert {entry.domain for entry in found.missing} == {d.id for d in services.exams.get(EXAM).domains}
    assert sum(entry.answers for entry in found.missing) >= 27
    assert "Too little" in found.why


@pytest.mark.asyncio
async def test_what_is_missing_is_enough_once_answered(services: Services) -> None:
    wanted = {e.domain: e.answers for e in (await services.ready.readiness(EXAM)).missing}
    asked: dict[str, int] = {}
    seed = 0
    while any(asked.get(name, 0) < count for name, count in wanted.items()) and seed < 6:
        seed += 1
        sitting = await sat(services, seed, lambda item, n: n % 4 > 0)
        for entry in (await services.take.view(sitting)).entries:
            domain = services.catalog.items[entry.item].domain
            asked[domain] = asked.get(domain, 0) + 1
    found = await services.ready.readiness(EXAM)
    assert found.status == "enough"
    assert found.missing == ()
    assert found.p_pass is not None
    assert found.interval is not None
    assert found.interval[0] <= found.p_pass <= found.interval[1]
    assert found.answers == 20 * seed


@pytest.mark.asyncio
async def test_a_stronger_learner_is_readier_and_the_figure_repeats(
    services: Services, clock: HandClock
) -> None:
    for seed in (1, 2, 3):
        await sat(services, seed, lambda item, n: n % 2 > 0, Conditions.EXAM)
        clock.wait(3600)
    weak = await services.ready.readiness(EXAM)
    assert weak == await services.ready.readiness(EXAM)
    clock.wait(86400)
    for seed in (4, 5, 6):
        await sat(services, seed, lambda item, n: True, Conditions.EXAM)
        clock.wait(3600)
    strong = await services.ready.readiness(EXAM)
    assert weak.p_pass is not None
    assert strong.p_pass is not None
    assert strong.p_pass > weak.p_pass
    assert not weak.book
    hard = await services.ready.readiness(EXAM, pass_mark_percent=95)
    assert hard.p_pass is not None
    assert hard.p_pass < strong.p_pass
    later = await services.ready.readiness(EXAM, on=today(clock) + timedelta(days=200))
    assert later.score_mean is not None
    assert strong.score_mean is not None
    assert later.score_mean < strong.score_mean


@pytest.mark.asyncio
async def test_lights_rise_over_days_and_own_ratings_stand_beside(
    services: Services, clock: HandClock
) -> None:
    domain = services.exams.get(EXAM).domains[0]
    for seed in (1, 2, 3):
        await sat(services, seed, lambda item, n: True)
        clock.wait(86400)
    objective = f"{domain.id}/{next(iter(domain.objectives))}"
    await services.ready.rate(EXAM, objective, "red")
    found = await services.ready.standing(EXAM)
    assert found.domains[domain.id].colour == "green"
    assert found.own == {objective: "red"}
    await services.ready.rate(EXAM, objective, None)
    assert (await services.ready.standing(EXAM)).own == {}
    with pytest.raises(BadRequest, match="no domain, objective or focus point"):
        await services.ready.rate(EXAM, "nothing", "red")
    with pytest.raises(BadRequest, match="one of red"):
        await services.ready.rate(EXAM, objective, "purple")


@pytest.mark.asyncio
async def test_mistakes_and_their_remedies_are_followed(services: Services, clock: HandClock) -> None:
    await sat(services, 1, lambda item, n: n > 3)
    clock.wait(3 * 86400)
    await services.ready.remedy_read("zero-is-free")
    clock.wait(86400)
    await sat(services, 2, lambda item, n: n > 1)
    (mistake,) = (await services.ready.standing(EXAM)).mistakes
    assert (mistake.misconception, mistake.made, mistake.days, mistake.since) == ("zero-is-free", 4, 2, 1)
    assert mistake.state == "recurring"


@pytest.mark.asyncio
async def test_a_result_is_kept_beside_its_forecast(services: Services, clock: HandClock) -> None:
    for seed in (1, 2, 3):
        await sat(services, seed, lambda item, n: n % 5 > 0, Conditions.EXAM)
    clock.wait(2 * 86400)
    before = await services.ready.readiness(EXAM)
    kept = await services.ready.result(EXAM, False, domains={services.exams.get(EXAM).domains[0].id: "weak"})
    assert kept["forecast"] == pytest.approx(before.p_pass, abs=0.05)
    assert kept["brier"] == pytest.approx(kept["forecast"] ** 2)
    wait = services.exams.get(EXAM).facts.get("retake", {}).get("wait_days")
    expected = (today(clock) + timedelta(days=wait)).isoformat() if wait else None
    assert kept["first_allowed_date"] == expected
    assert [entry["passed"] for entry in await services.ready.results()] == [False]
    with pytest.raises(BadRequest, match="not come yet"):
        await services.ready.result(EXAM, True, on=today(clock) + timedelta(days=1))
    with pytest.raises(BadRequest, match="no domain nowhere"):
        await services.ready.result(EXAM, True, domains={"nowhere": "weak"})


@pytest.mark.asyncio
async def test_bad_questions_are_refused(services: Services, clock: HandClock) -> None:
    with pytest.raises(UnknownExam):
        await services.ready.readiness("NOPE")
    with pytest.raises(BadRequest, match="has passed"):
        await services.ready.readiness(EXAM, on=today(clock) - timedelta(days=1))
    with pytest.raises(BadRequest, match="between 1 and 100"):
        await services.ready.readiness(EXAM, pass_mark_percent=0)


def test_what_is_missing_is_told_in_the_right_number() -> None:
    one = Missing(domain="evaluation", title="Evaluation", answers=1)
    assert "about 1 more answer in a mixed set, over 1 domain." in _too_little((one,))
    assert "about 2 more answers in a mixed set, over 2 domains." in _too_little((one, one))
