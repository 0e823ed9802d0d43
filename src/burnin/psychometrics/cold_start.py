"""An item's parameters before anybody answered it, and how answers move them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from burnin.domain.item import Item
from burnin.psychometrics.curves import Array, Items, logistic
from burnin.psychometrics.priors import Priors


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPrior:
    """Independent normals for the difficulty b and the log slope; the asymptote c is fixed."""

    b_mean: float
    b_sd: float
    log_a_mean: float
    log_a_sd: float
    c: float

    @property
    def items(self) -> Items:
        """The prior's centre as an item."""
        return Items.of(float(np.exp(self.log_a_mean)), self.b_mean, self.c)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColdStart:
    """How an author's difficulty and the kind of item set its prior.

    b is ``centre + per_grade * (difficulty - 3) + several * (choose > 1)`` within
    ``b_sd``. The defaults are assumptions, wide enough that some thirty answers
    outweigh them; ``learned`` replaces them by what a calibrated bank shows.
    """

    centre: float = 0.0
    per_grade: float = 0.6
    several: float = 0.4
    b_sd: float = 0.8
    log_a_mean: float = 0.0
    log_a_sd: float = 0.35

    def prior(self, *, difficulty: int, options: int, choose: int = 1) -> ItemPrior:
        """Return the prior of an item.

        >>> prior = ColdStart().prior(difficulty=4, options=4)
        >>> prior.b_mean, prior.c
        (0.6, 0.25)

        c is the chance of a blind guess: one in ``comb(options, choose)`` ways, since
        only the whole selection scores.
        """
        return ItemPrior(
            b_mean=self.centre + self.per_grade * (difficulty - 3) + self.several * (choose > 1),
            b_sd=self.b_sd,
            log_a_mean=self.log_a_mean,
            log_a_sd=self.log_a_sd,
            c=1.0 / comb(options, choose),
        )

    def of(self, item: Item) -> ItemPrior:
        """Return the prior of an item of the bank."""
        return self.prior(difficulty=item.difficulty, options=len(item.options), choose=item.choose)

    def learned(self, difficulty: Sequence[int], choose: Sequence[int], b: Array, se_b: Array) -> ColdStart:
        """Return the rule that calibrated items show, drawn towards this one while they are few.

        Weighted regression of b on the author's grade; the present coefficients are a
        normal prior with standard deviation 0.5 each, the residual spread is estimated
        and counts the present ``b_sd`` as ten items' worth.
        """
        x = np.column_stack(
            [np.ones(len(b)), np.asarray(difficulty) - 3.0, (np.asarray(choose) > 1).astype(np.float64)]
        )
        now = np.array([self.centre, self.per_grade, self.several])
        beta, spread = now, self.b_sd
        for _ in range(50):
            weight = 1.0 / (spread**2 + se_b**2)
            normal = (x * weight[:, None]).T @ x + np.eye(3) / 0.25
            beta = now + np.linalg.solve(normal, (x * weight[:, None]).T @ (b - x @ now))
            excess = np.sum((b - x @ beta) ** 2 - se_b**2)
            spread = float(np.sqrt(max((10.0 * self.b_sd**2 + excess) / (10.0 + len(b)), 0.01)))
        return replace(
            self, centre=float(beta[0]), per_grade=float(beta[1]), several=float(beta[2]), b_sd=spread
        )


def priors_of(items: Sequence[ItemPrior]) -> Priors:
    """Return the priors for ``calibrate`` of items that start cold, in slope-intercept form.

    The intercept's spread takes the slope at its centre: d = -a b. The lower asymptote
    is held near the blind chance as by twenty answers; it acts in the 3PL only.
    """
    a = np.exp([item.log_a_mean for item in items])
    c = np.array([item.c for item in items])
    return Priors(
        name="author's difficulty and kind",
        log_slope_mean=np.array([item.log_a_mean for item in items]),
        log_slope_sd=np.array([item.log_a_sd for item in items]),
        intercept_mean=-a * np.array([item.b_mean for item in items]),
        intercept_sd=a * np.array([item.b_sd for item in items]),
        guess_alpha=20.0 * c + 1.0,
        guess_beta=20.0 * (1.0 - c) + 1.0,
    )


def moved(prior: ItemPrior, theta: Array, se: Array, right: Array) -> ItemPrior:
    """Return the posterior of an item after answers by people of known ability.

    ``theta`` and ``se`` (n,) describe each person's ability before this answer,
    ``right`` (n,) is 1 or 0. Start from the first prior with all answers so far: the
    result is then the same in any order.

    >>> start = ColdStart().prior(difficulty=3, options=4)
    >>> harder = moved(start, np.zeros(20), np.full(20, 0.3), np.zeros(20))
    >>> harder.b_mean > start.b_mean and harder.b_sd < start.b_sd
    True

    The mode and the curvature there (Laplace), abilities integrated out on nine nodes.

    Source: Mislevy (1986), Psychometrika 51(2), 177-195, for one item.
    """
    theta, se, right = (np.asarray(value, dtype=np.float64) for value in (theta, se, right))
    if len(theta) == 0:
        return prior
    nodes, weights = np.polynomial.hermite_e.hermegauss(9)
    weights = weights / weights.sum()
    at = theta[:, None] + se[:, None] * nodes
    centre = np.array([prior.b_mean, prior.log_a_mean])
    precision = 1.0 / np.array([prior.b_sd, prior.log_a_sd]) ** 2

    def parts(value: Array) -> tuple[float, Array, Array]:
        b, a = value[0], np.exp(value[1])
        curve = logistic(a * (at - b))
        share = np.clip(prior.c + (1.0 - prior.c) * (curve @ weights), 1e-12, 1.0 - 1e-12)
        slope = (1.0 - prior.c) * curve * (1.0 - curve)
        by = np.column_stack([(slope * -a) @ weights, (slope * a * (at - b)) @ weights])
        objective = float(np.sum(right * np.log(share) + (1.0 - right) * np.log1p(-share)))
        objective -= 0.5 * float(precision @ (value - centre) ** 2)
        score = by.T @ ((right - share) / (share * (1.0 - share))) - precision * (value - centre)
        information = (by / (share * (1.0 - share))[:, None]).T @ by + np.diag(precision)
        return objective, score, information

    value = centre.copy()
    objective, score, information = parts(value)
    for _ in range(50):
        step = np.linalg.solve(information, score)
        step /= max(1.0, float(np.abs(step).max()))
        while True:
            trial = parts(value + step)
            if trial[0] >= objective - 1e-12 or np.abs(step).max() < 1e-9:
                break
            step = step / 2.0
        value = value + step
        objective, score, information = trial
        if np.abs(step).max() < 1e-8:
            break
    sd = np.sqrt(np.diag(np.linalg.inv(information)))
    return replace(
        prior,
        b_mean=float(value[0]),
        b_sd=float(sd[0]),
        log_a_mean=float(value[1]),
        log_a_sd=float(sd[1]),
    )
