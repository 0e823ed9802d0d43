"""Item calibration by marginal maximum likelihood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from burnin.psychometrics.curves import NO_SLOPE, Array, Items, Model
from burnin.psychometrics.fitting import Fitted, fit
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.maximisation import INTERCEPT_BOUND, SLOPE_BOUND
from burnin.psychometrics.priors import NONE, Priors, three_parameter
from burnin.psychometrics.problem import Problem
from burnin.psychometrics.responses import Responses

FEWEST_ITEMS = {Model.RASCH: 1, Model.ONE: 2, Model.TWO: 3, Model.THREE: 3}


class NotIdentified(ValueError):
    """The table cannot carry the model at all; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Estimates, their errors and whether they can be trusted.

    Arrays have shape (k,), in the order of the columns; NaN where an item has no
    estimate, and ``notes`` says why. Errors are square roots of the diagonal of the
    inverse observed information (``se_b`` by the delta method); fixed parameters have
    error 0. ``loglik`` is the marginal log-likelihood without priors.
    """

    model: Model
    items: Items
    se_a: Array
    se_b: Array
    se_d: Array
    se_c: Array
    latent: Latent
    loglik: float
    log_posterior: float
    parameters: int
    persons: float
    converged: bool
    why: str
    cycles: int
    prior: str
    grid: Grid
    notes: Mapping[int, str]

    @property
    def usable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which items have an estimate."""
        return np.asarray(np.isfinite(self.items.a))

    @property
    def aic(self) -> float:
        return 2.0 * self.parameters - 2.0 * self.loglik

    @property
    def bic(self) -> float:
        return float(self.parameters * np.log(self.persons) - 2.0 * self.loglik)


def calibrate(
    responses: Responses,
    model: Model = Model.TWO,
    *,
    priors: Priors | None = None,
    anchors: Mapping[int, tuple[float, float, float]] | None = None,
    max_cycles: int = 600,
    errors: bool = True,
) -> Calibration:
    """Estimate item parameters with theta ~ N(0, 1) integrated out.

    >>> table = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]
    >>> found = calibrate(Responses.of(table, [9, 5, 3, 3, 5, 5, 2, 9]), Model.ONE)
    >>> bool(found.converged), found.items.b.round(2).tolist()
    (True, [-0.34, 0.15, 0.15])

    ``priors`` default to none, for the 3PL to ``three_parameter()``. ``anchors`` gives
    items whose (a, b, c) are known: they are held fixed, and the mean and standard
    deviation of theta are estimated instead, which puts the rest on the anchors' scale
    (fixed-anchor linking). Missing answers are taken as missing at random.

    Raises NotIdentified where the table is too small for the model, ValueError for
    anchors that are no items.

    Source: Bock and Aitkin (1981), Psychometrika 46(4), 443-459; fixed anchors: Kim
    (2006), Journal of Educational Measurement 43(4), 355-381.
    """
    anchors = dict(anchors or {})
    if any(not 0 <= index < responses.items for index in anchors):
        raise ValueError("an anchor is not among the items")
    if priors is None:
        priors = three_parameter() if model is Model.THREE else NONE
    notes: dict[int, str] = {}
    use = _usable(responses, priors, anchors, notes)
    if len(use) < FEWEST_ITEMS[model] and not anchors:
        raise NotIdentified(
            f"the {model.value} model needs at least {FEWEST_ITEMS[model]} items with both right and wrong "
            f"answers; this table has {len(use)}"
        )
    if responses.persons < 2:
        raise NotIdentified("calibration needs at least two people")
    part = responses if len(use) == responses.items else responses.columns(use)
    place = {int(index): i for i, index in enumerate(use)}
    held = {place[index]: values for index, values in anchors.items()}
    problem = Problem.of(part, model, priors.take(use), held)
    fitted = fit(problem, max_cycles=max_cycles, errors=errors)
    return _spread(responses, model, priors, use, fitted, notes)


def _usable(
    responses: Responses, priors: Priors, anchors: Mapping[int, object], notes: dict[int, str]
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the items that can be estimated; say of each other one why it cannot."""
    k = responses.items
    carried = np.isfinite(np.broadcast_to(priors.intercept_sd, k)) & np.isfinite(
        np.broadcast_to(priors.log_slope_sd, k)
    )
    share = responses.proportion
    for index in range(k):
        if index in anchors or carried[index]:
            continue
        if responses.answered[index] == 0:
            notes[index] = "nobody answered it: no estimate"
        elif share[index] == 1.0:
            notes[index] = "everybody has it right: its difficulty has no finite estimate"
        elif share[index] == 0.0:
            notes[index] = "everybody has it wrong: its difficulty has no finite estimate"
    return np.array([index for index in range(k) if index not in notes], dtype=np.intp)


def _spread(
    responses: Responses,
    model: Model,
    priors: Priors,
    use: np.ndarray[tuple[int], np.dtype[np.intp]],
    fitted: Fitted,
    notes: dict[int, str],
) -> Calibration:
    """Lay the estimates of the usable items out over all columns."""

    def wide(values: Array) -> Array:
        out = np.full(responses.items, np.nan)
        out[use] = values
        return out

    items, se = fitted.items, fitted.errors
    converged, why = fitted.converged, fitted.why
    lost = (np.abs(items.a) >= 0.8 * SLOPE_BOUND) | (np.abs(items.d) >= INTERCEPT_BOUND)
    lost &= ~fitted.held
    for i in np.flatnonzero(lost):
        notes[int(use[i])] = "its slope grows without bound: no finite estimate"
    if lost.any():
        converged, why = False, "the slope of at least one item grows without bound"
        items = Items(np.where(lost, np.nan, items.a), np.where(lost, np.nan, items.d), items.c)
    a, b = items.a, items.b
    for i in np.flatnonzero(np.abs(items.a) < NO_SLOPE):
        notes[int(use[i])] = "its slope is zero: it does not depend on theta and has no difficulty"
    if model is Model.THREE:
        for i in np.flatnonzero(np.abs(b) > 6.0):
            notes[int(use[i])] = "its curve hardly rises within -6 to 6: the estimate is the prior's"
    with np.errstate(invalid="ignore", divide="ignore"):
        variance_b = (b**2 * se.variance_a + 2.0 * b * se.covariance_ad + se.variance_d) / a**2
        se_b = np.sqrt(np.maximum(variance_b, 0.0))
    return Calibration(
        model=model,
        items=Items(wide(items.a), wide(items.d), wide(items.c)),
        se_a=wide(np.where(lost, np.nan, np.sqrt(se.variance_a))),
        se_b=wide(se_b),
        se_d=wide(np.where(lost, np.nan, np.sqrt(se.variance_d))),
        se_c=wide(items.c * (1.0 - items.c) * np.sqrt(se.variance_g)),
        latent=fitted.latent,
        loglik=fitted.loglik,
        log_posterior=fitted.objective,
        parameters=fitted.parameters,
        persons=responses.persons,
        converged=converged,
        why=why,
        cycles=fitted.cycles,
        prior=priors.name,
        grid=fitted.grid,
        notes=notes,
    )
