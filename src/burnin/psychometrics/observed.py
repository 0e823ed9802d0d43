"""Observed information of the marginal likelihood, by Louis' identity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array, Items, logistic, logits, probability
from burnin.psychometrics.expectation import Expected, Posterior, posteriors
from burnin.psychometrics.grid import Grid, Latent
from burnin.psychometrics.maximisation import fisher
from burnin.psychometrics.responses import Responses


def observed_information(
    responses: Responses, expected: Expected, items: Items, grid: Grid, latent: Latent
) -> Array:
    """Return minus the second derivative of the log-likelihood, exact on the grid.

    Order of rows: all slopes, all intercepts, all logit c (3PL only), then the mean and
    the log standard deviation of the latent variable; shape (2k + 2, 2k + 2) or
    (3k + 2, 3k + 2). It is the expected complete-data information less the posterior
    covariance of the complete-data score.

    Source: Louis (1982), Journal of the Royal Statistical Society B 44(2), equation 3.2.
    """
    k, dense = len(items), bool(items.c.any())
    parts = 3 if dense else 2
    size = parts * k
    out = np.zeros((size + 2, size + 2))
    complete = _complete(expected, items, grid) if dense else fisher(expected, items, grid)
    diagonal = np.arange(k)
    for i in range(parts):
        for j in range(parts):
            out[i * k + diagonal, j * k + diagonal] = complete[:, i, j]
    z = (grid.nodes - latent.mean) / latent.sd
    persons = expected.total.sum()
    out[size, size] = persons / latent.sd**2
    out[size, size + 1] = out[size + 1, size] = 2.0 * (expected.total @ z) / latent.sd
    out[size + 1, size + 1] = 2.0 * (expected.total @ z**2)
    by_latent = np.vstack([z / latent.sd, z**2 - 1.0])
    if dense or responses.seen is not None:
        lost = _lost_general(responses, items, grid, latent, by_latent, parts)
    else:
        lost = _lost_complete(responses, items, grid, latent, by_latent)
    out -= lost
    symmetric: Array = 0.5 * (out + out.T)
    return symmetric


def _complete(expected: Expected, items: Items, grid: Grid) -> Array:
    """Expected complete-data observed information of 3PL items, shape (k, 3, 3)."""
    nodes = grid.nodes
    assert expected.right_mass is not None
    mass = expected.total if expected.mass is None else expected.mass
    c = items.c[:, None]
    curve = logistic(logits(items, nodes))
    slope = curve * (1.0 - curve)
    right = c + (1.0 - c) * curve
    wrong = np.maximum((1.0 - c) * (1.0 - curve), 1e-150)
    hits, misses = expected.right_mass, mass - expected.right_mass
    outer = hits / right**2 + misses / wrong**2
    bend = hits / right - misses / wrong
    by_z, by_g = (1.0 - c) * slope, c * wrong
    zz = outer * by_z**2 - bend * by_z * (1.0 - 2.0 * curve)
    zg = outer * by_z * by_g + bend * c * by_z
    gg = outer * by_g**2 - bend * by_g * (1.0 - 2.0 * c)
    out = np.zeros((len(items), 3, 3))
    out[:, 0, 0], out[:, 0, 1], out[:, 1, 1] = zz @ nodes**2, zz @ nodes, zz.sum(axis=1)
    out[:, 0, 2], out[:, 1, 2], out[:, 2, 2] = zg @ nodes, zg.sum(axis=1), gg.sum(axis=1)
    out[:, 1, 0], out[:, 2, 0], out[:, 2, 1] = out[:, 0, 1], out[:, 0, 2], out[:, 1, 2]
    return out


def _lost_complete(responses: Responses, items: Items, grid: Grid, latent: Latent, by_latent: Array) -> Array:
    """Posterior covariance of the score, where all answered all and no item has an asymptote.

    The score of a person is x (outer) (theta, 1) less a vector g(theta) that is the same
    for all, so that its covariance needs only Q x Q and k x k sums.
    """
    nodes, k = grid.nodes, len(items)
    right = probability(items, nodes)
    # Rows of g with the sign of the score: minus P theta, minus P, plus the latent part.
    same = np.vstack([-right * nodes, -right, by_latent])
    by_own = np.zeros((k, k))
    by_node = np.zeros((k, len(nodes)))
    spread = np.zeros((len(nodes), len(nodes)))
    total = np.zeros(len(nodes))
    for chunk in posteriors(responses, items, grid, latent):
        weighted = chunk.weights * chunk.counts[:, None]
        total += weighted.sum(axis=0)
        spread += chunk.weights.T @ weighted
        theta = chunk.weights @ nodes
        variance = np.maximum(chunk.weights @ nodes**2 - theta**2, 0.0)
        by_own += chunk.right.T @ (chunk.right * (chunk.counts * variance)[:, None])
        by_node += chunk.right.T @ (weighted * (nodes - theta[:, None]))
    out: Array = same @ (np.diag(total) - spread) @ same.T
    out[:k, :k] += by_own
    cross = by_node @ same.T
    out[:k, :] += cross
    out[:, :k] += cross.T
    return out


def _lost_general(
    responses: Responses, items: Items, grid: Grid, latent: Latent, by_latent: Array, parts: int
) -> Array:
    """Posterior covariance of the score for any pattern of missing answers and any item."""
    nodes, k = grid.nodes, len(items)
    curve = logistic(logits(items, nodes))
    right = items.c[:, None] + (1.0 - items.c[:, None]) * curve
    per_residual = curve / np.maximum(right, 1e-300)
    by_item = np.stack([per_residual * nodes, per_residual, items.c[:, None] / np.maximum(right, 1e-300)])
    size = parts * k
    out = np.zeros((size + 2, size + 2))
    for chunk in posteriors(responses, items, grid, latent):
        mean = np.zeros((len(chunk.counts), size + 2))
        for node in range(len(nodes)):
            weight = chunk.weights[:, node]
            if weight.max() < 1e-12:
                continue
            near = weight > 1e-14
            residual = _residual(chunk, right[:, node], near)
            heavy = weight[near] * chunk.counts[near]
            gram = residual.T @ (residual * heavy[:, None])
            # The last column of ``residual`` is 1: it stands for the latent part.
            factors = [by_item[i, :, node] for i in range(parts)]
            for i, fi in enumerate(factors):
                rows = slice(i * k, (i + 1) * k)
                for j, fj in enumerate(factors):
                    out[rows, j * k : (j + 1) * k] += fi[:, None] * gram[:k, :k] * fj
                latent_block = np.multiply.outer(fi * gram[:k, k], by_latent[:, node])
                out[rows, size:] += latent_block
                out[size:, rows] += latent_block.T
                mean[near, rows] += weight[near, None] * residual[:, :k] * fi
            out[size:, size:] += gram[k, k] * np.multiply.outer(by_latent[:, node], by_latent[:, node])
            mean[near, size:] += weight[near, None] * by_latent[:, node]
        out -= mean.T @ (mean * chunk.counts[:, None])
    return out


def _residual(chunk: Posterior, right: Array, near: NDArray[np.bool_]) -> Array:
    answers = chunk.right[near]
    out = np.ones((len(answers), answers.shape[1] + 1))
    out[:, :-1] = answers - right
    if chunk.seen is not None:
        out[:, :-1] *= chunk.seen[near]
    return out
