"""What a finished sitting teaches, told by hand for one small form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.form import RenderedItem, RenderedMisconception
from burnin.domain.sitting import Conditions, EventKind
from burnin.exam.insight import Insight, insight
from burnin.exam.selection import Selection

from .builders import Desk, blueprint, item, shelf, started, tick, whole_form

K = EventKind
EXAM = blueprint({"a": 3, "b": 1})
NAMED = RenderedMisconception(id="m1", name="M", remedy="R")


def with_misconception(shown: RenderedItem) -> RenderedItem:
    """The second option carries one."""
    return replace(
        shown,
        options=tuple(replace(o, misconception=NAMED if o.id == "birch" else None) for o in shown.options),
    )


class Told:
    """A form of six items, ``q0`` to ``q3`` in domain a, ``q4`` and ``q5`` in b; 100 s estimated each.

    The key is ash, in ``q3`` (choose two) ash and birch.
    """

    def __init__(self, conditions: Conditions = Conditions.TIMED, *, limit: float = 600) -> None:
        bank = [item(f"q{n}", "a" if n < 4 else "b", choose=2 if n == 3 else 1) for n in range(6)]
        self.form, plain = whole_form(EXAM, bank, shelf())
        self.items = tuple(with_misconception(i) if i.id != "q3" else i for i in plain)
        self.desk: Desk = started(
            conditions, limit=limit, items=[e.item for e in self.form.entries], form=self.form.id
        )
        self.now = 0.0

    def on(self, name: str, seconds: float, *selections: tuple[str, ...], rating: str | None = None) -> None:
        """Turn to a question, choose and choose again, tap, and stay for some seconds in all."""
        self.desk.do(K.MOVED, tick(self.now), name)
        for options in selections:
            self.desk.do(K.ANSWERED, tick(self.now), name, *options)
        if rating is not None:
            self.desk.do(K.RATED, tick(self.now), name, value=rating)
        self.now += seconds

    def end(self, *, expired: bool = False, seen: tuple[str, ...] = ()) -> Insight:
        if expired:
            self.desk.do(K.EXPIRED, tick(100_000))
        else:
            self.desk.do(K.SUBMITTED, tick(self.now))
        return insight(self.form, self.items, self.desk.state, pass_mark_percent=70, seen_before=seen)


def error(told: Insight, name: str) -> str | None:
    return next(row.error for row in told.items if row.line.item == name)


class TestErrorClass:
    def test_a_right_answer_is_none(self) -> None:
        told = Told()
        told.on("q0", 10, ("ash",), rating="guess")
        assert error(told.end(), "q0") is None

    def test_time_ran_out_before_anything_complete_was_chosen(self) -> None:
        told = Told()
        told.on("q3", 100, ("ash",))
        made = told.end(expired=True)
        assert error(made, "q3") == error(made, "q5") == "time"

    def test_chosen_in_a_rush_at_the_end_of_the_time(self) -> None:
        told = Told(limit=600)
        told.on("q0", 540, ("cedar",))
        told.on("q1", 24, ("cedar",))
        made = told.end()
        assert error(made, "q1") == "time"
        assert error(made, "q0") == "gap"

    def test_the_same_haste_with_time_left_is_a_misreading(self) -> None:
        told = Told(limit=600)
        told.on("q0", 32, ("cedar",), rating="sure")
        told.on("q1", 32, ("cedar",))
        told.on("q2", 34, ("cedar",))
        made = told.end()
        assert [error(made, name) for name in ("q0", "q1", "q2")] == ["misread", "misread", "gap"]

    def test_who_was_unsure_did_not_misread(self) -> None:
        told = Told()
        told.on("q0", 20, ("cedar",), rating="unsure")
        assert error(told.end(), "q0") == "gap"

    def test_too_few_options_with_time_left(self) -> None:
        told = Told()
        told.on("q3", 90, ("ash",))
        assert error(told.end(), "q3") == "misread"

    def test_a_named_misconception_is_confusion(self) -> None:
        told = Told()
        told.on("q0", 90, ("birch",), rating="sure")
        made = told.end()
        assert error(made, "q0") == "confusion"
        assert [(m.id, m.items) for m in made.misconceptions] == [("m1", ("q0",))]

    def test_a_right_answer_given_up_is_confusion(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",), ("cedar",))
        assert error(told.end(), "q0") == "confusion"

    def test_a_guess_is_a_gap_whatever_was_hit(self) -> None:
        told = Told()
        told.on("q0", 90, ("birch",), rating="guess")
        told.on("q3", 5, ("ash",), rating="guess")
        made = told.end()
        assert error(made, "q0") == error(made, "q3") == "gap"

    def test_left_open_with_time_to_spare_is_a_gap(self) -> None:
        assert error(Told().end(), "q5") == "gap"

    def test_every_lost_point_has_exactly_one_class(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",))
        told.on("q1", 10, ("birch",))
        made = told.end()
        classed = [name for names in made.errors.values() for name in names]
        assert sorted(classed) == ["q1", "q2", "q3", "q4", "q5"]
        assert made.error_rule == "error-class/1"


class TestInsight:
    def test_changes_are_told_by_what_came_of_them(self) -> None:
        told = Told()
        told.on("q0", 90, ("cedar",), ("ash",))
        told.on("q1", 90, ("ash",), ("cedar",))
        told.on("q2", 90, ("birch",), ("cedar",))
        told.on("q4", 90, ("birch",), ("ash",))
        told.on("q5", 90, ("ash",))
        changes = told.end().changes
        assert set(changes.helped) == {"q0", "q4"}
        assert (changes.hurt, changes.neither, changes.net) == (("q1",), ("q2",), 1)

    def test_confidence_against_result(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",), rating="sure")
        told.on("q1", 90, ("ash",), rating="sure")
        told.on("q2", 90, ("cedar",), rating="sure")
        told.on("q4", 90, ("ash",), rating="guess")
        made = told.end()
        levels = {g.id: (g.earned, g.items) for g in made.confidence}
        assert levels == {"sure": (2, 3), "guess": (1, 1)}
        assert made.unrated == 2

    def test_pace_beside_what_is_allowed_and_estimated(self) -> None:
        told = Told(limit=900)
        told.on("q0", 200, ("ash",))
        told.on("q1", 151, ("ash",))
        told.on("q2", 150, ("ash",))
        pace = told.end().pace
        assert pace.allowed == 150
        assert pace.estimated == 100
        assert pace.slow == ("q0", "q1")

    def test_groups_add_up_to_the_form(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",))
        made = told.end()
        for groups in (made.objectives, made.official):
            assert sum(g.items for g in groups) == 6
            assert sum(g.earned for g in groups) == 1

    def test_what_was_seen_before_is_told_apart(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",))
        told.on("q1", 90, ("ash",))
        made = told.end(seen=("q0", "elsewhere"))
        assert made.seen_before == 1
        assert made.fresh is not None
        assert (made.fresh.earned, made.fresh.items) == (1, 5)

    def test_nothing_new_has_no_fresh_result(self) -> None:
        assert Told().end(seen=tuple(f"q{n}" for n in range(6))).fresh is None


class TestNextActions:
    def test_the_domain_with_most_of_the_exam_open_comes_first(self) -> None:
        told = Told()
        for name in ("q0", "q1"):
            told.on(name, 90, ("ash",))
        told.on("q2", 90, ("birch",), rating="sure")
        told.on("q4", 90, ("cedar",), rating="unsure")
        told.on("q5", 90, ("ash",), rating="unsure")
        first, second, third = told.end().actions
        # Domain a: 3/4 of the exam, half of it lost. The misconception and the left-over item: 1 of 6 each.
        assert (first.kind, first.subject, first.points) == ("domain", "a", 37.5)
        assert first.selection == Selection(domains=("a",))
        assert (second.kind, second.points) == ("misconception", pytest.approx(100 / 6))
        assert (third.kind, third.items) == ("shaky", ("q5",))

    def test_lost_to_time_is_practised_against_the_clock(self) -> None:
        told = Told()
        told.on("q0", 90, ("ash",))
        actions = told.end(expired=True).actions
        (pace,) = [a for a in actions if a.kind == "pace"]
        assert pace.timed
        assert len(pace.items) == 5

    def test_a_perfect_sitting_leads_to_new_questions(self) -> None:
        told = Told()
        for name in ("q0", "q1", "q2", "q4", "q5"):
            told.on(name, 50, ("ash",))
        told.on("q3", 50, ("ash", "birch"))
        (only,) = told.end().actions
        assert (only.kind, only.selection) == ("new", Selection(unseen=True))
