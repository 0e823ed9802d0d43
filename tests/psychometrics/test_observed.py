"""Second derivatives against numeric ones of a likelihood that shares no code."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.curves import Items
from burnin.psychometrics.expectation import expect, gradient
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.observed import observed_information
from burnin.psychometrics.responses import Responses
from tests.psychometrics import oracle
from tests.psychometrics.simulated import normal_table

GRID = Grid(np.linspace(-8, 8, 241))
A, D = np.array([0.8, 1.4, 1.1]), np.array([0.5, -0.3, 0.9])


def value(data: Responses, point: np.ndarray, *, guessing: bool) -> float:
    """The point: a, d, (logit c,) mean, log sd."""
    a, d = point[:3], point[3:6]
    c = 1.0 / (1.0 + np.exp(-point[6:9])) if guessing else np.zeros(3)
    return oracle.loglik(data.patterns, data.counts, a, d, c, mean=point[-2], sd=float(np.exp(point[-1])))


@pytest.mark.parametrize("guessing", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_gradient_and_information(guessing: bool, missing: bool) -> None:
    rows = normal_table(1, 80, 3)[3]
    if missing:
        rows[np.random.default_rng(2).random(rows.shape) < 0.25] = -1
    data = Responses.of(rows)
    c = np.array([0.2, 0.1, 0.3]) if guessing else np.zeros(3)
    items, latent = Items(A.copy(), D.copy(), c), Latent(0.3, 0.9)
    point = np.concatenate([A, D, np.log(c / (1 - c)) if guessing else [], [0.3, np.log(0.9)]])

    expected = expect(data, items, GRID, latent)
    assert expected.loglik == pytest.approx(value(data, point, guessing=guessing), abs=1e-8)
    first = gradient(expected, items, GRID)
    for i in range(9 if guessing else 6):
        step = np.eye(len(point))[i] * 1e-5
        slope = (
            value(data, point + step, guessing=guessing) - value(data, point - step, guessing=guessing)
        ) / 2e-5
        assert first.T.ravel()[i] == pytest.approx(slope, abs=1e-4)

    found = observed_information(data, expected, items, GRID, latent)
    numeric = -oracle.hessian(lambda p: value(data, p, guessing=guessing), point)
    assert found == pytest.approx(numeric, abs=2e-3)


def test_the_short_way_for_complete_tables_equals_the_general_one() -> None:
    rows = normal_table(2, 300, 3)[3]
    items, latent = Items(A.copy(), D.copy(), np.zeros(3)), Latent()
    complete = Responses.of(rows)
    # One person without answers adds nothing but sends the sum the general way.
    general = Responses.of(np.vstack([rows, [[-1, -1, -1]]]))
    short, long = (
        observed_information(data, expect(data, items, GRID, latent), items, GRID, latent)
        for data in (complete, general)
    )
    assert short[:6, :6] == pytest.approx(long[:6, :6], abs=1e-8)
    assert short == pytest.approx(long, abs=1e-6)


def test_shards_of_people_add() -> None:
    rows = normal_table(3, 200, 3)[3]
    rows[150:][np.random.default_rng(2).random((50, 3)) < 0.3] = -1
    items, latent = Items(A.copy(), D.copy(), np.zeros(3)), Latent()
    whole = expect(Responses.of(rows), items, GRID, latent)
    parts = [
        expect(Responses.of(part), items, GRID, latent) for part in (rows[:70], rows[70:150], rows[150:])
    ]
    total = parts[0] + parts[1] + parts[2]
    assert total.loglik == pytest.approx(whole.loglik)
    assert total.total == pytest.approx(whole.total)
    assert total.mass == pytest.approx(whole.mass)
    assert total.right_theta == pytest.approx(whole.right_theta)
    assert gradient(total, items, GRID) == pytest.approx(gradient(whole, items, GRID))
