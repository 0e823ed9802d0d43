from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.form import FormEntry
from burnin.domain.sitting import Conditions, EventKind
from burnin.exam.sitting import (
    EXPIRY_ID,
    Accepted,
    Command,
    Duplicate,
    Phase,
    Rejected,
    decide,
    elapsed_ms,
    initial,
)

from .builders import Desk, refusal, spec, started, tick

K = EventKind
EVERY = [
    Command("n-started", K.STARTED),
    Command("n-answered", K.ANSWERED, "q1", ("ash",)),
    Command("n-flagged", K.FLAGGED, "q1", on=True),
    Command("n-struck", K.STRUCK, "q1", ("ash",)),
    Command("n-rated", K.RATED, "q1", value="sure"),
    Command("n-moved", K.MOVED, "q2"),
    Command("n-paused", K.PAUSED),
    Command("n-resumed", K.RESUMED),
    Command("n-revealed", K.REVEALED, "q1"),
    Command("n-heartbeat", K.HEARTBEAT),
    Command("n-submitted", K.SUBMITTED),
    Command("n-expired", K.EXPIRED),
]
OK = None
#                   ready          running       paused    submitted  expired
TIMED_TABLE = {
    K.STARTED: (OK, "started", "started", "over", "expired"),
    K.ANSWERED: ("not-started", OK, "paused", "over", "expired"),
    K.FLAGGED: ("not-started", OK, "paused", "over", "expired"),
    K.STRUCK: ("not-started", OK, "paused", "over", "expired"),
    K.RATED: ("not-started", OK, "paused", "over", "expired"),
    K.MOVED: ("not-started", OK, "paused", "over", "expired"),
    K.PAUSED: ("not-started", OK, "paused", "over", "expired"),
    K.RESUMED: ("not-started", "not-paused", OK, "over", "expired"),
    K.REVEALED: ("not-started", "not-tutor", "paused", "over", "expired"),
    K.HEARTBEAT: ("not-started", OK, OK, "over", "expired"),
    K.SUBMITTED: ("not-started", OK, OK, "over", "expired"),
    K.EXPIRED: ("not-due", "not-due", "not-due", "over", "expired"),
}


def in_phase(phase: Phase) -> Desk:
    if phase is Phase.READY:
        return Desk(spec(Conditions.TIMED))
    desk = started(Conditions.TIMED)
    if phase is Phase.PAUSED:
        desk.do(K.PAUSED, tick(5))
    if phase is Phase.SUBMITTED:
        desk.do(K.SUBMITTED, tick(5))
    if phase is Phase.EXPIRED:
        desk.do(K.EXPIRED, tick(4000))
    return desk


class TestTransitions:
    @pytest.mark.parametrize("phase", list(Phase))
    @pytest.mark.parametrize("command", EVERY, ids=lambda c: c.kind.value)
    def test_every_command_in_every_phase(self, phase: Phase, command: Command) -> None:
        desk = in_phase(phase)
        before = desk.state
        assert before.phase is phase
        decision = desk.send(command, tick(10))
        expected = TIMED_TABLE[command.kind][list(Phase).index(phase)]
        if expected is OK:
            assert isinstance(decision, Accepted)
            assert desk.state.version == before.version + 1
        else:
            assert refusal(decision) == expected
            assert desk.state == before

    def test_exam_conditions_have_no_pause(self) -> None:
        decision = started(Conditions.EXAM).send(Command("p", K.PAUSED), tick(1))
        assert refusal(decision) == "no-pause"

    @pytest.mark.parametrize("conditions", [Conditions.EXAM, Conditions.TIMED])
    def test_reasons_are_for_tutor_sittings(self, conditions: Conditions) -> None:
        decision = started(conditions).send(Command("r", K.REVEALED, "q1"), tick(1))
        assert refusal(decision) == "not-tutor"

    def test_in_tutor_reasons_fix_the_answer_of_their_item_only(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        desk.do(K.ANSWERED, tick(1), "q1", "ash")
        desk.do(K.REVEALED, tick(2), "q1")
        for late in (Command("a", K.ANSWERED, "q1", ("elm",)), Command("r", K.REVEALED, "q1")):
            decision = desk.send(late, tick(3))
            assert refusal(decision) == "revealed"
        desk.do(K.ANSWERED, tick(3), "q2", "ash")
        desk.do(K.FLAGGED, tick(4), "q1", on=True)
        assert desk.state.answer("q1") == ("ash",)

    def test_an_item_can_be_revealed_without_an_answer(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        desk.do(K.REVEALED, tick(2), "q1")
        assert desk.state.item("q1").revealed

    def test_nothing_can_be_decided_without_being_started(self) -> None:
        state = initial(spec())
        for command in EVERY[1:]:
            assert isinstance(decide(state, command, tick(99_999)), Rejected)


class TestMalformed:
    @pytest.mark.parametrize(
        ("command", "code"),
        [
            (Command("", K.MOVED, "q1"), "malformed"),
            (Command("x" * 129, K.MOVED, "q1"), "malformed"),
            (Command(EXPIRY_ID, K.MOVED, "q1"), "malformed"),
            (Command("x", K.FLAGGED, "q1"), "malformed"),
            (Command("x", K.ANSWERED), "malformed"),
            (Command("x", K.MOVED), "malformed"),
            (Command("x", K.MOVED, "q9"), "unknown-item"),
            (Command("x", K.ANSWERED, "q9", ("ash",)), "unknown-item"),
        ],
    )
    def test_is_refused_and_changes_nothing(self, command: Command, code: str) -> None:
        desk = started()
        decision = desk.send(command, tick(1))
        assert refusal(decision) == code
        assert len(desk.lines) == 1

    @pytest.mark.parametrize("kind", [K.ANSWERED, K.STRUCK])
    def test_an_unknown_option_is_refused_where_the_form_entry_is_known(self, kind: EventKind) -> None:
        entry = FormEntry(item="q1", hash="h", domain="a", choose=1, options=("elm", "ash"))
        state = started().state
        bad = decide(state, Command("x", kind, "q1", ("ash", "oak")), tick(1), entry=entry)
        assert refusal(bad) == "unknown-option"
        wrong_entry = decide(state, Command("x", kind, "q2", ("ash",)), tick(1), entry=entry)
        assert refusal(wrong_entry) == "malformed"
        assert isinstance(decide(state, Command("x", kind, "q1", ("ash",)), tick(1), entry=entry), Accepted)

    def test_fewer_options_than_asked_for_are_legal_and_more_are_refused(self) -> None:
        entry = FormEntry(item="q1", hash="h", domain="a", choose=2, options=("elm", "ash", "fir"))
        for options in ((), ("ash",), ("ash", "elm"), ("ash", "elm", "elm")):
            decision = decide(started().state, Command("x", K.ANSWERED, "q1", options), tick(1), entry=entry)
            assert isinstance(decision, Accepted)
        every = ("ash", "elm", "fir")
        decision = decide(started().state, Command("x", K.ANSWERED, "q1", every), tick(1), entry=entry)
        assert refusal(decision) == "too-many"
        struck = decide(started().state, Command("x", K.STRUCK, "q1", every), tick(1), entry=entry)
        assert isinstance(struck, Accepted)

    def test_what_a_kind_does_not_use_is_not_stored(self) -> None:
        desk = started()
        command = Command("x", K.HEARTBEAT, "q1", ("ash",), on=True)
        decision = desk.send(command, tick(1))
        assert isinstance(decision, Accepted)
        event = decision.events[0]
        assert (event.item, event.options, event.on) == (None, (), None)
        assert desk.send(command, tick(2)) == Duplicate(2)


class TestIdempotence:
    def test_the_same_id_and_content_is_acknowledged_again(self) -> None:
        desk = started()
        command = Command("x", K.ANSWERED, "q1", ("elm", "ash"))
        assert isinstance(desk.send(command, tick(1)), Accepted)
        assert desk.send(command, tick(2)) == Duplicate(2)
        assert desk.send(Command("x", K.ANSWERED, "q1", ("ash", "elm", "ash"), seen=0), tick(2)) == Duplicate(
            2
        )
        assert len(desk.lines) == 2

    def test_the_same_id_with_other_content_is_a_conflict(self) -> None:
        desk = started()
        desk.send(Command("x", K.ANSWERED, "q1", ("ash",)), tick(1))
        for other in (
            Command("x", K.ANSWERED, "q1", ("elm",)),
            Command("x", K.ANSWERED, "q2", ("ash",)),
            Command("x", K.STRUCK, "q1", ("ash",)),
            Command("x", K.SUBMITTED),
        ):
            decision = desk.send(other, tick(2))
            assert refusal(decision) == "conflict"
        assert desk.state.answer("q1") == ("ash",)

    def test_an_acknowledged_command_is_acknowledged_again_after_the_end(self) -> None:
        for ending in (Command("end", K.SUBMITTED), Command("end", K.EXPIRED)):
            desk = started()
            command = Command("x", K.ANSWERED, "q1", ("ash",))
            desk.send(command, tick(1))
            desk.send(ending, tick(3599) if ending.kind is K.SUBMITTED else tick(3600))
            assert desk.state.over
            assert desk.send(command, tick(9999)) == Duplicate(2)

    def test_an_acknowledged_command_is_acknowledged_again_when_time_is_up_but_not_closed(self) -> None:
        desk = started()
        command = Command("x", K.ANSWERED, "q1", ("ash",))
        desk.send(command, tick(1))
        assert desk.send(command, tick(9999)) == Duplicate(2)


class TestStale:
    def test_a_tab_that_shows_an_older_answer_cannot_overwrite_a_newer_one(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash", seen=0)
        decision = desk.send(Command("old-tab", K.ANSWERED, "q1", ("elm",), seen=0), tick(2))
        assert refusal(decision) == "stale"
        assert desk.state.answer("q1") == ("ash",)
        desk.do(K.ANSWERED, tick(3), "q1", "elm", seen=desk.state.item("q1").seen)

    def test_one_event_later_is_already_too_late(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash", seen=0)
        shown = desk.state.item("q1").seen
        desk.do(K.ANSWERED, tick(2), "q1", "elm", seen=shown)
        assert (
            refusal(desk.send(Command("old-tab", K.ANSWERED, "q1", ("fir",), seen=shown), tick(3))) == "stale"
        )

    def test_other_items_flags_and_repeated_answers_are_no_reason(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash", seen=0)
        desk.do(K.ANSWERED, tick(2), "q2", "ash", seen=0)
        desk.do(K.FLAGGED, tick(3), "q1", on=True, seen=0)
        desk.do(K.ANSWERED, tick(4), "q1", "ash", seen=2)
        desk.do(K.ANSWERED, tick(5), "q1", "elm", seen=2)

    def test_the_same_answer_from_an_old_tab_is_harmless(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash", seen=0)
        desk.do(K.ANSWERED, tick(2), "q1", "ash", seen=0)

    def test_reasons_cannot_fix_an_answer_that_the_tab_does_not_show(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        desk.do(K.ANSWERED, tick(1), "q1", "ash", seen=0)
        decision = desk.send(Command("old-tab", K.REVEALED, "q1", seen=0), tick(2))
        assert refusal(decision) == "stale"

    def test_without_seen_the_last_writer_wins(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(1), "q1", "ash")
        desk.do(K.ANSWERED, tick(2), "q1", "elm")
        assert desk.state.answer("q1") == ("elm",)


class TestExpiry:
    def test_a_late_command_closes_the_sitting_at_the_deadline(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(3599), "q1", "ash")
        decision = desk.send(Command("late", K.ANSWERED, "q1", ("elm",)), tick(3700))
        assert refusal(decision) == "expired"
        assert isinstance(decision, Rejected)
        (closing,) = decision.events
        assert (closing.kind, closing.client_id, closing.at) == (K.EXPIRED, EXPIRY_ID, tick(3600))
        assert desk.state.phase is Phase.EXPIRED
        assert desk.state.answer("q1") == ("ash",)
        assert elapsed_ms(desk.state, tick(9999)) == 3_600_000
        again = desk.send(Command("later", K.SUBMITTED), tick(3701))
        assert again == Rejected("expired", decision.message)

    @pytest.mark.parametrize("command", EVERY, ids=lambda c: c.kind.value)
    def test_every_kind_of_command_meets_it(self, command: Command) -> None:
        desk = started()
        decision = desk.send(command, tick(3600))
        assert desk.state.phase is Phase.EXPIRED
        if command.kind is K.EXPIRED:
            assert isinstance(decision, Accepted)
        else:
            assert refusal(decision) == "expired"

    def test_the_sweep_closes_once(self) -> None:
        desk = started()
        sweep = Command(EXPIRY_ID, K.EXPIRED)
        early = desk.send(sweep, tick(3599.999))
        assert refusal(early) == "not-due"
        assert isinstance(desk.send(sweep, tick(3600)), Accepted)
        assert desk.send(sweep, tick(3700)) == Duplicate(2)
        assert len(desk.lines) == 2

    def test_two_processes_that_both_close_write_the_same_event_id(self) -> None:
        state = started().state
        one = decide(state, Command("a", K.SUBMITTED), tick(3700))
        two = decide(state, Command(EXPIRY_ID, K.EXPIRED), tick(3800))
        assert isinstance(one, Rejected)
        assert isinstance(two, Accepted)
        assert one.events[0].client_id == two.events[0].client_id
        assert one.events[0].seq == two.events[0].seq

    def test_a_reboot_found_after_the_deadline_interrupts(self) -> None:
        desk = started()
        desk.do(K.ANSWERED, tick(100), "q1", "ash")
        desk.send(Command(EXPIRY_ID, K.EXPIRED), tick(20, boot="boot-2", wall=90_000))
        assert desk.state.phase is Phase.EXPIRED
        assert desk.state.interrupted
        assert desk.state.used_ms == 3_600_000


class TestRating:
    def test_the_last_tap_counts_and_changes_no_answer(self) -> None:
        desk = started(Conditions.TIMED)
        desk.do(EventKind.ANSWERED, tick(1), "q1", "ash")
        desk.do(EventKind.RATED, tick(2), "q1", value="guess")
        desk.do(EventKind.RATED, tick(3), "q1", value="sure")
        known = desk.state.item("q1")
        assert (known.rating, known.answer, known.changed, known.seen) == ("sure", ("ash",), 2, 4)
        assert desk.state.item("q2").rating is None

    def test_a_repeated_tap_is_one_event_and_another_value_under_its_id_a_conflict(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        tap = Command("tap", EventKind.RATED, "q1", value="sure")
        assert isinstance(desk.send(tap, tick(1)), Accepted)
        assert desk.send(tap, tick(2)) == Duplicate(2)
        assert refusal(desk.send(replace(tap, value="guess"), tick(3))) == "conflict"

    def test_exam_conditions_ask_for_none(self) -> None:
        assert (
            refusal(started().send(Command("c", EventKind.RATED, "q1", value="sure"), tick(1))) == "no-rating"
        )

    @pytest.mark.parametrize("value", [None, "", "certain"])
    def test_nothing_but_the_three_values(self, value: str | None) -> None:
        tap = Command("c", EventKind.RATED, "q1", value=value)
        assert refusal(started(Conditions.TIMED).send(tap, tick(1))) == "malformed"

    def test_not_after_the_reasons(self) -> None:
        desk = started(Conditions.TUTOR, limit=None)
        desk.do(EventKind.REVEALED, tick(1), "q1")
        assert refusal(desk.send(Command("c", EventKind.RATED, "q1", value="sure"), tick(2))) == "revealed"
