"""The E step: expected counts on the grid, as sums that add over shards of people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from burnin.psychometrics.curves import Array, Items, log_probabilities, logits
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.responses import Responses

_CHUNK = 2048


@dataclass(frozen=True, slots=True)
class Expected:
    """Sums over people; shards of people add.

    ``total`` (Q,) is the expected number of people at each node; ``mass`` is the same
    among those who answered an item, (k, Q), or None where all answered all. ``right``
    (k,) counts right answers and ``right_theta`` (k,) adds their authors' expected
    theta: with the mass these are sufficient for logistic items. ``right_mass`` (k, Q)
    is needed, and given, only for items with a lower asymptote.
    """

    loglik: float
    total: Array
    mass: Array | None
    right: Array
    right_theta: Array
    right_mass: Array | None

    def __add__(self, other: Expected) -> Expected:
        def both(x: Array | None, y: Array | None) -> Array | None:
            return None if x is None or y is None else x + y

        # One shard may happen to have no missing answer: its mass is its total.
        k = len(self.right)
        mass = both(self.mass, other.mass)
        if (self.mass is None) != (other.mass is None):
            mass = self._dense_mass(k) + other._dense_mass(k)
        return Expected(
            self.loglik + other.loglik,
            self.total + other.total,
            mass,
            self.right + other.right,
            self.right_theta + other.right_theta,
            both(self.right_mass, other.right_mass),
        )

    def _dense_mass(self, k: int) -> Array:
        return np.broadcast_to(self.total, (k, len(self.total))) if self.mass is None else self.mass


@dataclass(frozen=True, slots=True)
class Posterior:
    """Posterior weights of one chunk of patterns: each row of ``weights`` sums to 1."""

    right: Array
    seen: Array | None
    counts: Array
    weights: Array
    log_marginal: Array


def posteriors(responses: Responses, items: Items, grid: Grid, latent: Latent) -> Iterator[Posterior]:
    """Yield the posterior over the grid, chunk by chunk of patterns.

    For logistic items the answers enter only through sum(a x) and sum(d x), so that a
    chunk costs one thin product instead of a k x Q one.
    """
    nodes, prior = grid.nodes, grid.log_weights(latent)
    log_right, log_wrong = log_probabilities(items, nodes)
    thin = not items.c.any()
    slopes = np.column_stack([items.a, items.d])
    odds = None if thin else log_right - log_wrong
    everyone = prior + log_wrong.sum(axis=0)
    seen_all = responses.seen
    for start in range(0, len(responses.counts), _CHUNK):
        part = slice(start, start + _CHUNK)
        right = responses.right[part]
        seen = None if seen_all is None else seen_all[part]
        if odds is None:
            sums = right @ slopes
            table = np.multiply.outer(sums[:, 0], nodes)
            table += sums[:, 1:]
        else:
            table = right @ odds
        table += everyone if seen is None else prior + seen @ log_wrong
        peak = table.max(axis=1)
        table -= peak[:, None]
        np.exp(table, out=table)
        norm = table.sum(axis=1)
        table /= norm[:, None]
        yield Posterior(right, seen, responses.counts[part], table, np.log(norm) + peak)


def expect(responses: Responses, items: Items, grid: Grid, latent: Latent) -> Expected:
    """Return the expected counts and the marginal log-likelihood.

    Source: Bock and Aitkin (1981), Psychometrika 46, equations 12 to 15.
    """
    nodes, k = grid.nodes, len(items)
    dense = bool(items.c.any())
    missing = responses.seen is not None
    loglik = 0.0
    total = np.zeros(len(nodes))
    right, right_theta = np.zeros(k), np.zeros(k)
    mass = np.zeros((k, len(nodes))) if missing else None
    right_mass = np.zeros((k, len(nodes))) if dense else None
    for chunk in posteriors(responses, items, grid, latent):
        loglik += float(chunk.counts @ chunk.log_marginal)
        total += chunk.counts @ chunk.weights
        if right_mass is not None:
            weighted = chunk.weights * chunk.counts[:, None]
            right_mass += chunk.right.T @ weighted
            if mass is not None and chunk.seen is not None:
                mass += chunk.seen.T @ weighted
            continue
        theta = chunk.weights @ nodes
        both = chunk.right.T @ np.column_stack([chunk.counts, chunk.counts * theta])
        right += both[:, 0]
        right_theta += both[:, 1]
        if mass is not None and chunk.seen is not None:
            mass += chunk.seen.T @ (chunk.weights * chunk.counts[:, None])
    if right_mass is not None:
        right, right_theta = right_mass.sum(axis=1), right_mass @ nodes
    return Expected(loglik, total, mass, right, right_theta, right_mass)


def gradient(expected: Expected, items: Items, grid: Grid) -> Array:
    """Return the derivative of the log-likelihood by (a, d, logit c), shape (k, 3).

    By Fisher's identity it is the expected complete-data score. For logistic items the
    third column is zero.
    """
    nodes = grid.nodes
    curve = 1.0 / (1.0 + np.exp(-np.clip(logits(items, nodes), -700, 700)))
    mass = expected.total if expected.mass is None else expected.mass
    out = np.zeros((len(items), 3))
    if expected.right_mass is None:
        fitted = mass * curve
        out[:, 0] = expected.right_theta - fitted @ nodes
        out[:, 1] = expected.right - fitted.sum(axis=1)
        return out
    c = items.c[:, None]
    right = c + (1.0 - c) * curve
    # (r - nP) / (PQ) dP/dpsi; dP/dz / (PQ) = L / P and dP/dg / (PQ) = c / P.
    residual = (expected.right_mass - mass * right) / right
    by_z = residual * curve
    out[:, 0] = by_z @ nodes
    out[:, 1] = by_z.sum(axis=1)
    out[:, 2] = residual.sum(axis=1) * items.c
    return out
