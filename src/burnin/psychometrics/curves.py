"""Item response functions: the three-parameter logistic and its special cases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NO_SLOPE = 1e-4  # a curve this flat has no difficulty


class Model(StrEnum):
    """Which parameters an item has of its own."""

    RASCH = "rasch"  # difficulty; every slope is 1
    ONE = "1pl"  # difficulty; one slope for all, estimated
    TWO = "2pl"  # difficulty and slope
    THREE = "3pl"  # difficulty, slope and lower asymptote


@dataclass(frozen=True, slots=True)
class Items:
    """Parameters of k items in slope-intercept form.

    ``P(right | theta) = c + (1 - c) / (1 + exp(-(a * theta + d)))``, without the
    constant 1.702. ``a`` and ``d`` are logits (per unit of theta, and at theta 0),
    ``c`` is a probability; each has shape (k,).

    Source: Birnbaum in Lord and Novick (1968), chapters 17 to 20.
    """

    a: Array
    d: Array
    c: Array

    @classmethod
    def of(cls, a: object, b: object, c: object = 0.0) -> Items:
        """Make items from slopes, difficulties and lower asymptotes; scalars are repeated.

        >>> Items.of([1.0, 2.0], [0.0, 1.0]).d
        array([ 0., -2.])
        """
        slope, difficulty, guess = np.broadcast_arrays(
            np.atleast_1d(np.asarray(a, dtype=np.float64)),
            np.asarray(b, dtype=np.float64),
            np.asarray(c, dtype=np.float64),
        )
        return cls(slope.copy(), -slope * difficulty + 0.0, guess.copy())

    def __len__(self) -> int:
        return len(self.a)

    @property
    def b(self) -> Array:
        """Difficulty ``-d / a``: the theta where P is half-way between c and 1; NaN without a slope."""
        flat = np.abs(self.a) < NO_SLOPE
        return np.where(flat, np.nan, -self.d / np.where(flat, 1.0, self.a))

    def take(self, index: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Items:
        """Return the items that an index or mask names."""
        return Items(self.a[index], self.d[index], self.c[index])


def logistic(z: Array) -> Array:
    """Return 1 / (1 + exp(-z)) without overflow; any shape."""
    half: Array = 0.5 * (1.0 + np.tanh(0.5 * z))
    return half


def logits(items: Items, theta: Array) -> Array:
    """Return a * theta + d, shape (k, len(theta))."""
    return np.multiply.outer(items.a, theta) + items.d[:, None]


def probability(items: Items, theta: Array) -> Array:
    """Return P(right), shape (k, len(theta)).

    >>> probability(Items.of(1.0, 0.0, 0.2), np.array([0.0]))
    array([[0.6]])
    """
    c = items.c[:, None]
    return c + (1.0 - c) * logistic(logits(items, theta))


def log_probabilities(items: Items, theta: Array) -> tuple[Array, Array]:
    """Return log P and log (1 - P), each (k, len(theta)), exact in both tails."""
    z = logits(items, theta)
    log_wrong = -np.logaddexp(0.0, z)
    if not items.c.any():
        return log_wrong + z, log_wrong
    c = items.c[:, None]
    with np.errstate(divide="ignore"):
        log_right = np.logaddexp(np.log(c), np.log1p(-c) + log_wrong + z)
    return log_right, log_wrong + np.log1p(-c)


def information(items: Items, theta: Array) -> Array:
    """Return each item's Fisher information about theta, shape (k, len(theta)).

    >>> information(Items.of(2.0, 0.0), np.array([0.0]))
    array([[1.]])

    Source: Lord (1980), "Applications of Item Response Theory", equation 5-9.
    """
    logistic_part = logistic(logits(items, theta))
    c = items.c[:, None]
    right = c + (1.0 - c) * logistic_part
    # P'^2 / (P Q) with P' = (1-c) a L (1-L) and Q = (1-c)(1-L).
    return (
        (1.0 - c)
        * items.a[:, None] ** 2
        * logistic_part**2
        * (1.0 - logistic_part)
        / np.maximum(right, 1e-300)
    )
