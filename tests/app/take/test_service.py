from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path

import pytest

from burnin.app.errors import (
    BadRequest,
    CannotAssemble,
    CannotRead,
    CannotSave,
    Damaged,
    Hidden,
    NotYet,
    UnknownExam,
    UnknownQuestion,
    UnknownSitting,
)
from burnin.app.take import Command, Conditions, EventKind
from burnin.app.wiring import Services
from burnin.domain.canonical import canonical_bytes
from burnin.store import Unavailable
from tests.app.desk import HandClock, answer, begin, open_at, send

pytestmark = pytest.mark.asyncio


async def test_a_sitting_starts_as_asked(services: Services) -> None:
    sitting = await begin(services, size=13, minutes=None, extra_time_percent=25)
    view = await services.take.view(sitting)
    assert (view.exam, view.title, view.phase) == ("NCP-GENL", "Generative AI LLMs", "running")
    assert (view.size, view.current, view.version) == (13, 1, 1)
    # 120 minutes for 60 questions: 26 for 13, and a quarter more.
    assert view.limit_ms == view.remaining_ms == 26 * 60_000 * 125 // 100
    assert view.unanswered == 13
    assert [entry.number for entry in view.entries] == list(range(1, 14))


async def test_the_usual_size_and_time_are_the_real_exams(services: Services) -> None:
    sitting = await services.take.create(" ncp-genl ", conditions=Conditions.EXAM)
    view = await services.take.view(sitting)
    assert (view.size, view.limit_ms) == (65, 120 * 60_000)


async def test_the_same_seed_gives_the_same_questions_and_no_seed_different_ones(services: Services) -> None:
    async def items(seed: int | None) -> list[str]:
        view = await services.take.view(await begin(services, size=20, seed=seed))
        return [entry.item for entry in view.entries]

    assert await items(3) == await items(3)
    assert await items(None) != await items(None)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"size": 0}, "Questions must lie between 1 and 300, not 0"),
        ({"size": 301}, "Questions"),
        ({"minutes": 0}, "Minutes must lie between 1 and 1440"),
        ({"extra_time_percent": -1}, "Extra time in percent"),
        ({"seed": -1}, "seed"),
    ],
)
async def test_a_wish_out_of_range_is_refused(services: Services, wish: dict[str, int], words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        await begin(services, **wish)
    assert services.store.sittings.recent() == ()


async def test_an_exam_that_is_not_there_or_cannot_be_filled_is_refused(services: Services) -> None:
    with pytest.raises(UnknownExam, match=r"NCP-AAI.*NCP-GENL"):
        await services.take.create("NCP-AAI", conditions=Conditions.EXAM)
    with pytest.raises(CannotAssemble, match="model-optimization needs 34 items and has 14"):
        await begin(services, size=200)
    with pytest.raises(UnknownSitting, match="nobody"):
        await services.take.view("nobody")
    with pytest.raises(UnknownSitting):
        await send(services, "nobody", EventKind.STARTED)


async def test_what_is_done_is_acknowledged_shown_and_stored(services: Services) -> None:
    sitting = await begin(services)
    question = await services.take.question(sitting, 2)
    item, options = question.asked.id, [option.id for option in question.asked.options]
    ack = await send(services, sitting, EventKind.ANSWERED, item, options[0])
    assert (ack.ok, ack.version, ack.seen, ack.options) == (True, 2, 2, (options[0],))
    await send(services, sitting, EventKind.STRUCK, item, options[1], options[2])
    ack = await send(services, sitting, EventKind.FLAGGED, item, on=True)
    assert (ack.flagged, ack.struck, ack.version) == (True, tuple(sorted(options[1:3])), 4)
    await send(services, sitting, EventKind.MOVED, item)

    again = await services.take.question(sitting, 2)
    assert (again.selected, again.struck, again.flagged, again.seen) == (
        (options[0],),
        tuple(sorted(options[1:3])),
        True,
        5,
    )
    assert again.asked == question.asked
    view = await services.take.view(sitting)
    assert (view.current, view.version, view.flagged) == (2, 5, 1)
    assert [e.kind for e in services.store.events.load(sitting)] == [
        EventKind.STARTED,
        EventKind.ANSWERED,
        EventKind.STRUCK,
        EventKind.FLAGGED,
        EventKind.MOVED,
    ]


async def test_the_review_counts_unanswered_incomplete_and_flagged(services: Services) -> None:
    sitting = await begin(services, size=20)
    view = await services.take.view(sitting)
    two = next(entry for entry in view.entries if entry.choose == 2)
    one = next(entry for entry in view.entries if entry.choose == 1)
    first = (await services.take.question(sitting, two.number)).asked.options[0].id
    await send(services, sitting, EventKind.ANSWERED, two.item, first)
    await answer(services, sitting, one.number)
    view = await services.take.view(sitting)
    assert (view.unanswered, view.incomplete, view.flagged) == (18, 1, 0)
    entry = view.entries[two.number - 1]
    assert (entry.chosen, entry.incomplete, entry.answered) == (1, True, False)
    entry = view.entries[one.number - 1]
    assert (entry.chosen, entry.incomplete, entry.answered) == (1, False, True)


async def test_a_refusal_comes_as_an_ack_with_the_stored_answer(services: Services) -> None:
    sitting = await begin(services)
    question = await services.take.question(sitting, 1)
    item, (a, b, *_) = question.asked.id, [option.id for option in question.asked.options]
    await send(services, sitting, EventKind.ANSWERED, item, a, seen=0)
    stale = await send(services, sitting, EventKind.ANSWERED, item, b, seen=0)
    assert (stale.ok, stale.code, stale.options, stale.seen, stale.version) == (False, "stale", (a,), 2, 2)
    strange = await send(services, sitting, EventKind.ANSWERED, item, "no-such-option")
    assert strange.code == "unknown-option"
    elsewhere = await send(services, sitting, EventKind.ANSWERED, "no-such-item", a)
    assert (elsewhere.code, elsewhere.item, elsewhere.options) == ("unknown-item", None, ())
    assert (await send(services, sitting, EventKind.PAUSED)).code == "no-pause"
    assert len(services.store.events.load(sitting)) == 2


async def test_a_command_sent_twice_is_stored_once(services: Services) -> None:
    sitting = await begin(services)
    question = await services.take.question(sitting, 1)
    option = question.asked.options[0].id
    command = Command("tab-1", EventKind.ANSWERED, question.asked.id, (option,))
    acks = await asyncio.gather(*(services.take.act(sitting, command) for _ in range(8)))
    assert all(ack.ok and ack.version == 2 and ack.options == (option,) for ack in acks)
    assert sorted(ack.duplicate for ack in acks) == [False] + [True] * 7
    other = Command("tab-1", EventKind.FLAGGED, question.asked.id, on=True)
    assert (await services.take.act(sitting, other)).code == "conflict"


async def test_nothing_that_leaves_before_the_end_holds_key_or_reason(services: Services) -> None:
    sitting = await begin(services)
    shown: list[object] = [await services.take.view(sitting)]
    for number in range(1, 11):
        shown.append(await services.take.question(sitting, number))
        item = await answer(services, sitting, number)
        shown.append(await send(services, sitting, EventKind.FLAGGED, item, on=True))
        with pytest.raises(NotYet):
            await services.take.reasons(sitting, item)
    text = b"".join(canonical_bytes(asdict(one)) for one in shown)  # type: ignore[call-overload]
    for secret in (b"REASON", b"FLIP", b"MISCONCEPTION", b"REMEDY", b"correct", b"zero-is-free", b"paper"):
        assert secret not in text


async def test_reasons_come_when_the_sitting_is_over(services: Services) -> None:
    sitting = await begin(services)
    item = await answer(services, sitting, 1)
    await send(services, sitting, EventKind.SUBMITTED)
    shown = await services.take.reasons(sitting, item)
    assert all(option.reason.startswith("REASON") for option in shown.options)
    with pytest.raises(UnknownQuestion, match="other-item"):
        await services.take.reasons(sitting, "other-item")
    refused = await send(services, sitting, EventKind.ANSWERED, item, shown.options[0].id)
    assert (refused.ok, refused.code, refused.phase) == (False, "over", "submitted")


async def test_tutor_has_no_deadline_and_reasons_at_once(services: Services, clock: HandClock) -> None:
    sitting = await begin(services, Conditions.TUTOR)
    item = await answer(services, sitting, 3, right=False)
    with pytest.raises(NotYet):
        await services.take.reasons(sitting, item)
    assert (await send(services, sitting, EventKind.REVEALED, item)).ok
    assert (await services.take.reasons(sitting, item)).id == item
    assert (await services.take.question(sitting, 3)).revealed
    clock.wait(10**6)
    view = await services.take.view(sitting)
    assert (view.remaining_ms, view.limit_ms, view.phase) == (None, None, "running")
    other = view.entries[0].item
    with pytest.raises(NotYet):
        await services.take.reasons(sitting, other)


async def test_a_pause_stops_the_clock_and_hides_the_question(services: Services, clock: HandClock) -> None:
    sitting = await begin(services, Conditions.TIMED)
    clock.wait(60)
    assert (await send(services, sitting, EventKind.PAUSED)).phase == "paused"
    clock.wait(5000)
    view = await services.take.view(sitting)
    assert (view.phase, view.remaining_ms) == ("paused", 19 * 60_000)
    with pytest.raises(Hidden):
        await services.take.question(sitting, 1)
    with pytest.raises(Hidden):
        await services.take.reasons(sitting, view.entries[0].item)
    await send(services, sitting, EventKind.RESUMED)
    assert (await services.take.question(sitting, 1)).number == 1


@pytest.mark.parametrize("number", [0, 11, -1])
async def test_a_question_that_is_not_there_is_refused(services: Services, number: int) -> None:
    sitting = await begin(services)
    with pytest.raises(UnknownQuestion, match="questions 1 to 10"):
        await services.take.question(sitting, number)


async def test_polling_writes_a_heartbeat_every_15_seconds_at_most(
    services: Services, clock: HandClock
) -> None:
    sitting = await begin(services)
    for _ in range(60):
        clock.wait(1)
        await services.take.view(sitting)
    beats = [e.at.boottime_ms for e in services.store.events.load(sitting) if e.kind is EventKind.HEARTBEAT]
    assert beats == [1_015_000, 1_030_000, 1_045_000, 1_060_000]


async def test_after_a_reboot_the_wall_clock_decides_and_the_sitting_is_interrupted(
    services: Services, clock: HandClock
) -> None:
    sitting = await begin(services)
    clock.wait(100)
    await services.take.view(sitting)
    clock.wait(7)
    clock.reboot(after_s=200)
    view = await services.take.view(sitting)
    assert (view.elapsed_ms, view.interrupted) == (307_000, True)
    clock.reboot(after_s=0, wall_jump_s=-3600)
    assert (await services.take.view(sitting)).elapsed_ms == 307_000


async def test_a_command_after_the_deadline_is_refused_and_closes_the_sitting(
    services: Services, clock: HandClock
) -> None:
    sitting = await begin(services)
    item = await answer(services, sitting, 1)
    clock.wait(21 * 60)
    ack = await send(services, sitting, EventKind.FLAGGED, item, on=True)
    assert (ack.ok, ack.code, ack.phase, ack.remaining_ms) == (False, "expired", "expired", 0)
    last = services.store.events.load(sitting)[-1]
    assert (last.kind, last.at.boottime_ms) == (EventKind.EXPIRED, 1_000_000 + 20 * 60_000)


async def test_looking_closes_a_sitting_whose_time_is_up(services: Services, clock: HandClock) -> None:
    for look in ("view", "question", "reasons"):
        sitting = await begin(services)
        item = await answer(services, sitting, 1)
        clock.wait(20 * 60)
        if look == "view":
            assert (await services.take.view(sitting)).phase == "expired"
        elif look == "question":
            assert (await services.take.question(sitting, 1)).asked.id == item
        else:
            assert (await services.take.reasons(sitting, item)).id == item
        assert services.store.events.load(sitting)[-1].kind is EventKind.EXPIRED


async def test_the_sweep_closes_what_is_due_and_only_that(services: Services, clock: HandClock) -> None:
    short = [await begin(services, minutes=5) for _ in range(2)]
    long = await begin(services, minutes=50)
    tutor = await begin(services, Conditions.TUTOR)
    paused = await begin(services, Conditions.TIMED, minutes=5)
    await send(services, paused, EventKind.PAUSED)
    assert await services.take.sweep() == 0
    clock.wait(299)
    assert await services.take.sweep() == 0
    clock.wait(1)
    assert await services.take.sweep() == 2
    assert await services.take.sweep() == 0
    assert set(services.store.sittings.open_ids()) == {long, tutor, paused}
    await send(services, paused, EventKind.RESUMED)
    clock.wait(300)
    assert await services.take.sweep() == 1
    clock.reboot(after_s=3600)
    assert await services.take.sweep() == 1
    assert services.store.sittings.open_ids() == (tutor,)
    assert all(services.store.events.load(s)[-1].at.boottime_ms == 1_300_000 for s in short)


async def test_the_sweep_goes_on_past_a_sitting_that_cannot_be_read(
    services: Services, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = await begin(services), await begin(services)
    spoil(services, broken)
    clock.wait(1200)
    assert await services.take.sweep() == 1
    assert broken in caplog.text
    assert services.store.events.load(whole)[-1].kind is EventKind.EXPIRED
    with pytest.raises(Damaged, match=broken):
        await services.take.view(broken)


def spoil(services: Services, sitting: str) -> None:
    """Store an event that no sitting can have produced, and forget what is in memory."""
    from burnin.domain.sitting import SittingEvent

    strange = SittingEvent(
        seq=2, client_id="x", kind=EventKind.MOVED, at=HandClock().now(), item="of-another-sitting"
    )
    services.store.events.append(sitting, [strange]).result()
    services.take._cache.drop(sitting)


async def test_sweeping_forever_sweeps_until_cancelled(services: Services, clock: HandClock) -> None:
    sitting = await begin(services)
    task = asyncio.create_task(services.take.sweep_forever(every_s=0.01))
    clock.wait(1200)
    while services.store.sittings.open_ids():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert services.store.events.load(sitting)[-1].kind is EventKind.EXPIRED


async def test_a_write_that_fails_is_not_acknowledged_and_nothing_changes(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(services)
    item = await answer(services, sitting, 1)
    before = await services.take.view(sitting)

    def full(connection: object, rows: object) -> None:
        raise Unavailable("The data could not be saved: database or disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(services.store.events, "_one", full)
        with pytest.raises(CannotSave, match="disk is full"):
            await send(services, sitting, EventKind.FLAGGED, item, on=True)
    assert await services.take.view(sitting) == before
    assert (await send(services, sitting, EventKind.FLAGGED, item, on=True)).ok
    assert (await services.take.view(sitting)).version == before.version + 1


async def test_looking_works_on_a_full_disk(
    services: Services, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = await begin(services)

    def full(connection: object, rows: object) -> None:
        raise Unavailable("full")

    monkeypatch.setattr(services.store.events, "_one", full)
    clock.wait(60)
    view = await services.take.view(sitting)
    assert (view.version, view.elapsed_ms) == (1, 60_000)


async def test_a_caller_that_goes_away_leaves_the_sitting_usable(services: Services) -> None:
    sitting = await begin(services)
    question = await services.take.question(sitting, 1)
    for n in range(20):
        option = question.asked.options[n % 4].id
        task = asyncio.create_task(send(services, sitting, EventKind.ANSWERED, question.asked.id, option))
        for _ in range(n % 4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        ack = await send(services, sitting, EventKind.FLAGGED, question.asked.id, on=bool(n % 2))
        assert ack.ok
    stored = services.store.events.load(sitting)
    assert [e.seq for e in stored] == list(range(1, len(stored) + 1))
    assert (await services.take.view(sitting)).version == len(stored)


async def test_two_programs_on_one_sitting_see_each_other(
    services: Services, home: Path, clock: HandClock
) -> None:
    other = open_at(home, clock, services.catalog)
    sitting = await begin(services, Conditions.TIMED)
    question = await other.take.question(sitting, 1)
    item, (a, b, *_) = question.asked.id, [option.id for option in question.asked.options]
    assert (await send(services, sitting, EventKind.ANSWERED, item, a)).version == 2
    # The other program's memory is one event behind: it loses the race, looks, and decides again.
    assert (await send(other, sitting, EventKind.ANSWERED, item, b)).version == 3
    assert (await services.take.question(sitting, 1)).selected == (b,)
    assert (await services.take.view(sitting)).version == 3
    # What only the other program knows decides refusals, too.
    await send(other, sitting, EventKind.PAUSED)
    assert (await send(services, sitting, EventKind.RESUMED)).ok
    stale = await send(other, sitting, EventKind.ANSWERED, item, a, seen=2)
    assert (stale.code, stale.options, stale.seen) == ("stale", (b,), 3)
    # The same command through both is one event.
    done = [await send(p, sitting, EventKind.FLAGGED, item, on=True, id="once") for p in (services, other)]
    assert [(ack.ok, ack.duplicate, ack.version) for ack in done] == [(True, False, 6), (True, True, 6)]
    other.close()


async def test_two_programs_that_race_lose_nothing(services: Services, home: Path, clock: HandClock) -> None:
    other = open_at(home, clock, services.catalog)
    sitting = await begin(services)
    view = await services.take.view(sitting)

    async def work(program: Services, name: str) -> list[str]:
        ids = [f"{name}-{n}" for n in range(40)]
        for n, id in enumerate(ids):
            entry = view.entries[n % view.size]
            assert (await send(program, sitting, EventKind.FLAGGED, entry.item, on=n % 2 == 0, id=id)).ok
        return ids

    ids = await asyncio.gather(work(services, "web"), work(other, "cli"))
    stored = services.store.events.load(sitting)
    assert [e.seq for e in stored] == list(range(1, 82))
    assert {e.client_id for e in stored} == {"server:started", *ids[0], *ids[1]}
    other.close()


async def test_sittings_that_fell_out_of_memory_go_on(services: Services) -> None:
    services.take._cache._kept = 2
    sittings = [await begin(services) for _ in range(5)]
    for _ in range(2):
        for sitting in sittings:
            await answer(services, sitting, 1)
    assert [(await services.take.view(s)).version for s in sittings] == [3] * 5


async def test_an_event_id_that_no_database_holds_is_refused(services: Services) -> None:
    sitting = await begin(services)
    for id in ("\ud800", "a\0b", "a\nb"):
        with pytest.raises(BadRequest, match="event id"):
            await send(services, sitting, EventKind.HEARTBEAT, id=id)
    assert (await send(services, sitting, EventKind.HEARTBEAT, id="x" * 500)).code == "malformed"
    assert len(services.store.events.load(sitting)) == 1


async def test_a_database_that_does_not_answer_is_told_as_such(services: Services) -> None:
    sitting = await begin(services)
    await services.take.view(sitting)
    with services.store._engine.connect().execution_options(burnin_write=True) as connection:
        connection.exec_driver_sql("ALTER TABLE events RENAME TO gone")
        connection.commit()
    with pytest.raises(CannotRead, match="no such table: events"):
        await services.take.view(sitting)
    with pytest.raises(CannotSave, match="no such table: events"):
        await send(services, sitting, EventKind.HEARTBEAT)
    with pytest.raises(CannotRead):
        await services.outcome.report(sitting)
    with services.store._engine.connect().execution_options(burnin_write=True) as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO events")
        connection.commit()
    assert (await send(services, sitting, EventKind.HEARTBEAT)).version == 2
