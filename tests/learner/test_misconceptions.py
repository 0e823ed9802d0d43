"""Mistakes that come back, and mistakes that were mended."""

from __future__ import annotations

from burnin.learner.misconceptions import recurrences
from tests.learner.answers import DAY, NOW, answer

CARRIERS = {"mistake": frozenset({"item-1", "item-2", "item-3", "item-4"})}


def wrong(number, days_ago, name="mistake"):
    return answer(number, right=False, misconceptions=(name,), at_ms=NOW - round(days_ago * DAY))


def passed(number, days_ago):
    return answer(number, at_ms=NOW - round(days_ago * DAY))


def only(*evidence, **kwargs):
    (found,) = recurrences(evidence, CARRIERS, **kwargs)
    return found


def test_once_then_recurring_then_mended() -> None:
    assert only(wrong(1, 9)).state == "once"
    again = only(wrong(1, 9), wrong(2, 7))
    assert (again.state, again.made, again.days) == ("recurring", 2, 2)
    assert only(wrong(1, 9), wrong(2, 7), passed(3, 5)).state == "recurring"
    assert only(wrong(1, 9), wrong(2, 7), passed(3, 5), passed(4, 4)).state == "mended"
    assert only(wrong(1, 9), passed(3, 5), passed(4, 4), wrong(2, 1)).state == "recurring"


def test_passing_it_by_minutes_later_mends_nothing() -> None:
    assert only(wrong(1, 1), passed(2, 0.999), passed(3, 0.998)).state == "once"


def test_answers_that_do_not_offer_the_mistake_do_not_count_as_passed() -> None:
    assert only(wrong(1, 9), passed(8, 5), passed(9, 4)).passed == 0


def test_whether_a_remedy_worked_is_counted_from_when_it_was_read() -> None:
    found = only(wrong(1, 9), wrong(2, 3), passed(3, 1), remedies={"mistake": NOW - 5 * DAY})
    assert (found.made, found.since, found.passed) == (2, 1, 1)
    assert only(wrong(1, 9)).remedy_ms is None


def test_those_that_recur_come_first() -> None:
    evidence = [
        wrong(1, 9),
        wrong(2, 8),
        wrong(5, 1, "slip"),
        wrong(6, 9, "mended"),
        passed(7, 5),
        passed(8, 4),
    ]
    carriers = {**CARRIERS, "mended": frozenset({"item-7", "item-8"})}
    assert [r.misconception for r in recurrences(evidence, carriers)] == ["mistake", "slip", "mended"]
