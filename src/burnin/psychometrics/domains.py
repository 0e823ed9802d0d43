"""Ability by domain from a handful of answers: domains borrow strength from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.cold_start import ItemPrior
from burnin.psychometrics.curves import Array, Items, log_probabilities, probability

NODES = np.linspace(-6.0, 6.0, 121)

SPREAD = 0.6
"""How far a person's domains lie from her overall ability (standard deviation). An assumption."""


@dataclass(frozen=True, slots=True)
class DomainAbility:
    """Posterior of a person's ability in each domain: ``weights`` (domains, 121) on ``NODES``."""

    weights: Array

    @property
    def theta(self) -> Array:
        """Posterior means, shape (domains,)."""
        mean: Array = self.weights @ NODES
        return mean

    @property
    def se(self) -> Array:
        """Posterior standard deviations, shape (domains,)."""
        return np.sqrt(np.maximum(self.weights @ NODES**2 - self.theta**2, 0.0))

    def percent(self, domain: int, items: Items, *, level: float = 0.8) -> tuple[float, float, float]:
        """Return the expected percentage right on some items: mean, lower and upper bound.

        The bounds hold ``level`` of the posterior; they say how little is known of the
        person, not how her luck with the items will vary.
        """
        curve = 100.0 * probability(items, NODES).mean(axis=0)
        weights = self.weights[domain]
        below = np.cumsum(weights) - weights / 2
        low, high = np.interp([(1 - level) / 2, (1 + level) / 2], below, curve)
        return float(weights @ curve), float(low), float(high)


def domain_abilities(
    items: Items,
    domain: Sequence[int] | NDArray[np.intp],
    right: Sequence[bool],
    domains: int,
    *,
    spread: float = SPREAD,
) -> DomainAbility:
    """Return a person's ability in each of ``domains`` domains after some answers.

    >>> one = domain_abilities(Items.of([1.0, 1.0], [0.0, 0.0]), [0, 0], [True, True], 2)
    >>> bool(one.theta[0] > one.theta[1] > 0.0)
    True

    Overall ability is standard normal, a domain's is normal around it with standard
    deviation ``spread``; answers depend on the domain's ability only. Exact on the
    grid. A domain without an answer is told from the others, with a wider interval.

    Source: the higher-order model of de la Torre and Song (2009), Applied Psychological
    Measurement 33(8), 620-639, with its loadings fixed.
    """
    where = np.asarray(domain, dtype=np.intp)
    if len(where) != len(items) or len(right) != len(items):
        raise ValueError("each item needs its domain and its answer")
    log_right, log_wrong = log_probabilities(items, NODES) if len(items) else (np.zeros((0, 121)),) * 2
    each = np.where(np.asarray(right, dtype=bool)[:, None], log_right, log_wrong)
    likelihood = np.zeros((domains, len(NODES)))
    np.add.at(likelihood, where, each)
    likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))

    step = np.exp(-0.5 * ((NODES[None, :] - NODES[:, None]) / spread) ** 2)
    step /= step.sum(axis=1, keepdims=True)
    told = likelihood @ step.T  # of each domain's answers, given the overall ability
    overall = np.log(told) - 0.5 * NODES**2 / domains
    others = np.exp(overall.sum(axis=0)[None, :] - np.log(told))
    weights = likelihood * (others / others.sum(axis=1, keepdims=True) @ step)
    return DomainAbility(weights / weights.sum(axis=1, keepdims=True))


def blurred(priors: Sequence[ItemPrior]) -> Items:
    """Return items whose curves allow for what is not known of their difficulty.

    A normal difficulty flattens the logistic by 1 / sqrt(1 + pi a^2 sd^2 / 8).

    Source: MacKay (1992), Neural Computation 4(5), 720-736, equation 10.
    """
    a = np.exp([prior.log_a_mean for prior in priors])
    sd = np.array([prior.b_sd for prior in priors])
    slope = a / np.sqrt(1.0 + pi * (a * sd) ** 2 / 8.0)
    return Items.of(slope, [prior.b_mean for prior in priors], [prior.c for prior in priors])
