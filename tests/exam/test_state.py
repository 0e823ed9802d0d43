from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.sitting import Conditions, EventKind, SittingEvent, Tick
from burnin.exam.state import (
    BrokenLog,
    Phase,
    apply,
    deadline,
    elapsed_ms,
    fold,
    heartbeat_due,
    initial,
    overdue,
    remaining_ms,
)

from .builders import Desk, spec, started, tick

K = EventKind


class TestTerms:
    def test_a_new_sitting_is_ready_and_its_clock_stands(self) -> None:
        state = initial(spec())
        assert (state.phase, state.version, state.current) == (Phase.READY, 0, "q1")
        assert elapsed_ms(state, tick(9999)) == 0
        assert remaining_ms(state, tick(9999)) == 3_600_000
        assert not overdue(state, tick(9999))
        assert state.answers == {"q1": (), "q2": (), "q3": ()}

    @pytest.mark.parametrize(
        ("terms", "message"),
        [
            ({"items": ()}, "items must be given"),
            ({"items": ("q1", "q1")}, "each once"),
            ({"limit": 0}, "not positive"),
            ({"limit": -5}, "not positive"),
            ({"conditions": Conditions.TUTOR}, "tutor sitting has no limit"),
        ],
    )
    def test_terms_that_make_no_sense_are_refused(self, terms: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            initial(spec(**terms))  # type: ignore[arg-type]


class TestClock:
    def test_within_a_boot_only_elapsed_time_counts(self) -> None:
        desk = started()
        for wall in (-1e6, 0, 100, 1e9):
            assert elapsed_ms(desk.state, tick(100, wall=wall)) == 100_000
            assert remaining_ms(desk.state, tick(100, wall=wall)) == 3_500_000

    def test_suspend_counts_because_boot_time_counts_it(self) -> None:
        desk = started()
        assert overdue(desk.state, tick(3600, wall=10))

    def test_a_reading_from_before_the_last_event_takes_nothing_back(self) -> None:
        desk = started()
        desk.do(K.HEARTBEAT, tick(100))
        assert elapsed_ms(desk.state, tick(40)) == 100_000
        desk.do(K.HEARTBEAT, tick(99))
        # The second heartbeat is older than the first: 99 s to 150 s must not count 1 s twice.
        assert elapsed_ms(desk.state, tick(150)) == 150_000

    def test_across_boots_wall_time_counts_from_the_last_event(self) -> None:
        desk = started()
        desk.do(K.HEARTBEAT, tick(100))
        after = tick(3, boot="boot-2", wall=160)
        assert elapsed_ms(desk.state, after) == 160_000
        desk.do(K.HEARTBEAT, after)
        assert desk.state.interrupted
        assert elapsed_ms(desk.state, tick(13, boot="boot-2", wall=0)) == 170_000

    def test_across_boots_a_wall_clock_set_back_gives_nothing_back(self) -> None:
        desk = started()
        desk.do(K.HEARTBEAT, tick(100))
        assert elapsed_ms(desk.state, tick(3, boot="boot-2", wall=-86_400)) == 100_000

    def test_time_between_boots_belongs_to_no_item(self) -> None:
        desk = started()
        desk.do(K.HEARTBEAT, tick(100))
        desk.do(K.HEARTBEAT, tick(3, boot="boot-2", wall=160))
        desk.do(K.MOVED, tick(13, boot="boot-2"), "q2")
        state = desk.state
        assert state.item("q1").ms == 110_000
        assert state.away_ms == 60_000
        assert sum(i.ms for i in state.items.values()) + state.away_ms == state.used_ms == 170_000

    def test_time_goes_to_the_item_in_view(self) -> None:
        desk = started()
        desk.do(K.MOVED, tick(10), "q3")
        desk.do(K.ANSWERED, tick(40), "q3", "ash")
        # An answer of q1 that arrives late does not move the learner back there.
        desk.do(K.ANSWERED, tick(41), "q1", "ash")
        desk.do(K.SUBMITTED, tick(50))
        assert [desk.state.item(i).ms for i in ("q1", "q2", "q3")] == [10_000, 0, 40_000]
        assert desk.state.current == "q3"

    def test_a_pause_stops_the_clock_in_timed_practice(self) -> None:
        desk = started(Conditions.TIMED)
        desk.do(K.PAUSED, tick(60))
        assert elapsed_ms(desk.state, tick(10_000)) == 60_000
        assert not overdue(desk.state, tick(10_000))
        desk.do(K.RESUMED, tick(10_000))
        assert elapsed_ms(desk.state, tick(10_010)) == 70_000
        assert desk.state.pauses == 1

    def test_a_reboot_during_a_pause_costs_no_time(self) -> None:
        desk = started(Conditions.TIMED)
        desk.do(K.PAUSED, tick(60))
        desk.do(K.RESUMED, tick(5, boot="boot-2", wall=90_000))
        assert elapsed_ms(desk.state, tick(15, boot="boot-2")) == 70_000
        assert desk.state.interrupted

    def test_without_a_limit_nothing_is_ever_due(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        assert remaining_ms(desk.state, tick(1e6)) is None
        assert not overdue(desk.state, tick(1e6))
        with pytest.raises(ValueError, match="not overdue"):
            deadline(desk.state, tick(1e6))

    def test_time_never_runs_below_zero_or_over_the_limit(self) -> None:
        state = started().state
        assert remaining_ms(state, tick(3599.999)) == 1
        assert not overdue(state, tick(3599.999))
        assert remaining_ms(state, tick(3600)) == 0
        assert overdue(state, tick(3600))
        assert remaining_ms(state, tick(99_999)) == 0
        assert elapsed_ms(state, tick(99_999)) == 3_600_000

    def test_the_clock_stops_with_submission(self) -> None:
        desk = started()
        desk.do(K.SUBMITTED, tick(60))
        assert elapsed_ms(desk.state, tick(5000)) == 60_000
        assert not overdue(desk.state, tick(5000))


class TestDeadline:
    def test_lies_where_time_ran_out(self) -> None:
        at = deadline(started().state, tick(5000, wall=5000))
        assert (at.boot, at.boottime_ms) == ("boot-1", 3_600_000)

    def test_after_a_reboot_is_told_by_wall_time(self) -> None:
        desk = started()
        desk.do(K.HEARTBEAT, tick(100))
        at = deadline(desk.state, tick(20, boot="boot-2", wall=90_000))
        assert at == tick(0, boot="boot-2", wall=3600)


class TestHeartbeat:
    def test_is_due_every_15_seconds_of_a_running_sitting(self) -> None:
        desk = started(Conditions.TIMED)
        assert not heartbeat_due(desk.state, tick(14.999, wall=9999))
        assert heartbeat_due(desk.state, tick(15, wall=0))
        desk.do(K.ANSWERED, tick(15), "q1", "ash")
        assert not heartbeat_due(desk.state, tick(20))
        desk.do(K.PAUSED, tick(21))
        assert not heartbeat_due(desk.state, tick(99))
        assert not heartbeat_due(initial(spec()), tick(99))

    def test_is_due_at_once_in_a_new_boot(self) -> None:
        desk = started()
        assert heartbeat_due(desk.state, tick(0, boot="boot-2", wall=1))
        desk.do(K.HEARTBEAT, tick(0, boot="boot-2", wall=500))
        # The 500 s off are on record now: a wall clock set back does not undo it.
        assert elapsed_ms(desk.state, tick(0, boot="boot-3", wall=0)) == 500_000


class TestFold:
    def test_answers_flags_and_strikes_are_the_last_ones(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "elm", "ash")
        desk.do(K.ANSWERED, tick(2), "q2", "ash")
        desk.do(K.ANSWERED, tick(3), "q2")
        desk.do(K.FLAGGED, tick(4), "q1", on=True)
        desk.do(K.FLAGGED, tick(5), "q2", on=True)
        desk.do(K.FLAGGED, tick(6), "q2", on=False)
        desk.do(K.STRUCK, tick(7), "q3", "fir", "elm")
        desk.do(K.MOVED, tick(8), "q3")
        state = desk.state
        assert state.answers == {"q1": ("ash", "elm"), "q2": (), "q3": ()}
        assert [state.item(i).flagged for i in ("q1", "q2", "q3")] == [True, False, False]
        assert state.item("q3").struck == ("elm", "fir")
        assert state.item("q2").history == (("ash",), ())
        assert (state.item("q2").seen, state.item("q2").changed) == (7, 4)
        assert state.current == "q3"

    def test_the_same_answer_again_is_no_change(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash")
        desk.do(K.ANSWERED, tick(2), "q1", "ash")
        assert desk.state.item("q1").history == (("ash",),)
        assert (desk.state.item("q1").seen, desk.state.item("q1").changed) == (3, 2)

    def test_states_are_values(self) -> None:
        desk = started()
        before = desk.state
        again = fold(desk.spec, [])
        accepted = desk.do(K.ANSWERED, tick(1), "q1", "ash")
        after = apply(before, accepted.events[0])
        assert (before.answer("q1"), before.version) == ((), 1)
        assert after.answer("q1") == ("ash",)
        # Two branches from one state know nothing of each other.
        other = apply(before, replace(accepted.events[0], client_id="other", options=("elm",)))
        assert other.answer("q1") == ("elm",)
        assert "other" not in after.acks
        assert again == initial(desk.spec)
        assert after == desk.state

    def test_a_thousand_autosaves_fold_to_the_last_of_each_item(self) -> None:
        items = tuple(f"q{n}" for n in range(65))
        desk = Desk(spec(items=items))
        state = initial(desk.spec)
        events = [SittingEvent(seq=1, client_id="c0", kind=K.STARTED, at=tick(0))]
        for n in range(999):
            events.append(
                SittingEvent(
                    seq=n + 2,
                    client_id=f"c{n + 1}",
                    kind=K.ANSWERED,
                    at=tick(n),
                    item=items[n % 65],
                    options=(f"o{n % 7}",),
                )
            )
        state = fold(desk.spec, events)
        assert state.version == len(state.acks) == 1000
        assert state.answers == {
            i: (f"o{max(n for n in range(999) if n % 65 == p) % 7}",) for p, i in enumerate(items)
        }

    @pytest.mark.parametrize(
        ("event", "message"),
        [
            (
                SittingEvent(seq=3, client_id="x", kind=K.MOVED, at=tick(1), item="q1"),
                "event 3 cannot follow event 1",
            ),
            (
                SittingEvent(seq=1, client_id="x", kind=K.MOVED, at=tick(1), item="q1"),
                "event 1 cannot follow event 1",
            ),
            (SittingEvent(seq=2, client_id="c1", kind=K.MOVED, at=tick(1), item="q1"), "'c1' is used twice"),
            (SittingEvent(seq=2, client_id="x", kind=K.MOVED, at=tick(1), item="q9"), "unknown item 'q9'"),
        ],
    )
    def test_a_log_that_cannot_be_is_reported(self, event: SittingEvent, message: str) -> None:
        with pytest.raises(BrokenLog, match=message):
            apply(started().state, event)


def test_an_event_stored_after_the_deadline_still_never_uses_more_than_the_limit() -> None:
    state = apply(
        started().state,
        SittingEvent(
            seq=2,
            client_id="x",
            kind=K.ANSWERED,
            at=Tick(boot="boot-1", boottime_ms=4_000_000, wall_ms=0),
            item="q1",
            options=("ash",),
        ),
    )
    assert state.used_ms == 3_600_000
    assert state.answer("q1") == ("ash",)
