from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.curves import Items, information, log_probabilities, probability

ITEMS = Items.of([0.7, 1.5, 1.0], [-1.0, 0.5, 2.0], [0.0, 0.2, 0.25])
THETA = np.linspace(-40, 40, 161)


def test_at_the_difficulty_half_way_between_chance_and_certainty() -> None:
    assert np.diag(probability(ITEMS, ITEMS.b)) == pytest.approx((1 + ITEMS.c) / 2)


def test_logs_agree_and_stay_finite_in_the_tails() -> None:
    right, wrong = log_probabilities(ITEMS, THETA)
    assert np.isfinite(right).all()
    assert np.isfinite(wrong).all()
    assert np.exp(right) == pytest.approx(probability(ITEMS, THETA), abs=1e-14)
    assert np.exp(right) + np.exp(wrong) == pytest.approx(1.0)


def test_information_is_the_squared_slope_over_the_variance() -> None:
    theta, h = np.linspace(-4, 4, 33), 1e-5
    p = probability(ITEMS, theta)
    slope = (probability(ITEMS, theta + h) - probability(ITEMS, theta - h)) / (2 * h)
    assert information(ITEMS, theta) == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-6)


def test_the_peak_with_guessing_is_where_birnbaum_put_it() -> None:
    # theta_max = b + log((1 + sqrt(1 + 8 c)) / 2) / a: Lord (1980), equation 10-4.
    theta = np.linspace(-4, 6, 100_001)
    peak = theta[information(ITEMS, theta).argmax(axis=1)]
    expected = ITEMS.b + np.log((1 + np.sqrt(1 + 8 * ITEMS.c)) / 2) / ITEMS.a
    assert peak == pytest.approx(expected, abs=2e-4)


def test_no_difficulty_without_a_slope() -> None:
    assert np.isnan(Items(np.zeros(1), np.ones(1), np.zeros(1)).b[0])
