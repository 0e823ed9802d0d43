"""Colours rise and fall with the evidence."""

from __future__ import annotations

from burnin.learner.lights import by_domain, by_focus, by_objective, lights
from burnin.learner.weighing import weighed
from tests.learner.answers import DAY, NOW, answer

KEYS = ("alpha", "beta")


def light(*entries, now=NOW, key="alpha"):
    return lights(weighed(entries, now), KEYS, by_domain)[key]


def steady(n=4, **changes):
    return [answer(k, at_ms=NOW - (n - k) * DAY, **changes) for k in range(n)]


def test_nothing_answered_is_not_red() -> None:
    assert light(key="beta").colour == "none"
    assert light(key="beta").share is None


def test_green_takes_mixed_sets_on_separate_days() -> None:
    assert light(*steady()).colour == "green"
    same_day = [answer(k, at_ms=NOW - k * 60_000) for k in range(4)]
    assert (light(*same_day).colour, light(*same_day).days) == ("yellow", 1)
    drills = steady(mixed=False)
    assert light(*drills).colour == "yellow"
    assert "3 more answers in a mixed set" in light(*drills).why
    assert light(*drills, *(answer(10 + k, at_ms=NOW - k * DAY) for k in range(3))).colour == "green"


def test_a_light_falls_with_wrong_answers_and_with_time() -> None:
    good = steady(9)
    assert light(*good).colour == "green"
    wrong = answer(20, right=False)
    assert light(*good, wrong).colour == "yellow"
    assert light(*good, wrong, *(answer(30 + k, right=False) for k in range(7))).colour == "red"
    assert light(*good, now=NOW + 400 * DAY).colour == "yellow"
    assert "grown old" in light(*good, now=NOW + 400 * DAY).why


def test_the_same_item_again_and_again_makes_nothing_green() -> None:
    crammed = [answer(1, sitting=f"s{k}", at_ms=NOW - k * DAY // 2) for k in range(6)]
    assert light(*crammed).colour == "yellow"


def test_the_share_is_weighted_and_the_counts_are_not() -> None:
    old = [answer(100 + k, at_ms=NOW - 120 * DAY, right=False) for k in range(4)]
    found = light(*old, *steady(8))
    assert (found.answers, found.right) == (12, 8)
    assert found.share is not None
    assert found.share > 8 / 12


def test_objectives_and_focus_points_have_lights_of_their_own() -> None:
    entries = steady(objective="alpha/two", focus=("alpha/sharp", "alpha/blunt"))
    found = lights(weighed(entries, NOW), ("alpha/one", "alpha/two"), by_objective)
    assert [found[key].colour for key in found] == ["none", "green"]
    points = lights(weighed(entries, NOW), ("alpha/sharp", "alpha/third"), by_focus)
    assert [points[key].answers for key in points] == [4, 0]
