"""Faults that other exam systems have had, each impossible here. Named after their reports."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import asked
from burnin.domain.sitting import Conditions, EventKind
from burnin.exam.report import report
from burnin.exam.scoring import ALL_OR_NOTHING, RULES, score
from burnin.exam.sitting import (
    EXPIRY_ID,
    Accepted,
    Command,
    Duplicate,
    Phase,
    decide,
    elapsed_ms,
    overdue,
    remaining_ms,
)

from .builders import Desk, item, refusal, small_form, spec, started, thaw_form, thaw_item, tick

K = EventKind


def test_moodle_mdl_43733_a_sitting_closed_after_a_crash_scores_the_last_autosave() -> None:
    form, items = small_form([item("q1"), item("q2")])
    desk = started(items=("q1", "q2"), form=form.id)
    desk.do(K.ANSWERED, tick(10), "q1", "ash")
    desk.do(K.ANSWERED, tick(20), "q2", "birch")
    desk.do(K.ANSWERED, tick(30), "q2", "ash")
    # The candidate never comes back. Another process finds the sitting overdue after a reboot.
    decision = desk.send(Command(EXPIRY_ID, K.EXPIRED), tick(60, boot="boot-2", wall=90_000))
    assert isinstance(decision, Accepted)
    result = report(form, items, desk.state, pass_mark_percent=70)
    assert (result.ended, result.earned, result.unanswered) == (Phase.EXPIRED, 2, ())


def test_algo_3892_a_background_tab_that_sends_nothing_buys_no_time() -> None:
    desk = started()
    assert remaining_ms(desk.state, tick(3000)) == 600_000  # no ping since the start
    assert overdue(desk.state, tick(3600))


def test_surveyjs_8509_a_sleeping_laptop_buys_no_time() -> None:
    desk = started()
    desk.do(K.HEARTBEAT, tick(60))
    # Asleep from 60 s to 3,700 s: boot time counts it, whatever the wall clock shows on waking.
    woken = tick(3700, wall=61)
    assert remaining_ms(desk.state, woken) == 0
    assert refusal(desk.send(Command("late", K.ANSWERED, "q1", ("ash",)), woken)) == "expired"


def test_qti_sdk_pull_332_time_runs_out_on_an_empty_and_on_an_incomplete_answer() -> None:
    form, items = small_form([item("q1"), item("q2", choose=2), item("q3", choose=3)])
    for ending, at in ((Command("end", K.SUBMITTED), tick(60)), (Command("end", K.EXPIRED), tick(3600))):
        desk = started(items=("q1", "q2", "q3"), form=form.id)
        desk.do(K.ANSWERED, tick(10), "q2", "ash")
        desk.do(K.ANSWERED, tick(11), "q3", "ash", "birch")
        assert isinstance(desk.send(ending, at), Accepted)
        result = report(form, items, desk.state, pass_mark_percent=70)
        assert result.unanswered == ("q1",)
        assert set(result.incomplete) == {"q2", "q3"}
        assert result.earned == 0


def test_openedx_proctoring_412_time_runs_from_starting_and_submission_is_never_barred() -> None:
    desk = Desk(spec())
    # The page is open for a day before the start: the whole time is still there.
    assert remaining_ms(desk.state, tick(86_400)) == 3_600_000
    desk.do(K.STARTED, tick(86_400))
    assert remaining_ms(desk.state, tick(86_400)) == 3_600_000
    # One millisecond before the end a submission is taken; after it the sitting closes by itself.
    desk.do(K.SUBMITTED, tick(86_400 + 3599.999))
    assert desk.state.phase is Phase.SUBMITTED


def test_openedx_proctoring_654_a_late_ping_changes_no_finished_sitting() -> None:
    for ending, at, code in (
        (Command("end", K.SUBMITTED), tick(60), "over"),
        (Command("end", K.EXPIRED), tick(3600), "expired"),
    ):
        desk = started()
        desk.send(ending, at)
        finished = desk.state
        for late in (
            Command("ping", K.HEARTBEAT),
            Command("again", K.STARTED),
            Command("more", K.RESUMED),
            Command("pause", K.PAUSED),
            Command("sweep", K.EXPIRED),
            Command("submit", K.SUBMITTED),
        ):
            assert refusal(desk.send(late, tick(5000))) == code
        assert desk.state == finished


def test_numbas_313_options_keep_their_order_and_meaning_on_resume() -> None:
    form, items = small_form([item(f"q{n}") for n in range(8)], seed=5)
    stored_form, stored_items = canonical_bytes(form), [canonical_bytes(i) for i in items]
    desk = started(items=tuple(e.item for e in form.entries), form=form.id)
    for entry in form.entries:
        desk.do(K.ANSWERED, tick(1), entry.item, entry.options[0])
    # After a crash everything comes from what was stored.
    form2, items2 = thaw_form(stored_form), [thaw_item(raw) for raw in stored_items]
    assert form2 == form
    for entry, before, after in zip(form2.entries, items, items2, strict=True):
        shown_before = asked(before, entry.options).options
        shown_after = asked(after, entry.options).options
        assert shown_after == shown_before
        assert desk.state.answer(entry.item) == (shown_before[0].id,)


def test_studentquiz_79_checking_an_answer_neither_moves_options_nor_regrades() -> None:
    form, items = small_form([item("q1"), item("q2")], seed=3)
    desk = started(Conditions.TUTOR, limit=None, items=("q1", "q2"), form=form.id)
    desk.do(K.ANSWERED, tick(1), "q1", "ash")
    desk.do(K.REVEALED, tick(2), "q1")
    assert refusal(desk.send(Command("x", K.ANSWERED, "q1", ("elm",)), tick(3))) == "revealed"
    desk.do(K.SUBMITTED, tick(4))
    again, _ = small_form([item("q2"), item("q1")], seed=3)
    assert again == form
    line = next(i for i in report(form, items, desk.state, pass_mark_percent=70).items if i.item == "q1")
    assert (line.outcome, line.final) == ("right", frozenset({"ash"}))


def test_runestone_1319_the_option_shown_first_is_an_answer_like_any_other() -> None:
    for seed in range(30):
        form, items = small_form([item("q1")], seed=seed)
        first = form.entries[0].options[0]
        desk = started(items=("q1",), form=form.id)
        desk.do(K.ANSWERED, tick(1), "q1", first)
        desk.do(K.SUBMITTED, tick(2))
        result = report(form, items, desk.state, pass_mark_percent=70)
        assert result.unanswered == ()
        assert result.items[0].outcome == ("right" if first == "ash" else "wrong")


@pytest.mark.parametrize("name", ["0", "", "false"])
def test_runestone_1319_no_option_id_is_taken_for_nothing(name: str) -> None:
    form, items = small_form([item("q1")])
    odd = replace(
        items[0], options=tuple(replace(o, id=name if o.correct else o.id) for o in items[0].options)
    )
    result = score(form, [odd], {"q1": (name,)}, ALL_OR_NOTHING)
    assert result.items[0].outcome == "right"


def test_prairielearn_854_a_double_click_makes_one_submission() -> None:
    desk = started()
    command = Command("click", K.SUBMITTED)
    assert isinstance(desk.send(command, tick(60)), Accepted)
    assert desk.send(command, tick(60)) == Duplicate(2)
    # A second click that got an id of its own finds the sitting over.
    assert refusal(desk.send(Command("click-2", K.SUBMITTED), tick(60))) == "over"
    assert len(desk.lines) == 2


def test_infomark_pull_26_two_racing_requests_leave_one_event() -> None:
    desk = started()
    stale_state = desk.state
    command = Command("click", K.ANSWERED, "q1", ("ash",))

    one, two = decide(stale_state, command, tick(1)), decide(stale_state, command, tick(1))
    assert isinstance(one, Accepted)
    assert isinstance(two, Accepted)
    # Both want the same seq and carry the same client id, so a store keeps only one …
    assert one.events == two.events
    desk.keep(one.events)
    # … and the loser, deciding again on what is stored, is told that it was taken.
    assert desk.send(command, tick(1)) == Duplicate(2)


def test_savsoftquiz_15_thirds_add_up_to_one() -> None:
    thirds = {**RULES, "thirds/1": lambda selected, key: Fraction(len(selected & key), 3)}
    form, items = small_form([item("q1", choose=3), item("q2", choose=3), item("q3", choose=3)])
    answers = {"q1": ["ash"], "q2": ["birch"], "q3": ["cedar"]}
    result = score(form, items, answers, "thirds/1", rules=thirds)
    assert result.earned == 1
    assert result.domains[0].earned == 1


def test_stack_183_a_pass_mark_is_met_exactly() -> None:
    thirds = {**RULES, "thirds/1": lambda selected, key: Fraction(len(selected & key), 3)}
    form, items = small_form([item("q1", choose=3)])
    full = score(form, items, {"q1": ["ash", "birch", "cedar"]}, "thirds/1", rules=thirds)
    assert (full.earned, full.items[0].outcome) == (1, "right")
    # 57 of 100 meets 57 %, although 57 / 100 * 100 is 56.99999999999999 in floating point.
    assert 57 / 100 * 100 < 57
    hundred, rendered = small_form([item(f"q{n}") for n in range(100)])
    desk = started(items=tuple(e.item for e in hundred.entries), form=hundred.id)
    for n in range(57):
        desk.do(K.ANSWERED, tick(n), f"q{n}", "ash")
    desk.do(K.SUBMITTED, tick(60))
    assert report(hundred, rendered, desk.state, pass_mark_percent=57).passed
    assert not report(hundred, rendered, desk.state, pass_mark_percent=57.01).passed


def test_odoo_76326_an_item_is_worth_one_point_however_many_options_are_right() -> None:
    form, items = small_form([item("q1"), item("q2", choose=2), item("q3", choose=3)])
    result = score(form, items, {i.id: i.key for i in items}, ALL_OR_NOTHING)
    assert (result.earned, result.possible) == (3, 3)
    assert {s.possible for s in result.items} == {Fraction(1)}


def test_h5p_wordpress_163_an_extra_pick_earns_nothing_and_takes_nothing() -> None:
    form, items = small_form([item("q1", choose=2), item("q2")])
    right = {"q2": ["ash"]}
    exact = score(form, items, {**right, "q1": ["ash", "birch"]}, ALL_OR_NOTHING)
    extra = score(form, items, {**right, "q1": ["ash", "birch", "cedar"]}, ALL_OR_NOTHING)
    everything = score(form, items, {**right, "q1": [o.id for o in items[0].options]}, ALL_OR_NOTHING)
    assert (exact.earned, extra.earned, everything.earned) == (2, 1, 1)
    assert {s.outcome for s in extra.items} == {"right", "incomplete"}


def test_obojobo_2020_a_new_rule_leaves_old_sittings_as_they_were() -> None:
    form, items = small_form([item("q1", choose=2)])
    assert form.scoring_rule == "all-or-nothing/1"
    newer = {**RULES, "all-or-nothing/2": lambda selected, key: Fraction(1)}
    answers = {"q1": ["ash", "cedar"]}
    assert score(form, items, answers, form.scoring_rule, rules=newer).earned == 0
    assert score(form, items, answers, "all-or-nothing/2", rules=newer).earned == 1
    # A form whose rule this version does not know is refused, never scored by another one.
    desk = started(items=("q1",), form=form.id)
    desk.do(K.SUBMITTED, tick(1))
    with pytest.raises(ValueError, match="unknown scoring rule 'all-or-nothing/9'"):
        report(replace(form, scoring_rule="all-or-nothing/9"), items, desk.state, pass_mark_percent=70)


def test_a_reboot_marks_the_sitting_and_it_goes_on() -> None:
    desk = started()
    desk.do(K.ANSWERED, tick(100), "q1", "ash")
    desk.do(K.ANSWERED, tick(5, boot="boot-2", wall=400), "q2", "ash")
    assert desk.state.interrupted
    assert elapsed_ms(desk.state, tick(5, boot="boot-2", wall=400)) == 400_000
    desk.do(K.SUBMITTED, tick(10, boot="boot-2", wall=405))
    assert desk.state.answers == {"q1": ("ash",), "q2": ("ash",), "q3": ()}
