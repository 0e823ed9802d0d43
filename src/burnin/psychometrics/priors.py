"""Weak priors on item parameters, for models and samples that need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array, Items


@dataclass(frozen=True)
class Priors:
    """Independent priors in slope-intercept form; each value is a scalar or has shape (k,).

    Slope: log a ~ N(log_slope_mean, log_slope_sd). Intercept: d ~ N(intercept_mean,
    intercept_sd). Lower asymptote: c ~ Beta(guess_alpha, guess_beta). A standard
    deviation of infinity, or Beta(1, 1), is no prior.
    """

    name: str = "none"
    log_slope_mean: float | Array = 0.0
    log_slope_sd: float | Array = np.inf
    intercept_mean: float | Array = 0.0
    intercept_sd: float | Array = np.inf
    guess_alpha: float | Array = 1.0
    guess_beta: float | Array = 1.0

    @property
    def on_slope(self) -> bool:
        return bool(np.isfinite(self.log_slope_sd).any())

    @property
    def on_scale(self) -> bool:
        """Whether slopes or intercepts have a prior, which fixes the scale a little."""
        return self.on_slope or bool(np.isfinite(self.intercept_sd).any())

    def take(self, index: NDArray[np.intp]) -> Priors:
        """Return the priors of some of the items."""

        def part(value: float | Array) -> float | Array:
            return value if np.ndim(value) == 0 else np.asarray(value)[index]

        return Priors(
            self.name,
            part(self.log_slope_mean),
            part(self.log_slope_sd),
            part(self.intercept_mean),
            part(self.intercept_sd),
            part(self.guess_alpha),
            part(self.guess_beta),
        )

    def log_density(self, items: Items) -> float:
        """Return the log prior up to a constant; -inf where a slope has the wrong sign."""
        total = -0.5 * np.sum(((items.d - self.intercept_mean) / self.intercept_sd) ** 2)
        if self.on_slope:
            if (items.a[np.isfinite(np.broadcast_to(self.log_slope_sd, items.a.shape))] <= 0).any():
                return -np.inf
            total -= 0.5 * np.sum(self._log_slope_z(items.a) ** 2)
        alpha, beta = np.asarray(self.guess_alpha) - 1.0, np.asarray(self.guess_beta) - 1.0
        if alpha.any() or beta.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                total += np.sum(np.where(items.c > 0, alpha * np.log(items.c) + beta * np.log1p(-items.c), 0))
        return float(total)

    def derivatives(self, items: Items) -> tuple[Array, Array]:
        """Return gradient and second derivative, each (k, 3), by (a, d, logit c)."""
        k = len(items)
        first, second = np.zeros((k, 3)), np.zeros((k, 3))
        if self.on_slope:
            precision = 1.0 / np.asarray(self.log_slope_sd) ** 2
            off = np.log(np.maximum(items.a, 1e-6)) - self.log_slope_mean
            first[:, 0] = -precision * off / items.a
            second[:, 0] = -precision * (1.0 - off) / items.a**2
        precision = 1.0 / np.asarray(self.intercept_sd) ** 2
        first[:, 1] = -precision * (items.d - self.intercept_mean)
        second[:, 1] = -precision
        alpha, beta = np.asarray(self.guess_alpha) - 1.0, np.asarray(self.guess_beta) - 1.0
        first[:, 2] = alpha * (1.0 - items.c) - beta * items.c
        second[:, 2] = -(alpha + beta) * items.c * (1.0 - items.c)
        return first, second

    def _log_slope_z(self, a: Array) -> Array:
        z: Array = (np.log(np.maximum(a, 1e-6)) - self.log_slope_mean) / self.log_slope_sd
        return z


NONE = Priors()


def three_parameter(options: float | Array = 5.0) -> Priors:
    """Return the priors that a 3PL needs: c ~ Beta(20/m + 1, 20 (1 - 1/m) + 1), a ~ lognormal(0, 0.5).

    ``options`` is the number m of choices. Without a prior the likelihood of an easy
    item hardly depends on c, and estimates run to 0 or swap with the difficulty.

    Source: defaults of BILOG-MG (du Toit, ed., 2003, "IRT from SSI", chapter 2, PRIORS).
    """
    chance = 1.0 / np.asarray(options, dtype=np.float64)
    return Priors(
        name="a ~ lognormal(0, 0.5), c ~ Beta(20/m + 1, 20 (1 - 1/m) + 1)",
        log_slope_sd=0.5,
        guess_alpha=20.0 * chance + 1.0,
        guess_beta=20.0 * (1.0 - chance) + 1.0,
    )
