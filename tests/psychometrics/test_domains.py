from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.ability import eap
from burnin.psychometrics.cold_start import ColdStart
from burnin.psychometrics.curves import Items, logistic, probability
from burnin.psychometrics.domains import blurred, domain_abilities
from burnin.psychometrics.grid import Latent
from burnin.psychometrics.responses import Responses

rng = np.random.default_rng(20261130)


def random_items(k: int) -> Items:
    return Items.of(rng.uniform(0.6, 1.6, k), rng.normal(0.0, 1.0, k), rng.uniform(0.0, 0.25, k))


def test_with_domains_that_do_not_differ_it_is_the_plain_posterior() -> None:
    items = random_items(12)
    right = rng.random(12) < 0.6
    plain = eap(Responses.of([[int(r) for r in right]]), items, Latent())
    same = domain_abilities(items, [n % 3 for n in range(12)], right.tolist(), 3, spread=0.02)
    assert same.theta == pytest.approx(np.repeat(plain.theta, 3), abs=5e-3)
    assert same.se == pytest.approx(np.repeat(plain.se, 3), abs=5e-3)


def test_agrees_with_importance_sampling() -> None:
    items, domain, spread = random_items(7), np.array([0, 0, 1, 1, 1, 2, 2]), 0.6
    right = np.array([1, 1, 0, 0, 1, 1, 0], dtype=bool)
    overall = rng.normal(size=400_000)
    theta = overall[:, None] + spread * rng.normal(size=(400_000, 4))
    curve = items.c + (1 - items.c) * logistic(items.a * theta[:, domain] + items.d)
    weight = np.where(right, curve, 1 - curve).prod(axis=1)
    mean = (weight @ theta) / weight.sum()
    sd = np.sqrt((weight @ (theta - mean) ** 2) / weight.sum())
    found = domain_abilities(items, domain, right.tolist(), 4, spread=spread)
    assert found.theta == pytest.approx(mean, abs=0.02)
    assert found.se == pytest.approx(sd, abs=0.02)


def test_a_domain_without_an_answer_is_less_certain_and_leans_on_the_others() -> None:
    items = Items.of([1.2] * 6, [0.0] * 6)
    found = domain_abilities(items, [0, 0, 0, 1, 1, 1], [True] * 6, 3)
    assert 0 < found.theta[2] < found.theta[0] == pytest.approx(found.theta[1])
    assert found.se[2] > found.se[0]


def test_nothing_asked_is_the_prior() -> None:
    found = domain_abilities(Items.of([], []), [], [], 2)
    assert found.theta == pytest.approx([0.0, 0.0], abs=1e-9)
    assert found.se == pytest.approx([(1 + 0.6**2) ** 0.5] * 2, rel=1e-2)


def test_intervals_hold_what_they_say() -> None:
    """500 simulated persons, 15 answers each over 5 domains: 80 % intervals hold the truth in 80 %."""
    bank = random_items(40)
    held = 0
    for _ in range(500):
        truth = rng.normal() + 0.6 * rng.normal(size=5)
        items, domain = random_items(15), np.arange(15) % 5
        curve = items.c + (1 - items.c) * logistic(items.a * truth[domain] + items.d)
        found = domain_abilities(items, domain, (rng.random(15) < curve).tolist(), 5)
        for n in range(5):
            _, low, high = found.percent(n, bank, level=0.8)
            held += low <= 100 * probability(bank, truth[n : n + 1]).mean() <= high
    # 2,500 intervals, five of one person correlated: three standard errors are about 3 points.
    assert held / 2500 == pytest.approx(0.8, abs=0.03)


def test_uncertain_difficulty_flattens_the_curve_as_an_average_over_it_does() -> None:
    prior = ColdStart().prior(difficulty=4, options=4)
    b = prior.b_mean + prior.b_sd * rng.normal(size=200_000)
    for theta in (-2.0, 0.0, 1.0, 3.0):
        average = prior.c + (1 - prior.c) * logistic(np.exp(prior.log_a_mean) * (theta - b)).mean()
        assert probability(blurred([prior]), np.array([theta]))[0, 0] == pytest.approx(average, abs=0.005)


def test_every_item_needs_its_domain() -> None:
    with pytest.raises(ValueError, match="domain"):
        domain_abilities(random_items(2), [0], [True, False], 1)
