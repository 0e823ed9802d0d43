from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from burnin.app.errors import BadRequest, NotYet, UnknownSitting
from burnin.app.outcome import Result
from burnin.app.practice import Selection
from burnin.app.take import Conditions, EventKind
from burnin.app.wiring import Services
from burnin.domain.canonical import canonical_bytes
from tests.app.desk import HandClock, answer, bank_items, begin, catalog, open_at, send
from tests.app.take.test_service import spoil

pytestmark = pytest.mark.asyncio


async def finished(services: Services, *, right: int, wrong: int = 0, **wishes: object) -> str:
    sitting = await begin(services, **wishes)
    for number in range(1, right + wrong + 1):
        await answer(services, sitting, number, right=number <= right)
    await send(services, sitting, EventKind.SUBMITTED)
    return sitting


async def test_a_result_holds_score_and_every_reason(services: Services) -> None:
    sitting = await finished(services, right=6, wrong=2)
    result = await services.outcome.report(sitting)
    assert (result.report.earned, result.report.possible, result.report.percent) == (6, 10, 60.0)
    assert (result.report.pass_mark_percent, result.report.passed) == (70, False)
    assert len(result.report.unanswered) == 2
    assert [line.number for line in result.review] == list(range(1, 11))
    assert [line.correct for line in result.review] == [True] * 6 + [False] * 4
    for line in result.review:
        assert sorted(line.order) == sorted(option.id for option in line.item.options)
        assert all(option.reason for option in line.item.options)
    assert (result.phase, result.spec.id, result.form.exam) == ("submitted", sitting, "NCP-GENL")


async def test_the_pass_mark_is_the_profiles_unless_given(services: Services) -> None:
    sitting = await finished(services, right=6)
    await services.profile.change(pass_mark_percent=60)
    assert (await services.outcome.report(sitting)).report.passed
    assert not (await services.outcome.report(sitting, pass_mark_percent=61)).report.passed
    for mark in (0, 101):
        with pytest.raises(BadRequest, match="between 1 and 100"):
            await services.outcome.report(sitting, pass_mark_percent=mark)


async def test_there_is_no_result_before_the_end(services: Services) -> None:
    sitting = await begin(services)
    with pytest.raises(NotYet):
        await services.outcome.report(sitting)
    with pytest.raises(UnknownSitting, match="nobody"):
        await services.outcome.report("nobody")


async def test_recent_sittings_come_newest_first_with_their_scores(
    services: Services, clock: HandClock
) -> None:
    first = await finished(services, right=5)
    clock.wait(10)
    second = await begin(services, Conditions.TUTOR)
    clock.wait(10)
    third = await begin(services)
    for _ in range(2):
        lines = await services.outcome.recent()
        assert [(line.id, line.phase, line.percent) for line in lines] == [
            (third, "running", None),
            (second, "running", None),
            (first, "submitted", 50.0),
        ]
    clock.wait(20 * 60)
    lines = await services.outcome.recent(1)
    assert [(line.id, line.over, line.percent) for line in lines] == [(third, True, 0.0)]
    assert (lines[0].size, lines[0].exam, lines[0].conditions) == (10, "NCP-GENL", Conditions.EXAM)


async def test_a_rerun_and_what_a_diagnostic_asked_are_told(services: Services, clock: HandClock) -> None:
    first = await finished(services, right=5)
    clock.wait(10)
    await services.practice.redo(first, conditions=Conditions.TUTOR)
    clock.wait(10)
    await services.practice.create("NCP-GENL", Selection(), conditions=Conditions.TUTOR, count=3)
    clock.wait(10)
    diagnosis = await services.diagnose.start("NCP-GENL", seed=1)
    step = await services.diagnose.step(diagnosis)
    await services.diagnose.answer(diagnosis, str(step.item), (), client_id="a")
    lines = await services.outcome.recent()
    assert [(line.size, line.rerun, line.drill, line.diagnostic) for line in lines] == [
        (1, False, False, True),
        (3, False, True, False),
        (10, True, False, False),
        (10, False, False, False),
    ]


async def test_a_sitting_that_cannot_be_read_does_not_hide_the_others(services: Services) -> None:
    broken = await begin(services)
    whole = await finished(services, right=1)
    spoil(services, broken)
    assert [line.id for line in await services.outcome.recent()] == [whole]


def review_bytes(result: Result) -> bytes:
    report = {**asdict(result.report), "earned": str(result.report.earned)}
    return (
        canonical_bytes({"review": [asdict(line) for line in result.review], "form": asdict(result.form)})
        + repr(report).encode()
    )


async def test_an_old_sitting_reviews_byte_for_byte_after_an_upgrade_that_changes_its_items(
    home: Path, clock: HandClock
) -> None:
    services = open_at(home, clock)
    sitting = await finished(services, right=7, wrong=2)
    old = await services.outcome.report(sitting)
    running = await begin(services, seed=8)
    seen = await services.take.question(running, 1)
    bodies = services.store.forms.bodies(old.form.id)
    services.close()

    # The upgrade: every text and key changes, every third item is gone, the blueprint is another.
    items = [
        replace(
            item,
            version=item.version + 1,
            stem=f"NEW {item.stem}",
            as_of="2027-06-01",
            options=tuple(
                replace(
                    option,
                    text=f"NEW {option.text}",
                    reason="NEW reason",
                    correct=n >= len(item.options) - item.choose,
                )
                for n, option in enumerate(item.options)
            ),
        )
        for n, item in enumerate(bank_items())
        if n % 3
    ]
    bank = catalog(items, version="bank-2", title="Renamed", minutes=90, as_of="2027-06-01")
    later = open_at(home, clock, bank)
    new = await later.outcome.report(sitting)
    assert review_bytes(new) == review_bytes(old)
    assert (new.report.earned, new.report.possible) == (7, 10)
    assert later.store.forms.bodies(old.form.id) == bodies
    assert all(b"NEW" not in body for body in bodies)
    # A sitting that was running goes on with the questions it began with, under its old key.
    assert await later.take.question(running, 1) == seen
    key = {item.id: item.key for item in bank_items()}[seen.asked.id]
    await send(later, running, EventKind.ANSWERED, seen.asked.id, *key)
    await send(later, running, EventKind.SUBMITTED)
    assert (await later.outcome.report(running)).report.earned == 1
    # New sittings get the new texts, beside the old ones.
    fresh = await later.take.question(await begin(later, size=5), 1)
    assert fresh.asked.stem.startswith("NEW")
    assert review_bytes(await later.outcome.report(sitting)) == review_bytes(old)
    later.close()
