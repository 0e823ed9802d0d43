"""What is to be fitted, where the climb starts, and one step of EM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from burnin.psychometrics.curves import Array, Items, Model
from burnin.psychometrics.expectation import Expected
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.maximisation import (
    INTERCEPT_BOUND,
    SLOPE_BOUND,
    common_slope,
    free_items,
    latent_moments,
    rescaled,
)
from burnin.psychometrics.priors import Priors
from burnin.psychometrics.responses import Responses


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
class Problem:
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
    ) -> Problem:
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
        if self.model is Model.THREE:
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
            guessing = self.model is Model.THREE
            new = free_items(expected, items, grid, self.priors, guessing=guessing)
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
