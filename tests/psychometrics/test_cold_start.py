from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.calibration import calibrate
from burnin.psychometrics.cold_start import ColdStart, moved, priors_of
from burnin.psychometrics.curves import Model
from burnin.psychometrics.responses import Responses
from tests.psychometrics.simulated import normal_table, table


def test_harder_by_grade_and_by_kind() -> None:
    rule = ColdStart()
    grades = [rule.prior(difficulty=d, options=4).b_mean for d in range(1, 6)]
    assert (np.diff(grades) > 0).all()
    two = rule.prior(difficulty=3, options=5, choose=2)
    assert two.b_mean > rule.prior(difficulty=3, options=5).b_mean
    assert two.c == pytest.approx(1 / 10)
    assert rule.prior(difficulty=3, options=6, choose=3).c == pytest.approx(1 / 20)


def slow_posterior(prior, theta, se, right) -> tuple[float, float]:
    """Mean and sd of b on a grid over (b, log a), each person's theta integrated on a grid."""
    b = np.linspace(-4, 4, 161)
    log_a = np.linspace(-1.4, 1.4, 57)
    log_weight = -0.5 * (((b - prior.b_mean) / prior.b_sd) ** 2)[:, None] - 0.5 * (
        ((log_a - prior.log_a_mean) / prior.log_a_sd) ** 2
    )
    z = np.linspace(-5, 5, 41)
    mass = np.exp(-0.5 * z**2)
    mass /= mass.sum()
    for t, s, x in zip(theta, se, right, strict=True):
        at = t + s * z
        p = prior.c + (1 - prior.c) / (1 + np.exp(-np.exp(log_a)[None, :, None] * (at - b[:, None, None])))
        p = p @ mass
        log_weight = log_weight + np.log(p if x else 1 - p)
    weight = np.exp(log_weight - log_weight.max()).sum(axis=1)
    weight /= weight.sum()
    mean = float(weight @ b)
    return mean, float(np.sqrt(weight @ (b - mean) ** 2))


@pytest.mark.parametrize("answers", [5, 60])
def test_answers_move_it_as_bayes_says(answers: int) -> None:
    chance = np.random.default_rng(6)
    prior = ColdStart().prior(difficulty=4, options=4)
    theta, se = chance.normal(size=answers), chance.uniform(0.2, 0.6, answers)
    right = table(chance, np.array([1.2]), np.array([-0.5]), theta, 0.25)[:, 0]
    found = moved(prior, theta, se, right)
    mean, sd = slow_posterior(prior, theta, se, right)
    # The mode and the curvature there stand for mean and spread.
    assert found.b_mean == pytest.approx(mean, abs=0.25 * sd)
    assert found.b_sd == pytest.approx(sd, rel=0.2)


def test_nothing_moves_without_answers_and_everything_narrows_with_them() -> None:
    prior = ColdStart().prior(difficulty=2, options=4)
    assert moved(prior, np.zeros(0), np.zeros(0), np.zeros(0)) == prior
    chance = np.random.default_rng(7)
    theta = chance.normal(size=2000)
    right = table(chance, np.array([1.5]), np.array([1.0]), theta, 0.25)[:, 0]
    found = moved(prior, theta, np.full(2000, 0.2), right)
    assert found.b_mean == pytest.approx(1.0, abs=0.15)
    assert np.exp(found.log_a_mean) == pytest.approx(1.5, abs=0.25)
    assert found.b_sd < 0.12


def test_the_order_of_answers_does_not_matter() -> None:
    chance = np.random.default_rng(8)
    prior = ColdStart().prior(difficulty=3, options=4)
    theta, se, right = chance.normal(size=30), np.full(30, 0.4), chance.integers(0, 2, 30)
    order = chance.permutation(30)
    one, two = moved(prior, theta, se, right), moved(prior, theta[order], se[order], right[order])
    assert one.b_mean == pytest.approx(two.b_mean, abs=1e-7)


def test_a_calibrated_bank_corrects_the_rule() -> None:
    chance = np.random.default_rng(9)
    difficulty, choose = chance.integers(1, 6, 300), 1 + (chance.random(300) < 0.2)
    b = 0.5 + 0.2 * (difficulty - 3) - 0.3 * (choose > 1) + chance.normal(0, 0.4, 300)
    noisy = b + chance.normal(0, 0.2, 300)
    found = ColdStart().learned(difficulty.tolist(), choose.tolist(), noisy, np.full(300, 0.2))
    assert found.centre == pytest.approx(0.5, abs=0.1)
    assert found.per_grade == pytest.approx(0.2, abs=0.06)
    assert found.several == pytest.approx(-0.3, abs=0.15)
    assert found.b_sd == pytest.approx(0.42, abs=0.06)
    few = ColdStart().learned([3], [1], np.array([2.0]), np.array([0.3]))
    assert 0.0 < few.centre < 1.0


def test_priors_carry_a_calibration_that_the_table_alone_cannot() -> None:
    rows = normal_table(10, 25, 12)[3]
    rows[:, 0], rows[:, 1] = 1, -1
    priors = priors_of([ColdStart().prior(difficulty=3, options=4)] * 12)
    found = calibrate(Responses.of(rows), Model.TWO, priors=priors)
    assert found.converged
    assert np.isfinite(found.items.b).all()
    assert found.items.b[0] < -0.5
    # Nobody answered item 1: its author's guess stands.
    assert found.items.b[1] == pytest.approx(0.0, abs=1e-3)
    assert found.items.a[1] == pytest.approx(1.0, abs=1e-3)
    assert found.se_b[1] == pytest.approx(0.8, rel=0.02)
