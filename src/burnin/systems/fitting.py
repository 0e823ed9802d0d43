"""Bounded, robust least squares with a pull towards what is already known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The values found, and which of them stand at a bound."""

    values: Vector
    at_bound: tuple[int, ...]
    rounds: int


def fit(
    residuals: Callable[[Vector], Vector],
    *,
    start: Vector,
    low: Vector,
    high: Vector,
    prior: Vector,
    pull: float = 0.1,
    rounds: int = 60,
    softness: float = 0.02,
) -> Fit:
    """Minimise the sum of absolute residuals, softened at ``softness``, within bounds.

    ``residuals`` maps values to weighted errors. ``pull`` weighs the squared
    distance to ``prior`` in units of each range, so that values that no row
    speaks about stay where they were. Damped Gauss-Newton with reweighting
    (Holland and Welsch, Communications in Statistics A6, 1977); derivatives are
    forward differences, so the function may have kinks.
    """
    span = high - low
    x = np.clip((start - low) / span, 0.0, 1.0)
    aim = (prior - low) / span

    def errors(u: Vector) -> Vector:
        return np.asarray(residuals(low + u * span), dtype=np.float64)

    def cost(u: Vector, e: Vector) -> float:
        return float(np.sum(np.sqrt(e * e + softness**2)) + pull * np.sum((u - aim) ** 2))

    now = errors(x)
    best = cost(x, now)
    damping, done = 1e-2, 0
    for _ in range(rounds):
        done += 1
        step = 1e-4
        sides = np.where(x + step <= 1.0, step, -step)
        slopes = np.stack(
            [(errors(x + sides[i] * np.eye(len(x))[i]) - now) / sides[i] for i in range(len(x))], axis=1
        )
        weights = 1 / np.sqrt(now * now + softness**2)
        normal = slopes.T @ (weights[:, None] * slopes) + 2 * pull * np.eye(len(x))
        slope = slopes.T @ (weights * now) + 2 * pull * (x - aim)
        improved = False
        for _ in range(8):
            # A value at its bound that wants to go further is held, so that the others move on without it.
            free = ~(((x <= 0) & (slope > 0)) | ((x >= 1) & (slope < 0)))
            move = np.zeros_like(x)
            damped = normal[np.ix_(free, free)] + damping * np.diag(np.diag(normal))[np.ix_(free, free)]
            move[free] = -np.linalg.solve(damped, slope[free])
            trial = np.clip(x + move, 0.0, 1.0)
            then = errors(trial)
            found = cost(trial, then)
            if found < best:
                gain = best - found
                x, now, best = trial, then, found
                damping = max(damping / 5, 1e-9)
                improved = gain > 1e-7 * best
                break
            damping *= 4
        if not improved:
            break
    at_bound = tuple(int(i) for i in np.flatnonzero((x <= 1e-6) | (x >= 1 - 1e-6)))
    return Fit(values=low + x * span, at_bound=at_bound, rounds=done)
