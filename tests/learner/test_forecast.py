"""The forecast against closed forms and simulation, and in its limits."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.learner.ability import Belief, Spread, belief
from burnin.learner.forecast import Change, Sitting, forecast, moved
from burnin.learner.weighing import weighed
from burnin.psychometrics.cold_start import ItemPrior
from burnin.psychometrics.domains import NODES
from tests.learner.answers import NOW, answer

DOMAINS = ("alpha", "beta")
STILL = Change(loss=0.0, drift=0.0, gain=0.0)


def item(b: float, c: float = 0.0) -> ItemPrior:
    return ItemPrior(b_mean=b, b_sd=0.0, log_a_mean=0.0, log_a_sd=0.0, c=c)


def sure(*theta: float) -> Belief:
    """A belief that each domain stands at a known node."""
    likelihood = np.full((len(theta), len(NODES)), 1e-300)
    for row, value in enumerate(theta):
        likelihood[row, np.abs(NODES - value).argmin()] = 1.0
    found = belief((), DOMAINS)
    return Belief(
        domains=found.domains,
        overall=found.overall,
        likelihood=likelihood,
        kernel=found.kernel,
        weight=found.weight,
    )


def sitting(mark: float, n: int = 30, strange: float = 0.0, **changes: float) -> Sitting:
    return Sitting(
        quota={"alpha": n, "beta": n},
        items={"alpha": [item(changes.get("b", 0.0))], "beta": [item(0.0)]},
        mark=mark,
        strange=strange,
    )


def test_a_known_ability_gives_the_binomial_chance() -> None:
    found = forecast(sure(0.0, 0.0), sitting(0.55), np.random.default_rng(1), change=STILL, draws=60_000)
    # P(X >= 33), X ~ Binomial(60, 1/2), by adding up the coefficients.
    from math import comb

    exact = sum(comb(60, k) for k in range(33, 61)) / 2**60
    assert found.p_pass == pytest.approx(exact, abs=0.01)
    assert found.score_mean == pytest.approx(50.0, abs=0.2)
    assert found.score[0] == pytest.approx(100 * 24 / 60, abs=2)
    # All that is left to know is the grid's step, so the chance itself is nearly certain.
    assert found.interval[1] - found.interval[0] < 0.15


def test_the_interval_holds_the_chance_of_who_it_is_drawn_from() -> None:
    unsure = forecast(belief((), DOMAINS), sitting(0.5), np.random.default_rng(2), change=STILL)
    some = weighed([answer(k, domain=DOMAINS[k % 2], right=k % 3 > 0) for k in range(60)], NOW)
    told = forecast(belief(some, DOMAINS), sitting(0.5), np.random.default_rng(2), change=STILL)
    assert unsure.interval[0] < 0.01
    assert unsure.interval[1] > 0.99
    assert told.score[1] - told.score[0] < unsure.score[1] - unsure.score[0]
    assert told.interval[0] <= told.p_pass <= told.interval[1]


def test_a_higher_mark_is_never_easier_and_study_never_harms() -> None:
    known = belief(weighed([answer(k, domain=DOMAINS[k % 2]) for k in range(6)], NOW), DOMAINS)
    chances = [forecast(known, sitting(mark / 20), np.random.default_rng(3)).p_pass for mark in range(1, 21)]
    assert chances == sorted(chances, reverse=True)
    by_hours = [
        forecast(
            known,
            sitting(0.7),
            np.random.default_rng(3),
            weeks=4,
            hours={"alpha": h, "beta": h},
            draws=20_000,
        ).score_mean
        for h in (0, 4, 16, 64)
    ]
    assert by_hours == sorted(by_hours)


def test_what_is_not_studied_is_forgotten_and_drifts() -> None:
    theta = np.zeros((50_000, 2))
    later = moved(
        theta,
        DOMAINS,
        np.random.default_rng(4),
        weeks=9.0,
        hours={"beta": 9.0},
        change=Change(loss=0.05, drift=0.1, gain=0.0),
    )
    assert later.mean(axis=0) == pytest.approx([-0.45, 0.0], abs=0.01)
    assert later.std(axis=0) == pytest.approx([0.3, 0.3], abs=0.01)


def test_passing_with_no_domain_lagging_is_a_joint_event() -> None:
    strong_but_blind = forecast(
        sure(3.0, -2.0), sitting(0.5), np.random.default_rng(5), change=STILL, draws=4000
    )
    assert strong_but_blind.p_pass > 0.5
    assert strong_but_blind.p_even == 0.0
    even = forecast(sure(2.0, 2.0), sitting(0.5), np.random.default_rng(5), change=STILL)
    assert even.p_even == even.p_pass > 0.99


def test_a_blind_domain_is_told_and_an_even_learner_is_not() -> None:
    names = tuple("abcdefghij")
    blind = [answer(k, domain=names[k % 10], right=k % 10 > 0) for k in range(80)]
    even = [answer(k, domain=names[k % 10], right=k % 7 > 0) for k in range(80)]
    items = {name: [item(0.0)] for name in names}
    terms = Sitting(quota=dict.fromkeys(names, 6), items=items, mark=0.7)
    told = forecast(belief(weighed(blind, NOW), names), terms, np.random.default_rng(6))
    assert [d.id for d in told.domains if d.lagging] == ["a"]
    quiet = forecast(belief(weighed(even, NOW), names), terms, np.random.default_rng(6))
    assert not any(d.lagging for d in quiet.domains)


def test_the_same_seed_gives_the_same_forecast_and_bad_terms_are_refused() -> None:
    known = belief((), DOMAINS, spread=Spread(mean=1.0))
    again = [forecast(known, sitting(0.7), np.random.default_rng(7)) for _ in range(2)]
    assert again[0] == again[1]
    with pytest.raises(ValueError, match="looks ahead"):
        forecast(known, sitting(0.7), np.random.default_rng(7), weeks=-1)
    empty = Sitting(quota={"alpha": 1, "beta": 1}, items={"alpha": [item(0.0)]}, mark=0.5)
    with pytest.raises(ValueError, match="no items in beta"):
        forecast(known, empty, np.random.default_rng(7))
