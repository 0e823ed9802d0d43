"""A person's theta and its error, given known items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burnin.psychometrics.curves import Array, Items, logistic, logits
from burnin.psychometrics.expectation import posteriors
from burnin.psychometrics.grid import Latent, fitting
from burnin.psychometrics.responses import Responses


@dataclass(frozen=True, slots=True)
class Ability:
    """Estimates on the theta scale, one for each row of answers; shapes (n,)."""

    theta: Array
    se: Array


def eap(responses: Responses, items: Items, latent: Latent | None = None) -> Ability:
    """Return posterior mean and standard deviation of theta.

    >>> eap(Responses.of([[1, 1], [-1, -1]]), Items.of([1.0, 1.0], [0.0, 0.0])).theta.round(3).tolist()
    [0.704, 0.0]

    A row without an answer has the prior's own mean and standard deviation.

    Source: Bock and Mislevy (1982), Applied Psychological Measurement 6(4), 431-444.
    """
    latent = latent or Latent()
    grid = fitting(items, latent)
    means, sds = [], []
    for chunk in posteriors(responses, items, grid, latent):
        mean = chunk.weights @ grid.nodes
        second = chunk.weights @ grid.nodes**2
        means.append(mean)
        sds.append(np.sqrt(np.maximum(second - mean**2, 0.0)))
    theta, se = np.concatenate(means or [np.zeros(0)]), np.concatenate(sds or [np.zeros(0)])
    return Ability(theta[responses.person_pattern], se[responses.person_pattern])


def map_(responses: Responses, items: Items, latent: Latent | None = None) -> Ability:
    """Return the posterior mode of theta and its error from the curvature there.

    >>> map_(Responses.of([[1, 1]]), Items.of([1.0, 1.0], [0.0, 0.0])).theta.round(3).tolist()
    [0.675]

    The climb starts at the highest node of the grid, so that it ends at the global
    mode even where guessing makes the likelihood bimodal.

    Source: Lord (1986), Journal of Educational Measurement 23(2), 157-162.
    """
    latent = latent or Latent()
    grid = fitting(items, latent)
    best = [grid.nodes[chunk.weights.argmax(axis=1)] for chunk in posteriors(responses, items, grid, latent)]
    theta = np.concatenate(best or [np.zeros(0)]).astype(np.float64)
    start = theta.copy()
    seen = 1.0 if responses.seen is None else responses.seen
    information = np.full(len(theta), 1.0 / latent.sd**2)
    for _ in range(25):
        curve = logistic(logits(items, theta)).T
        right = items.c + (1.0 - items.c) * curve
        per = seen * items.a * curve / np.maximum(right, 1e-300)
        score = (per * (responses.right - right)).sum(axis=1) - (theta - latent.mean) / latent.sd**2
        expected = (per * items.a * (1.0 - items.c) * curve * (1.0 - curve)).sum(axis=1)
        information = expected + 1.0 / latent.sd**2
        step = np.clip(score / information, -grid.step, grid.step)
        theta = np.clip(theta + step, start - grid.step, start + grid.step)
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    return Ability(theta[responses.person_pattern], (1.0 / np.sqrt(information))[responses.person_pattern])
