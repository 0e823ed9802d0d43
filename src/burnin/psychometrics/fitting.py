"""The climb to the maximum: accelerated EM, then Newton on the observed information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from burnin.psychometrics.curves import Array, Items, Model
from burnin.psychometrics.expectation import Expected, expect, gradient
from burnin.psychometrics.grid import Grid, Latent, fitting, widest_step
from burnin.psychometrics.maximisation import (
    INTERCEPT_BOUND,
    SLOPE_BOUND,
    common_slope,
    free_items,
    latent_moments,
    rescaled,
)
from burnin.psychometrics.observed import observed_information
from burnin.psychometrics.priors import Priors
from burnin.psychometrics.responses import Responses

_ROUGH, _FINE = 2e-2, 2e-4
_CLOSE = 1e-5  # distance to the maximum, in standard errors, at which the climb ends
_ENOUGH = 1e-3  # the same for the verdict
_RENEWALS = 12
_PATIENCE = 120  # cycles of EM before Newton has a try


@dataclass(frozen=True, slots=True)
class Point:
    """One set of values: items and latent distribution."""

    items: Items
    latent: Latent

    def vector(self) -> Array:
        """All values unbounded, in the order of the observed information."""
        parts = [self.items.a, self.items.d]
        if self.items.c.any():
            parts.append(np.log(self.items.c) - np.log1p(-self.items.c))
        parts.append(np.array([self.latent.mean, np.log(self.latent.sd)]))
        return np.concatenate(parts)

    def at(self, vector: Array) -> Point:
        """Return the point that a vector stands for, within bounds."""
        k = len(self.items)
        guess = self.items.c
        if guess.any():
            guess = 1.0 / (1.0 + np.exp(-np.clip(vector[2 * k : 3 * k], -20.0, 5.0)))
        slope = np.clip(vector[:k], -SLOPE_BOUND, SLOPE_BOUND)
        intercept = np.clip(vector[k : 2 * k], -INTERCEPT_BOUND, INTERCEPT_BOUND)
        sd = float(np.exp(np.clip(vector[-1], -4.0, 4.0)))
        return Point(Items(slope, intercept, guess), Latent(float(np.clip(vector[-2], -20, 20)), sd))


@dataclass(frozen=True, slots=True)
class Errors:
    """Variances and the covariance of slope and intercept, each (k,); NaN where unknown."""

    variance_a: Array
    variance_d: Array
    covariance_ad: Array
    variance_g: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Where the climb ended."""

    items: Items
    latent: Latent
    grid: Grid
    errors: Errors
    held: np.ndarray[tuple[int], np.dtype[np.bool_]]
    loglik: float
    objective: float
    parameters: int
    converged: bool
    why: str
    cycles: int


@dataclass(frozen=True, slots=True)
class Fit:
    """What is to be fitted: data, model, priors, and items held at known values."""

    responses: Responses
    model: Model
    priors: Priors
    held: np.ndarray[tuple[int], np.dtype[np.bool_]]
    start: Point

    @classmethod
    def of(
        cls,
        responses: Responses,
        model: Model,
        priors: Priors,
        anchors: Mapping[int, tuple[float, float, float]],
    ) -> Fit:
        items = _starting_values(responses, model, priors)
        held = np.zeros(responses.items, dtype=np.bool_)
        for index, (a, b, c) in anchors.items():
            held[index] = True
            items.a[index], items.d[index], items.c[index] = a, -a * b, c
        if held.any() and items.c.any():
            # Zero is outside the open interval of the logit; held items stay there in effect.
            items.c[:] = np.maximum(items.c, 1e-9)
        return cls(responses, model, priors, held, Point(items, Latent()))

    @property
    def linked(self) -> bool:
        return bool(self.held.any())

    def objective(self, point: Point, expected: Expected) -> float:
        free = self.free(point.items)
        return expected.loglik + self.priors.take(np.flatnonzero(~self.held)).log_density(free)

    def free(self, items: Items) -> Items:
        return items.take(~self.held)

    def design(self, items: Items) -> Array:
        """Return the matrix from free parameters to the full vector; bounded items are not free."""
        k = len(items)
        parts = 3 if items.c.any() else 2
        size = parts * k + 2
        own = ~self.held & (np.abs(items.a) < SLOPE_BOUND) & (np.abs(items.d) < INTERCEPT_BOUND)
        columns: list[Array] = []
        unit = np.eye(size)
        if self.model is Model.ONE:
            if not self.linked:
                shared = np.zeros(size)
                shared[:k] = 1.0
                columns.append(shared)
        elif self.model is not Model.RASCH:
            columns.extend(unit[np.flatnonzero(own)])
        columns.extend(unit[k + np.flatnonzero(own)])
        if parts == 3:
            columns.extend(unit[2 * k + np.flatnonzero(own)])
        if self.linked:
            columns.extend(unit[-2:])
        return np.array(columns).T.reshape(size, len(columns))

    def step(self, point: Point, expected: Expected, grid: Grid, *, expand: bool) -> Point:
        """One M step. ``expand`` also frees the scale of theta and absorbs it (PX-EM)."""
        items = point.items
        if self.model in (Model.RASCH, Model.ONE):
            slope_free = self.model is Model.ONE and not self.linked
            new = common_slope(expected, items, grid, slope_free=slope_free)
        else:
            new = free_items(expected, items, grid, self.priors)
        if self.linked:
            keep = self.held
            mixed = Items(
                np.where(keep, items.a, new.a), np.where(keep, items.d, new.d), np.where(keep, items.c, new.c)
            )
            return Point(mixed, latent_moments(expected, grid))
        if expand:
            latent = latent_moments(expected, grid)
            if self.model is Model.RASCH:
                latent = Latent(latent.mean, 1.0)
            new = rescaled(new, latent)
        return Point(new, point.latent)


def _starting_values(responses: Responses, model: Model, priors: Priors) -> Items:
    k = responses.items
    n = responses.answered
    right = responses.counts @ responses.right
    share = (right + 0.5) / (n + 1.0)
    slope = np.ones(k)
    if model in (Model.TWO, Model.THREE):
        slope = np.clip(_item_rest_slope(responses, share), -2.5, 2.5)
        slope = np.where(np.abs(slope) < 0.3, np.where(slope < 0, -0.3, 0.3), slope)
    if priors.on_slope:
        centre = np.exp(np.broadcast_to(np.asarray(priors.log_slope_mean, dtype=np.float64), k))
        slope = np.where(slope > 0.3, slope, centre)
    guess = np.zeros(k)
    if model is Model.THREE:
        alpha, beta = np.asarray(priors.guess_alpha), np.asarray(priors.guess_beta)
        guess = guess + np.where(
            alpha + beta > 2.0, (alpha - 1.0) / np.maximum(alpha + beta - 2.0, 1e-9), 0.2
        )
        guess = np.clip(np.minimum(guess, 0.8 * share), 0.01, 0.5)
    above = np.clip((share - guess) / (1.0 - guess), 0.02, 0.98)
    intercept = np.log(above / (1.0 - above)) * np.sqrt(1.0 + slope**2 / 2.89)
    return Items(slope, intercept, guess)


def _item_rest_slope(responses: Responses, share: Array) -> Array:
    """A slope from the correlation of each item with the sum of the others."""
    centred = responses.right - share
    if responses.seen is not None:
        centred = centred * responses.seen
    counts = responses.counts
    total = centred.sum(axis=1)
    persons = max(responses.persons, 1.0)
    variance = (counts @ centred**2) / persons
    covariance = (counts * total) @ centred / persons - variance
    rest = (counts @ total**2) / persons - 2.0 * covariance - variance
    r = covariance / np.sqrt(np.maximum(variance * rest, 1e-12))
    r = np.clip(1.3 * r, -0.9, 0.9)
    slope: Array = 1.7 * r / np.sqrt(1.0 - r**2)
    return slope


def fit(problem: Fit, *, max_cycles: int, errors: bool) -> Fitted:
    """Climb to the maximum; cycles are passes over the data."""
    point, grid, cycles = problem.start, fitting(problem.start.items, problem.start.latent), 0
    fine = _FINE
    polished: _Polished | None = None
    for _ in range(4):
        # With a prior on the scale, absorbing the latent moments is no longer exact.
        if not problem.linked:
            budget = min(max_cycles - cycles, _PATIENCE)
            point, used, _ = _climb(problem, point, grid, _ROUGH, budget, expand=True)
            cycles += used
            grid = _refined(grid, point)
        exact = not problem.priors.on_scale
        budget = min(max_cycles - cycles, _PATIENCE)
        point, used, settled = _climb(problem, point, grid, fine, budget, expand=exact)
        cycles += used
        finer = _refined(grid, point)
        if finer is not grid:
            grid = finer
            if cycles < max_cycles:
                continue
        polished = _polish(problem, point, grid)
        cycles += polished.cycles
        point = polished.point
        if polished.distance < _ENOUGH or cycles >= max_cycles:
            break
        fine /= 30.0
    if polished is None:
        polished = _polish(problem, point, grid)
    return _verdict(problem, polished, grid, cycles, settled=settled, errors=errors)


def _refined(grid: Grid, point: Point) -> Grid:
    wanted = fitting(point.items, point.latent)
    tight = grid.step > 1.05 * widest_step(point.items)
    narrow = grid.nodes[0] > wanted.nodes[0] + 0.5 or grid.nodes[-1] < wanted.nodes[-1] - 0.5
    coarse = point.latent.sd < 1.0 and grid.step > 1.3 * wanted.step
    return wanted if (tight or narrow or coarse) and len(wanted) > len(grid) else grid


def _climb(
    problem: Fit, point: Point, grid: Grid, tolerance: float, budget: int, *, expand: bool
) -> tuple[Point, int, bool]:
    """EM with squared extrapolation (SQUAREM, scheme S3), kept uphill.

    Source: Varadhan and Roland (2008), Scandinavian Journal of Statistics 35(2), table 1.
    """
    data, used = problem.responses, 0
    expected = expect(data, point.items, grid, point.latent)
    used += 1
    while used < budget:
        first = problem.step(point, expected, grid, expand=expand)
        x0, x1 = point.vector(), first.vector()
        r = x1 - x0
        if np.abs(r).max() < tolerance:
            return first, used, True
        at_first = expect(data, first.items, grid, first.latent)
        second = problem.step(first, at_first, grid, expand=expand)
        used += 1
        v = second.vector() - x1 - r
        length = float(np.linalg.norm(v))
        alpha = max(1.0, float(np.linalg.norm(r)) / length) if length > 0 else 1.0
        point = second
        if alpha > 1.0:
            jump = second.at(x0 + 2.0 * alpha * r + alpha**2 * v)
            tried = expect(data, jump.items, grid, jump.latent)
            used += 1
            if problem.objective(jump, tried) >= problem.objective(first, at_first):
                point, expected = jump, tried
                continue
        expected = expect(data, point.items, grid, point.latent)
        used += 1
    return point, used, False


@dataclass(frozen=True, slots=True)
class _Polished:
    point: Point
    expected: Expected
    design: Array
    inverse: Array | None
    distance: float
    cycles: int


def _slope_of(problem: Fit, point: Point, expected: Expected, grid: Grid, design: Array) -> Array:
    """Gradient of the objective by the free parameters."""
    full = gradient(expected, point.items, grid)
    full += np.where(problem.held[:, None], 0.0, problem.priors.derivatives(point.items)[0])
    z = (grid.nodes - point.latent.mean) / point.latent.sd
    by_latent = np.array([expected.total @ z / point.latent.sd, expected.total @ (z**2 - 1.0)])
    parts = 3 if point.items.c.any() else 2
    out: Array = design.T @ np.concatenate([full[:, :parts].T.ravel(), by_latent])
    return out


def _inverse(
    problem: Fit, point: Point, expected: Expected, grid: Grid, design: Array
) -> tuple[Array, bool] | None:
    """Inverse of the observed information of the free parameters, and whether it is positive definite.

    Where it is not, the absolute eigenvalues stand in, which still points uphill. None
    where no parameter is free.
    """
    full = observed_information(problem.responses, expected, point.items, grid, point.latent)
    second = np.where(problem.held[:, None], 0.0, problem.priors.derivatives(point.items)[1])
    parts = 3 if point.items.c.any() else 2
    full[np.arange(len(full) - 2), np.arange(len(full) - 2)] -= second[:, :parts].T.ravel()
    information = design.T @ full @ design
    if not len(information):
        return None
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-12))
    values, vectors = np.linalg.eigh(information / np.multiply.outer(scale, scale))
    definite = bool(values[0] > 1e-9)
    inverse: Array = (vectors / np.maximum(np.abs(values), 1e-9)) @ vectors.T
    return inverse / np.multiply.outer(scale, scale), definite


def _polish(problem: Fit, point: Point, grid: Grid) -> _Polished:
    """Newton steps with the observed information, renewed when it no longer serves."""
    design = problem.design(point.items)
    expected = expect(problem.responses, point.items, grid, point.latent)
    cycles, distance = 1, np.inf
    result = _Polished(point, expected, design, None, np.inf, cycles)
    for _ in range(_RENEWALS):
        found = _inverse(problem, point, expected, grid, design)
        cycles += 1
        if found is None:
            return result
        inverse, definite = found
        errors = np.sqrt(np.diag(inverse))
        moved, before = 0.0, np.inf
        while True:
            step = inverse @ _slope_of(problem, point, expected, grid, design)
            distance = float(np.abs(step / errors).max())
            # With an old inverse each step must still gain a digit.
            if distance < _CLOSE or distance > 0.1 * before:
                break
            before = distance
            step *= min(1.0, 2.0 / distance)
            ahead = _uphill(problem, point, expected, grid, design @ step)
            cycles += 1
            if ahead is None:
                break
            point, expected = ahead
            moved += distance
        result = _Polished(point, expected, design, inverse if definite else None, distance, cycles)
        if moved < 0.05 or (problem.design(point.items).shape != design.shape):
            break
    return result


def _uphill(
    problem: Fit, point: Point, expected: Expected, grid: Grid, step: Array
) -> tuple[Point, Expected] | None:
    """Take a step, halved until the objective does not fall; None if it always does."""
    height = problem.objective(point, expected)
    for _ in range(6):
        further = point.at(point.vector() + step)
        then = expect(problem.responses, further.items, grid, further.latent)
        if problem.objective(further, then) >= height - 1e-7:
            return further, then
        step = step / 2.0
    return None


def _verdict(
    problem: Fit, polished: _Polished, grid: Grid, cycles: int, *, settled: bool, errors: bool
) -> Fitted:
    point = polished.point
    if not problem.linked and problem.model is not Model.RASCH and point.items.a.sum() < 0:
        # The likelihood does not know which end of theta is high; the sum score does.
        point = replace(point, items=Items(-point.items.a, point.items.d, point.items.c))
    k, parts = len(point.items), 3 if point.items.c.any() else 2
    unknown = np.full(k, np.nan)
    found = Errors(unknown, unknown, unknown, unknown)
    if polished.inverse is not None and errors:
        covariance = polished.design @ polished.inverse @ polished.design.T
        variance = np.diag(covariance)
        index = np.arange(k)
        sign = 1.0 if point.items is polished.point.items else -1.0
        found = Errors(
            variance[:k],
            variance[k : 2 * k],
            sign * covariance[index, k + index],
            variance[2 * k : 3 * k] if parts == 3 else np.zeros(k),
        )
    if polished.inverse is None:
        converged, why = False, "the likelihood is flat or has no maximum here: too few answers for the model"
    elif polished.distance < _ENOUGH:
        converged, why = True, "the gradient vanishes and the observed information is positive definite"
    else:
        converged = False
        why = f"stopped after {cycles} cycles, {polished.distance:.2g} standard errors from a maximum"
        if settled:
            why += " by the last Newton step"
    return Fitted(
        items=point.items,
        latent=point.latent,
        grid=grid,
        errors=found,
        held=problem.held,
        loglik=polished.expected.loglik,
        objective=problem.objective(polished.point, polished.expected),
        parameters=polished.design.shape[1],
        converged=converged,
        why=why,
        cycles=cycles,
    )
