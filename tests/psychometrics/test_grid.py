from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.curves import Items
from burnin.psychometrics.expectation import expect
from burnin.psychometrics.grid import Grid, Latent, fitting
from burnin.psychometrics.responses import Responses
from tests.psychometrics.simulated import normal_table


def test_at_least_61_equal_steps_from_minus_6_to_6() -> None:
    grid = fitting(Items.of(np.ones(5), np.zeros(5)))
    assert len(grid) >= 62
    assert (grid.nodes[0], grid.nodes[-1]) == (-6.0, 6.0)
    assert np.diff(grid.nodes) == pytest.approx(grid.step)


@pytest.mark.parametrize("items", [20, 200, 600])
def test_fine_enough_for_long_tests(items: int) -> None:
    """The likelihood on the chosen grid is that on one ten times finer."""
    a, b, _, rows = normal_table(1, 60, items)
    parameters = Items.of(a, b)
    data, grid = Responses.of(rows), fitting(parameters)
    fine = Grid(np.linspace(-6, 6, 10 * len(grid)))
    rough = expect(data, parameters, grid, Latent())
    exact = expect(data, parameters, fine, Latent())
    assert rough.loglik == pytest.approx(exact.loglik, abs=1e-3)
    assert rough.right_theta == pytest.approx(exact.right_theta, abs=1e-3)


def test_fine_enough_for_steep_curves() -> None:
    parameters = Items.of([9.0, 12.0, 1.0], [0.3, -0.1, 0.0])
    data = Responses.of([[1, 0, 1], [0, 1, 0], [1, 1, 1]])
    grid = fitting(parameters)
    fine = Grid(np.linspace(-6, 6, 5001))
    assert expect(data, parameters, grid, Latent()).loglik == pytest.approx(
        expect(data, parameters, fine, Latent()).loglik, abs=1e-6
    )


def test_follows_a_shifted_or_narrow_latent_variable() -> None:
    grid = fitting(Items.of([1.0], [0.0]), Latent(4.0, 1.5))
    assert grid.nodes[-1] == 13.0
    weights = np.exp(grid.log_weights(Latent(4.0, 1.5)))
    assert weights.sum() == pytest.approx(1.0)
    assert weights @ grid.nodes == pytest.approx(4.0, abs=1e-6)
    assert fitting(Items.of([1.0], [0.0]), Latent(0.0, 0.2)).step <= 0.2 * 12 / 61 + 1e-12
