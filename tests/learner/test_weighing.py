"""What an answer counts for."""

from __future__ import annotations

import pytest

from burnin.domain.sitting import Conditions
from burnin.learner.weighing import WEIGHING, weighed
from tests.learner.answers import DAY, NOW, answer


def only(*entries, now=NOW):
    return [round(w.weight, 6) for w in weighed(entries, now)]


def test_exam_conditions_count_most_and_an_interrupted_exam_counts_as_timed() -> None:
    exam, timed, tutor = (only(answer(1, conditions=c))[0] for c in Conditions)
    assert exam > timed > tutor > 0
    assert only(answer(1, interrupted=True)) == [timed]
    assert only(answer(1, interrupted=True, conditions=Conditions.TUTOR)) == [tutor]


@pytest.mark.parametrize(("days", "share"), [(10 / 1440, 0.00016), (30, 0.5), (60, 0.75), (3000, 1.0)])
def test_an_item_seen_before_counts_less_the_sooner_it_comes_back(days: float, share: float) -> None:
    first = answer(1, sitting="first", at_ms=NOW - round(days * DAY))
    assert only(first, answer(1, sitting="second"))[1] == pytest.approx(share, abs=2e-6)


def test_an_answer_loses_half_of_its_weight_in_a_half_life() -> None:
    old = answer(1, at_ms=NOW - round(WEIGHING.half_life_days * DAY))
    assert only(old, answer(2)) == [0.5, 1.0]


def test_a_guess_counts_half_right_and_a_wrong_answer_is_wrong_however_it_felt() -> None:
    right = weighed([answer(n, rating=r) for n, r in enumerate((None, "sure", "unsure", "guess"))], NOW)
    assert [w.worth for w in right] == [1.0, 1.0, 0.85, 0.5]
    wrong = weighed([answer(n, rating=r, right=False) for n, r in enumerate(("sure", "guess"))], NOW)
    assert [w.worth for w in wrong] == [0.0, 0.0]


def test_order_and_duplicates_make_no_difference_and_the_future_does_not_count() -> None:
    entries = [answer(n, at_ms=NOW - n * DAY) for n in range(6)]
    later = answer(9, at_ms=NOW + 1)
    assert weighed([*reversed(entries), later, entries[2]], NOW) == weighed(entries, NOW)
