from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.item import Option
from burnin.domain.sitting import Conditions
from burnin.exam.record import Attempt, attempts, latest
from burnin.exam.selection import Selection, described, selected, unknown
from burnin.exam.sitting import EventKind

from .builders import blueprint, item, small_form, started, tick

K = EventKind
BANK = [
    item("q1", "a", objective="o0", focus=("a/f1",)),
    item("q2", "a", objective="o1", secondary=("b/o0",)),
    item("q3", "b", objective="o0"),
    item(
        "gen-7",
        "b",
        objective="o2",
        provenance={"generator": "gen"},
        options=(
            Option(id="x", text="x", reason="r", correct=True),
            Option(id="y", text="y", reason="r", misconception="trap-1"),
        ),
    ),
]


def attempt(known_as: str, **changes: object) -> Attempt:
    facts: dict[str, object] = {
        "sitting": "s",
        "exam": "NCP-GENL",
        "conditions": Conditions.TIMED,
        "wall_ms": 1,
        "item": known_as,
        "known_as": known_as,
        "domain": "a",
        "objective": "a/o0",
        "outcome": "right",
        "seconds": 10.0,
        "pace_seconds": 100,
        "flagged": False,
        "rating": None,
        "misconceptions": (),
    }
    return Attempt(**{**facts, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({}, {"q1", "q2", "q3", "gen-7"}),
        ({"domains": ("a",)}, {"q1", "q2"}),
        ({"domains": ("a", "b")}, {"q1", "q2", "q3", "gen-7"}),
        ({"objectives": ("b/o0",)}, {"q2", "q3"}),
        ({"domains": ("b",), "objectives": ("b/o0",)}, {"q3"}),
        ({"focus": ("a/f1",)}, {"q1"}),
        ({"misconceptions": ("trap-1",)}, {"gen-7"}),
    ],
)
def test_what_a_question_is_about(wish: dict[str, tuple[str, ...]], expected: set[str]) -> None:
    assert {i.id for i in selected(Selection(**wish), BANK, {})} == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        (("missed",), {"q1", "gen-7"}),
        (("flagged",), {"q1"}),
        (("slow",), {"q2"}),
        (("unsure",), {"q2"}),
        (("unseen",), {"q3"}),
        (("missed", "unseen"), {"q1", "gen-7", "q3"}),
    ],
)
def test_how_the_learner_fared(switches: tuple[str, ...], expected: set[str]) -> None:
    last = {
        "q1": attempt("q1", outcome="wrong", flagged=True),
        "q2": attempt("q2", seconds=151.0, rating="guess"),
        # Another seed of the generator was missed; its new numbers are meant.
        "gen": attempt("gen", outcome="unanswered", item="gen-3"),
    }
    wish = Selection(**dict.fromkeys(switches, True))  # type: ignore[arg-type]
    assert {i.id for i in selected(wish, BANK, last)} == expected


def test_only_the_last_attempt_counts() -> None:
    early, late = attempt("q1", outcome="wrong", wall_ms=1), attempt("q1", wall_ms=2)
    assert latest([late, early]) == latest([early, late]) == {"q1": late}


def test_names_of_another_exam_are_told() -> None:
    exam = blueprint({"a": 1})
    wish = Selection(domains=("a", "z"), objectives=("a/o9",), focus=("a/f",), misconceptions=("known", "m"))
    assert unknown(wish, exam, {"known": None}) == [
        "NCP-GENL has no domain 'z'",
        "NCP-GENL has no objective 'a/o9'",
        "NCP-GENL has no focus point 'a/f'",
        "NCP-GENL has no misconception 'm'",
    ]
    assert described(wish)["domains"] == ["a", "z"]
    assert "missed" not in described(wish)


class TestAttempts:
    def test_a_finished_sitting_tells_of_every_item_that_was_looked_at(self) -> None:
        form, items = small_form([item("q1"), item("q2", choose=2), item("q3")])
        desk = started(Conditions.TIMED, items=[e.item for e in form.entries], form=form.id)
        first, second, third = (e.item for e in form.entries)
        desk.do(K.MOVED, tick(10), second)
        desk.do(K.ANSWERED, tick(20), second, "elm")
        desk.do(K.RATED, tick(21), second, value="guess")
        desk.do(K.FLAGGED, tick(22), second, on=True)
        assert attempts(form, items, desk.state) == ()
        desk.do(K.SUBMITTED, tick(200))
        one, two = attempts(form, items, desk.state)
        assert (one.item, one.outcome, one.seconds) == (first, "unanswered", 10.0)
        assert two.item == second != third
        assert (two.flagged, two.rating, two.right, two.unsure) == (True, "guess", False, True)
        assert two.seconds == 190.0
        assert two.slow

    def test_an_open_tutor_sitting_tells_of_what_was_revealed(self) -> None:
        form, items = small_form([item("q1"), item("q2")])
        desk = started(Conditions.TUTOR, limit=None, items=[e.item for e in form.entries], form=form.id)
        desk.do(K.ANSWERED, tick(1), "q1", "ash")
        desk.do(K.ANSWERED, tick(2), "q2", "ash")
        desk.do(K.REVEALED, tick(3), "q2")
        (only,) = attempts(form, items, desk.state)
        assert (only.item, only.right) == ("q2", True)

    def test_wrong_options_name_their_misconceptions(self) -> None:
        from burnin.domain.form import RenderedMisconception

        form, items = small_form([item("q1")])
        named = RenderedMisconception(id="m1", name="M", remedy="R")
        (only,) = items
        marked = replace(only, options=tuple(replace(o, misconception=named) for o in only.options))
        desk = started(Conditions.TIMED, items=["q1"], form=form.id)
        desk.do(K.ANSWERED, tick(1), "q1", "birch")
        desk.do(K.SUBMITTED, tick(2))
        assert attempts(form, [marked], desk.state)[0].misconceptions == ("m1",)
