"""The climb to the maximum: accelerated EM, then Newton on the observed information."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from burnin.psychometrics.curves import Array, Items, Model
from burnin.psychometrics.expectation import Expected, expect, gradient
from burnin.psychometrics.grid import Grid, Latent, fitting, widest_step
from burnin.psychometrics.observed import observed_information
from burnin.psychometrics.problem import Point, Problem

_ROUGH, _FINE = 2e-2, 2e-4
_CLOSE = 1e-5  # distance to the maximum, in standard errors, at which the climb ends
_ENOUGH = 1e-3  # the same for the verdict
_RENEWALS = 12
_PATIENCE = 120  # cycles of EM before Newton has a try


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


def fit(problem: Problem, *, max_cycles: int, errors: bool) -> Fitted:
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
    problem: Problem, point: Point, grid: Grid, tolerance: float, budget: int, *, expand: bool
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


def _slope_of(problem: Problem, point: Point, expected: Expected, grid: Grid, design: Array) -> Array:
    """Gradient of the objective by the free parameters."""
    full = gradient(expected, point.items, grid)
    full += np.where(problem.held[:, None], 0.0, problem.priors.derivatives(point.items)[0])
    z = (grid.nodes - point.latent.mean) / point.latent.sd
    by_latent = np.array([expected.total @ z / point.latent.sd, expected.total @ (z**2 - 1.0)])
    parts = 3 if point.items.c.any() else 2
    out: Array = design.T @ np.concatenate([full[:, :parts].T.ravel(), by_latent])
    return out


def _inverse(
    problem: Problem, point: Point, expected: Expected, grid: Grid, design: Array
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


def _polish(problem: Problem, point: Point, grid: Grid) -> _Polished:
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
    problem: Problem, point: Point, expected: Expected, grid: Grid, step: Array
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
    problem: Problem, polished: _Polished, grid: Grid, cycles: int, *, settled: bool, errors: bool
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
