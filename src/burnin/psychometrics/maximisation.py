"""The M step: weighted logistic regressions on the grid, all items at once."""

from __future__ import annotations

import numpy as np

from burnin.psychometrics.curves import Array, Items, logistic, logits
from burnin.psychometrics.expectation import Expected, gradient
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.priors import Priors

SLOPE_BOUND = 25.0
INTERCEPT_BOUND = 60.0
_NEWTON_STEPS = 4


def fisher(expected: Expected, items: Items, grid: Grid) -> Array:
    """Return the complete-data Fisher information of (a, d, logit c), shape (k, 3, 3).

    Without a lower asymptote it equals the observed one, and its third row is zero.
    """
    nodes = grid.nodes
    mass = expected.total if expected.mass is None else expected.mass
    curve = logistic(logits(items, nodes))
    c = items.c[:, None]
    right = c + (1.0 - c) * curve
    zz = mass * (1.0 - c) * (1.0 - curve) * curve**2 / np.maximum(right, 1e-300)
    out = np.zeros((len(items), 3, 3))
    out[:, 0, 0] = zz @ nodes**2
    out[:, 0, 1] = out[:, 1, 0] = zz @ nodes
    out[:, 1, 1] = zz.sum(axis=1)
    if items.c.any():
        # dP/dg = c (1-c) (1-L): divided by PQ, times dP/dz or dP/dg.
        zg = mass * c * (1.0 - c) * curve * (1.0 - curve) / right
        out[:, 0, 2] = out[:, 2, 0] = zg @ nodes
        out[:, 1, 2] = out[:, 2, 1] = zg.sum(axis=1)
        out[:, 2, 2] = (mass * c**2 * (1.0 - c) * (1.0 - curve) / right).sum(axis=1)
    return out


def moved(items: Items, step: Array, *, positive: bool) -> Items:
    """Add a step in (a, d, logit c), shortened so that no item jumps, kept within bounds."""
    limit = np.array([1.0, 2.0, 1.0])
    longest = np.abs(step / limit).max(axis=1)
    step = step / np.maximum(longest, 1.0)[:, None]
    slope = items.a + step[:, 0]
    if positive:
        slope = np.maximum(slope, items.a * 0.5)
    guess = items.c
    if guess.any():
        with np.errstate(divide="ignore"):
            guess = logistic(np.clip(np.log(guess) - np.log1p(-guess) + step[:, 2], -20.0, 5.0))
    return Items(
        np.clip(slope, -SLOPE_BOUND, SLOPE_BOUND),
        np.clip(items.d + step[:, 1], -INTERCEPT_BOUND, INTERCEPT_BOUND),
        guess,
    )


def free_items(expected: Expected, items: Items, grid: Grid, priors: Priors, *, guessing: bool) -> Items:
    """Maximise over each item's own parameters by Newton or Fisher scoring.

    ``guessing`` frees the lower asymptotes too (3PL); else they stay as they are.
    """
    parameters = 3 if guessing else 2
    for _ in range(_NEWTON_STEPS if parameters == 2 else 2):
        score = gradient(expected, items, grid)
        curvature = fisher(expected, items, grid)
        first, second = priors.derivatives(items)
        score += first
        diagonal = np.arange(3)
        # A prior may be convex far from its mode; there Fisher scoring goes without it.
        curvature[:, diagonal, diagonal] += np.maximum(-second, 0.0)
        curvature = curvature[:, :parameters, :parameters]
        ridge = 1e-9 * (1.0 + np.trace(curvature, axis1=1, axis2=2))
        curvature += ridge[:, None, None] * np.eye(parameters)
        step = np.zeros((len(items), 3))
        step[:, :parameters] = np.linalg.solve(curvature, score[:, :parameters, None])[:, :, 0]
        items = moved(items, step, positive=priors.on_slope)
        if np.abs(step).max() < 1e-7:
            break
    return items


def common_slope(expected: Expected, items: Items, grid: Grid, *, slope_free: bool) -> Items:
    """Maximise over intercepts and, where ``slope_free``, one slope for all items.

    The information matrix is an arrow, so that one elimination solves it.
    """
    for _ in range(_NEWTON_STEPS):
        score = gradient(expected, items, grid)
        curvature = fisher(expected, items, grid)
        across, down = curvature[:, 0, 1], np.maximum(curvature[:, 1, 1], 1e-9)
        change = 0.0
        if slope_free:
            corner = curvature[:, 0, 0].sum() - (across**2 / down).sum()
            change = float((score[:, 0] - across * score[:, 1] / down).sum() / max(corner, 1e-9))
            change = float(np.clip(change, -0.5, 0.5))
        step = np.zeros((len(items), 3))
        step[:, 0] = change
        step[:, 1] = np.clip((score[:, 1] - across * change) / down, -2.0, 2.0)
        items = Items(
            np.clip(items.a + step[:, 0], -SLOPE_BOUND, SLOPE_BOUND),
            np.clip(items.d + step[:, 1], -INTERCEPT_BOUND, INTERCEPT_BOUND),
            items.c,
        )
        if np.abs(step).max() < 1e-7:
            break
    return items


def latent_moments(expected: Expected, grid: Grid) -> Latent:
    """Return mean and standard deviation of the expected people on the grid."""
    share = expected.total / expected.total.sum()
    mean = float(share @ grid.nodes)
    variance = float(share @ (grid.nodes - mean) ** 2)
    return Latent(mean, max(variance, 1e-6) ** 0.5)


def rescaled(items: Items, latent: Latent) -> Items:
    """Put a free latent distribution back to N(0, 1): the reduction step of PX-EM.

    EM with a fixed N(0, 1) creeps along the scale and location of theta, the more so
    the longer the test, since the posteriors hardly feel their prior. Estimating both
    and absorbing them into the items removes exactly that direction.

    Source: Liu, Rubin and Wu (1998), Biometrika 85(4), section 2.
    """
    return Items(items.a * latent.sd, items.d + items.a * latent.mean, items.c)
