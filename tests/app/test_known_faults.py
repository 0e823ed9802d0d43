"""Faults that systems like this have had, each shown to be impossible here.

Named after the public reports; those of the sitting itself stand in tests/exam.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnin.app.take import Command, EventKind
from burnin.app.wiring import Services
from burnin.domain.sitting import SittingEvent
from burnin.store import DuplicateEvent, VersionConflict
from tests.app.desk import HandClock, answer, begin, open_at, send

pytestmark = pytest.mark.asyncio


async def test_prairielearn_854_a_double_click_submits_once(
    services: Services, home: Path, clock: HandClock
) -> None:
    """https://github.com/PrairieLearn/PrairieLearn/issues/854: two submissions from one double click."""
    others = [open_at(home, clock, services.catalog) for _ in range(2)]
    sitting = await begin(services)
    await answer(services, sitting, 1)
    clicks = [
        program.take.act(sitting, Command(f"click-{n % 2}", EventKind.SUBMITTED))
        for n, program in enumerate([services, *others] * 4)
    ]
    acks = await asyncio.gather(*clicks)
    ends = [e for e in services.store.events.load(sitting) if e.kind is EventKind.SUBMITTED]
    assert len(ends) == 1
    assert {ack.phase for ack in acks} == {"submitted"}
    assert {ack.version for ack in acks} == {3}
    assert sum(ack.ok and not ack.duplicate for ack in acks) == 1
    for other in others:
        other.close()


async def test_infomark_26_the_database_refuses_what_a_racing_check_lets_through(services: Services) -> None:
    """https://github.com/infomark-org/infomark/pull/26: the check in code raced; the key was missing."""
    sitting = await begin(services)
    now = HandClock().now()
    first = SittingEvent(seq=2, client_id="upload", kind=EventKind.SUBMITTED, at=now)
    services.store.events.append(sitting, [first]).result()
    same_command = SittingEvent(seq=3, client_id="upload", kind=EventKind.FLAGGED, at=now, on=True)
    second_end = SittingEvent(seq=3, client_id="upload-2", kind=EventKind.SUBMITTED, at=now)
    same_place = SittingEvent(seq=2, client_id="upload-3", kind=EventKind.HEARTBEAT, at=now)
    with pytest.raises(DuplicateEvent):
        services.store.events.append(sitting, [same_command]).result()
    for event in (second_end, same_place):
        with pytest.raises(VersionConflict):
            services.store.events.append(sitting, [event]).result()
    assert services.store.events.load(sitting)[1:] == (first,)


@pytest.mark.parametrize("reboot", [False, True])
async def test_moodle_mdl_43733_time_out_scores_the_last_autosave_though_nobody_comes_back(
    home: Path, clock: HandClock, reboot: bool
) -> None:
    """MDL-43733: autosaved answers counted only if the candidate returned after a crash."""
    services = open_at(home, clock)
    sitting = await begin(services)
    right = [await answer(services, sitting, number) for number in (1, 2, 3)]
    changed = await answer(services, sitting, 4, right=False)
    await answer(services, sitting, 4, right=True)
    await answer(services, sitting, 5, right=False)
    end = clock.now().boottime_ms + 20 * 60_000
    services.close()  # as if the server had died, and the candidate had gone home

    clock.wait(2 * 3600)
    if reboot:
        clock.reboot(after_s=600)
    later = open_at(home, clock)
    assert await later.take.sweep() == 1  # what a server does when it starts
    last = later.store.events.load(sitting)[-1]
    assert last.kind is EventKind.EXPIRED
    if not reboot:
        assert last.at.boottime_ms == end
    result = await later.outcome.report(sitting)
    assert (result.report.earned, result.report.possible, result.phase) == (4, 10, "expired")
    assert {i.item.id for i in result.review if i.correct} == {*right, changed}
    assert result.report.elapsed_ms == 20 * 60_000
    assert result.report.exam_evidence is not reboot
    later.close()


async def test_moodle_mdl_43733_asking_for_the_result_closes_the_sitting_too(
    home: Path, clock: HandClock
) -> None:
    services = open_at(home, clock)
    sitting = await begin(services)
    await answer(services, sitting, 1)
    services.close()
    clock.wait(3600)
    later = open_at(home, clock)
    assert [line.phase for line in await later.outcome.recent()] == ["expired"]
    assert (await later.outcome.report(sitting)).report.earned == 1
    later.close()


async def test_surveyjs_8509_a_sleeping_laptop_buys_no_time(services: Services, clock: HandClock) -> None:
    """https://github.com/surveyjs/survey-library/issues/8509: a timer of ticks stops with the tab."""
    sitting = await begin(services)
    clock.wait(19 * 60 + 59)
    assert (await services.take.view(sitting)).remaining_ms == 1000
    clock.wall_s -= 86_400  # a wall clock set back
    assert (await services.take.view(sitting)).remaining_ms == 1000
    clock.boottime_s += 1
    assert (await services.take.view(sitting)).phase == "expired"


async def test_numbas_313_options_keep_their_order_and_meaning_across_restarts(
    home: Path, clock: HandClock
) -> None:
    """https://github.com/numbas/Numbas/issues/313: options shuffled anew while answers were positions."""
    services = open_at(home, clock)
    sitting = await begin(services)
    before = [await services.take.question(sitting, n) for n in range(1, 11)]
    chosen = {q.asked.id: q.asked.options[0].id for q in before}
    for item, option in chosen.items():
        await send(services, sitting, EventKind.ANSWERED, item, option)
    services.close()
    later = open_at(home, clock)
    after = [await later.take.question(sitting, n) for n in range(1, 11)]
    assert [q.asked for q in after] == [q.asked for q in before]
    assert {q.asked.id: q.selected for q in after} == {item: (option,) for item, option in chosen.items()}
    later.close()
