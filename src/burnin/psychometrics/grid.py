"""Equally spaced quadrature for a normal latent variable."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, pi, sqrt

import numpy as np

from burnin.psychometrics.curves import Array, Items, information

REACH = 6.0
STEPS = 61
MAX_STEPS = 2001
_RELATIVE_ERROR = 1e-7


@dataclass(frozen=True, slots=True)
class Latent:
    """A normal latent variable: mean and standard deviation on the theta scale."""

    mean: float = 0.0
    sd: float = 1.0


@dataclass(frozen=True, slots=True)
class Grid:
    """Nodes at equal steps; sums over them are the trapezoidal rule."""

    nodes: Array

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def step(self) -> float:
        return float(self.nodes[1] - self.nodes[0])

    def log_weights(self, latent: Latent) -> Array:
        """Return the log of the normalised density at the nodes."""
        z = (self.nodes - latent.mean) / latent.sd
        raw = -0.5 * z * z
        peak = raw.max()
        normal: Array = raw - peak - np.log(np.exp(raw - peak).sum())
        return normal


def widest_step(items: Items) -> float:
    """Return the widest step that resolves both the steepest curve and the posterior.

    The trapezoidal rule of an analytic function errs by exp(-2 pi s / h), where s is
    the distance of its poles from the real line: pi / a for a logistic. For a
    Gaussian of precision I the error is exp(-2 pi^2 / (h^2 I)). A coarser grid than
    this biases slopes downwards or upwards according to where the nodes fall.

    Source: Trefethen and Weideman (2014), SIAM Review 56(3), theorem 5.1.
    """
    digits = log(1.0 / _RELATIVE_ERROR)
    steepest = float(np.abs(items.a).max(initial=0.1))
    theta = np.linspace(-REACH, REACH, 121)
    precision = 1.0 + float(information(items, theta).sum(axis=0).max())
    return min(2.0 * pi**2 / (steepest * digits), pi * sqrt(2.0 / (precision * digits)))


def fitting(items: Items, latent: Latent | None = None) -> Grid:
    """Return a grid on [-6, 6] (wider where the latent needs it), 61 steps or more.

    >>> len(fitting(Items.of(np.ones(5), 0.0)))
    62
    """
    latent = latent or Latent()
    low = min(-REACH, latent.mean - REACH * latent.sd)
    high = max(REACH, latent.mean + REACH * latent.sd)
    step = min(2.0 * REACH / STEPS, latent.sd * 2.0 * REACH / STEPS, widest_step(items))
    steps = min(MAX_STEPS, max(STEPS, ceil((high - low) / step - 1e-9)))
    return Grid(np.linspace(low, high, steps + 1))
