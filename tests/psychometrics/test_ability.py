from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.ability import eap, map_
from burnin.psychometrics.curves import Items, probability
from burnin.psychometrics.grid import Latent
from burnin.psychometrics.responses import Responses

ITEMS = Items.of([0.9, 1.6, 1.1, 2.0], [-1.0, 0.0, 0.7, 1.5], [0.0, 0.2, 0.0, 0.25])
ROWS = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [0, -1, 0, 1], [-1, -1, -1, -1], [1, 1, 0, 0]])


def posterior(row: np.ndarray, latent: Latent) -> tuple[np.ndarray, np.ndarray]:
    theta = np.linspace(-9, 9, 20_001)
    p = probability(ITEMS, theta)
    weight = np.exp(-0.5 * ((theta - latent.mean) / latent.sd) ** 2)
    for j, answer in enumerate(row):
        weight = weight * (p[j] if answer == 1 else 1 - p[j] if answer == 0 else 1.0)
    return theta, weight / weight.sum()


@pytest.mark.parametrize("latent", [Latent(), Latent(0.5, 0.7)])
def test_mean_spread_and_mode_of_the_posterior(latent: Latent) -> None:
    data = Responses.of(ROWS)
    mean, mode = eap(data, ITEMS, latent), map_(data, ITEMS, latent)
    for i, row in enumerate(ROWS):
        theta, weight = posterior(row, latent)
        centre = weight @ theta
        assert mean.theta[i] == pytest.approx(centre, abs=1e-6)
        assert mean.se[i] == pytest.approx(np.sqrt(weight @ (theta - centre) ** 2), abs=1e-6)
        assert mode.theta[i] == pytest.approx(theta[weight.argmax()], abs=1e-3)


def test_without_answers_the_prior_stays() -> None:
    found = eap(Responses.of(ROWS), ITEMS, Latent(0.5, 0.7))
    assert (found.theta[3], found.se[3]) == pytest.approx((0.5, 0.7), abs=1e-6)


def test_a_better_answer_never_lowers_the_estimate() -> None:
    every = np.array([[(n >> j) & 1 for j in range(4)] for n in range(16)])
    found = eap(Responses.of(every), ITEMS).theta
    for n in range(16):
        for j in range(4):
            if not every[n, j]:
                assert found[n | (1 << j)] > found[n]


def test_errors_are_honest() -> None:
    chance = np.random.default_rng(8)
    items = Items.of(np.exp(chance.normal(0, 0.3, 25)), chance.normal(size=25))
    theta = chance.normal(size=4000)
    rows = chance.random((4000, 25)) < probability(items, theta).T
    found = eap(Responses.of(rows.astype(int)), items)
    inside = np.abs(found.theta - theta) < 1.645 * found.se
    assert inside.mean() == pytest.approx(0.90, abs=0.015)
