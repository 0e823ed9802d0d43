"""The fit finds what made the data, holds bounds, and leaves alone what no row speaks about."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.systems.fitting import fit


def rows(values: np.ndarray) -> np.ndarray:
    work = np.array([1.0, 4.0, 9.0, 2.0, 7.0])
    bytes_moved = np.array([8.0, 1.0, 3.0, 5.0, 2.0])
    return work / values[0] + bytes_moved / values[1]


def test_known_coefficients_are_found_again() -> None:
    truth = np.array([0.7, 0.5, 0.3])
    found = fit(
        lambda v: np.log(rows(v) / rows(truth)),
        start=np.array([0.5, 0.8, 0.4]),
        low=np.full(3, 0.1),
        high=np.full(3, 0.95),
        prior=np.array([0.5, 0.8, 0.4]),
        pull=1e-6,
    )
    assert found.values[:2] == pytest.approx(truth[:2], rel=1e-3)
    assert found.values[2] == pytest.approx(0.4)  # no row depends on it
    assert found.at_bound == ()


def test_one_wild_row_does_not_carry_the_fit_away() -> None:
    truth = np.array([0.7, 0.5])
    published = rows(truth)
    published[2] *= 3
    found = fit(
        lambda v: np.log(rows(v) / published),
        start=np.array([0.5, 0.8]),
        low=np.full(2, 0.1),
        high=np.full(2, 0.95),
        prior=np.array([0.6, 0.6]),
        pull=1e-3,
    )
    assert found.values == pytest.approx(truth, rel=0.1)


def test_bounds_hold_and_are_told() -> None:
    found = fit(
        lambda v: np.log(rows(v) / (rows(np.array([0.9, 0.9])) / 3)),
        start=np.array([0.5, 0.5]),
        low=np.full(2, 0.1),
        high=np.full(2, 0.95),
        prior=np.array([0.5, 0.5]),
        pull=1e-6,
    )
    assert found.values.max() <= 0.95
    assert found.at_bound
