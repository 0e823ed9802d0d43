from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions, EventKind
from burnin.exam.report import Report, report, wilson
from burnin.exam.sitting import Command, Phase

from .builders import Desk, blueprint, item, shelf, started, tick, whole_form

K = EventKind


class TestWilson:
    @pytest.mark.parametrize(
        ("earned", "possible", "low", "high"),
        [
            # Newcombe 1998, table I, method 3, to the four places given there.
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ],
    )
    def test_published_values(self, earned: int, possible: int, low: float, high: float) -> None:
        interval = wilson(Fraction(earned), Fraction(possible))
        assert interval.low_percent / 100 == pytest.approx(low, abs=0.00005)
        assert interval.high_percent / 100 == pytest.approx(high, abs=0.00005)
        assert (interval.level_percent, interval.method) == (95, "Wilson")

    @given(st.integers(1, 200), st.data())
    def test_bounds_hold_the_share_and_mirror(self, possible: int, data: st.DataObject) -> None:
        earned = data.draw(st.integers(0, possible))
        one = wilson(Fraction(earned), Fraction(possible))
        other = wilson(Fraction(possible - earned), Fraction(possible))
        assert 0 <= one.low_percent <= 100 * earned / possible + 1e-9
        assert 100 * earned / possible - 1e-9 <= one.high_percent <= 100
        assert one.low_percent == pytest.approx(100 - other.high_percent)
        # The bounds solve the score equation (p - share)^2 = z^2 p (1 - p) / n.
        for bound in (one.low_percent / 100, one.high_percent / 100):
            left = (bound - earned / possible) ** 2
            assert left == pytest.approx(1.959963984540054**2 * bound * (1 - bound) / possible, abs=1e-12)

    @pytest.mark.parametrize(("earned", "possible"), [(1, 0), (-1, 5), (6, 5)])
    def test_no_share_no_interval(self, earned: int, possible: int) -> None:
        with pytest.raises(ValueError, match="no share"):
            wilson(Fraction(earned), Fraction(possible))


BANK = [item("a1", "a"), item("a2", "a", choose=2), item("a3", "a"), item("b1", "b")]


def form_and_items() -> tuple[Form, tuple[RenderedItem, ...]]:
    return whole_form(blueprint({"a": 3, "b": 1, "c": 0}), BANK, shelf(), seed=2)


def desk(conditions: Conditions = Conditions.EXAM, **terms: object) -> Desk:
    form, _ = form_and_items()
    return started(conditions, items=tuple(e.item for e in form.entries), form=form.id, **terms)


def result_of(finished: Desk, mark: float = 70) -> Report:
    form, items = form_and_items()
    return report(form, items, finished.state, pass_mark_percent=mark)


def a_sitting() -> Desk:
    sat = desk()
    sat.do(K.MOVED, tick(0), "a3")
    sat.do(K.MOVED, tick(1), "a1")
    sat.do(K.ANSWERED, tick(11), "a1", "birch")
    sat.do(K.ANSWERED, tick(21), "a1", "ash")
    sat.do(K.MOVED, tick(31), "a2")
    sat.do(K.ANSWERED, tick(41), "a2", "ash")
    sat.do(K.ANSWERED, tick(42), "a2", "ash", "birch")
    sat.do(K.ANSWERED, tick(43), "a2", "ash")
    sat.do(K.MOVED, tick(51), "b1")
    sat.do(K.FLAGGED, tick(52), "b1", on=True)
    sat.do(K.ANSWERED, tick(53), "b1", "ash")
    sat.do(K.SUBMITTED, tick(60.5))
    return sat


class TestReport:
    def test_a_sitting_computed_by_hand(self) -> None:
        result = result_of(a_sitting())
        assert (result.earned, result.possible, result.percent) == (2, 4, 50.0)
        assert (result.rule, result.ended) == ("all-or-nothing/1", Phase.SUBMITTED)
        assert [(d.id, d.weight, d.items, d.earned) for d in result.domains] == [
            ("a", 3, 3, 1),
            ("b", 1, 1, 1),
            ("c", 0, 0, 0),
        ]
        assert result.domains[0].percent == pytest.approx(33.3333, abs=1e-3)
        assert (result.domains[2].percent, result.domains[2].interval) == (None, None)
        assert (result.unanswered, result.incomplete) == (("a3",), ("a2",))
        assert (result.elapsed_ms, result.limit_ms, result.pauses) == (60_500, 3_600_000, 0)
        # z = 1.96, n = 4, p = .5: centre .5, half width .35 (see Wilson): 15.0 to 85.0.
        assert result.interval.low_percent == pytest.approx(15.0, abs=0.01)
        assert result.interval.high_percent == pytest.approx(85.0, abs=0.01)

    def test_seconds_first_and_final_answers_by_item(self) -> None:
        lines = {line.item: line for line in result_of(a_sitting()).items}
        assert [lines[i].seconds for i in ("a1", "a2", "b1")] == [30.0, 20.0, 9.5]
        assert (lines["a1"].first, lines["a1"].final) == (frozenset({"birch"}), frozenset({"ash"}))
        assert (lines["a1"].first_earned, lines["a1"].earned, lines["a1"].changed) == (0, 1, True)
        # The first complete selection of a choose-2 item counts as its first answer.
        assert lines["a2"].first == {"ash", "birch"}
        assert (lines["a2"].first_earned, lines["a2"].earned, lines["a2"].changed) == (1, 0, True)
        assert (lines["b1"].changed, lines["b1"].flagged) == (False, True)
        assert (lines["a3"].first, lines["a3"].changed, lines["a3"].outcome) == (
            frozenset(),
            False,
            "unanswered",
        )

    def test_what_the_first_answers_would_have_earned(self) -> None:
        assert result_of(a_sitting()).first_earned == 2  # a2 and b1

    def test_a_cleared_answer_is_a_change(self) -> None:
        sat = desk()
        sat.do(K.ANSWERED, tick(1), "a1", "ash")
        sat.do(K.ANSWERED, tick(2), "a1")
        sat.do(K.SUBMITTED, tick(3))
        line = next(i for i in result_of(sat).items if i.item == "a1")
        assert (line.first, line.final, line.changed) == (frozenset({"ash"}), frozenset(), True)
        assert (line.first_earned, line.earned) == (1, 0)

    def test_numbers_follow_the_form(self) -> None:
        form, _ = form_and_items()
        assert [(i.number, i.item) for i in result_of(a_sitting()).items] == [
            (n, e.item) for n, e in enumerate(form.entries, 1)
        ]

    def test_the_pass_mark_is_met_exactly_or_not(self) -> None:
        sat = a_sitting()
        assert result_of(sat, 50).passed
        assert not result_of(sat, 50.1).passed
        assert result_of(sat, 0.1).pass_mark_percent == Fraction(1, 10)
        for nonsense in (-1, 100.5):
            with pytest.raises(ValueError, match="pass mark"):
                result_of(sat, nonsense)

    def test_only_an_uninterrupted_exam_is_exam_evidence(self) -> None:
        assert result_of(a_sitting()).exam_evidence
        for conditions, limit in ((Conditions.TIMED, 3600), (Conditions.TUTOR, None)):
            sat = desk(conditions, limit=limit)
            sat.do(K.SUBMITTED, tick(1))
            assert not result_of(sat).exam_evidence
        sat = desk()
        sat.do(K.SUBMITTED, tick(1, boot="boot-2", wall=61))
        result = result_of(sat)
        assert (result.interrupted, result.exam_evidence) == (True, False)
        assert (result.away_ms, result.elapsed_ms) == (61_000, 61_000)

    def test_an_expired_sitting_has_used_all_its_time(self) -> None:
        sat = desk()
        sat.send(Command("late", K.HEARTBEAT), tick(5000))
        result = result_of(sat)
        assert (result.ended, result.elapsed_ms) == (Phase.EXPIRED, 3_600_000)

    def test_an_open_sitting_has_no_report(self) -> None:
        with pytest.raises(ValueError, match="not over"):
            result_of(desk())

    def test_a_sitting_of_another_form_has_no_report(self) -> None:
        form, items = form_and_items()
        with pytest.raises(ValueError, match="not other"):
            report(replace(form, id="other"), items, a_sitting().state, pass_mark_percent=70)
