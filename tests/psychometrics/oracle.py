"""The marginal likelihood the slow way: one person, Simpson's rule."""

from __future__ import annotations

from math import log, pi, sqrt

import numpy as np


def loglik(
    rows: np.ndarray,
    counts: np.ndarray,
    a: np.ndarray,
    d: np.ndarray,
    c: np.ndarray,
    *,
    mean: float = 0.0,
    sd: float = 1.0,
) -> float:
    """Log-likelihood with theta ~ N(mean, sd); -1 is a missing answer."""
    count = 801
    nodes = np.linspace(mean - 8 * sd, mean + 8 * sd, count)
    weights = np.ones(count)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    weights *= (nodes[1] - nodes[0]) / 3.0
    weights *= np.exp(-0.5 * ((nodes - mean) / sd) ** 2) / (sd * sqrt(2 * pi))
    total = 0.0
    for row, n in zip(rows, counts, strict=True):
        value = np.ones(count)
        for j, answer in enumerate(row):
            p = c[j] + (1.0 - c[j]) / (1.0 + np.exp(-(a[j] * nodes + d[j])))
            if answer >= 0:
                value = value * (p if answer == 1 else 1.0 - p)
        total += n * log(float(value @ weights))
    return total


def hessian(function, point: np.ndarray, step: float = 1e-3) -> np.ndarray:
    """Central second differences."""
    k = len(point)
    out = np.zeros((k, k))
    unit = np.eye(k) * step
    for i in range(k):
        for j in range(i, k):
            out[i, j] = out[j, i] = (
                function(point + unit[i] + unit[j])
                - function(point + unit[i] - unit[j])
                - function(point - unit[i] + unit[j])
                + function(point - unit[i] - unit[j])
            ) / (4 * step * step)
    return out
