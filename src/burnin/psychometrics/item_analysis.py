"""Classical item statistics: difficulty, item-rest correlation, reliability, distractor curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array
from burnin.psychometrics.responses import Responses


@dataclass(frozen=True, slots=True)
class Classical:
    """Statistics of each item, shapes (k,), and Cronbach's alpha of the whole.

    ``p`` is the share of right answers among the given ones. ``item_rest_r`` is the
    correlation with the mean of the other items; NaN where either is constant.
    ``alpha`` is NaN where answers are missing or nothing varies.
    """

    p: Array
    item_rest_r: Array
    alpha: float


def classical(responses: Responses) -> Classical:
    """Return classical statistics.

    >>> classical(Responses.of([[1, 1], [0, 0], [1, 0], [0, 1]], [3, 3, 1, 1])).item_rest_r.tolist()
    [0.5, 0.5]

    With missing answers a person's rest score is the mean excess over the items'
    difficulties on the answered rest; without them this correlates like the sum.

    Source: Crocker and Algina (1986), "Introduction to Classical and Modern Test
    Theory", chapters 7 and 14.
    """
    p = responses.proportion
    rest = rest_scores(responses)
    r = np.full(responses.items, np.nan)
    for j in range(responses.items):
        here = (responses.patterns[:, j] >= 0) & np.isfinite(rest[:, j])
        r[j] = _correlation(responses.right[here, j], rest[here, j], responses.counts[here])
    return Classical(p, r, _alpha(responses))


def rest_scores(responses: Responses) -> Array:
    """Return for each pattern and item the mean excess on the other items, shape (n, k); NaN without any."""
    centred = responses.right - np.nan_to_num(responses.proportion)
    n_others: Array | float = responses.items - 1.0
    if responses.seen is not None:
        centred = centred * responses.seen
        n_others = responses.seen.sum(axis=1, keepdims=True) - responses.seen
    with np.errstate(invalid="ignore", divide="ignore"):
        out: Array = (centred.sum(axis=1, keepdims=True) - centred) / n_others
    return out


def _correlation(x: Array, y: Array, weights: Array) -> float:
    total = weights.sum()
    if total <= 0:
        return float("nan")
    x = x - weights @ x / total
    y = y - weights @ y / total
    xx, yy = weights @ x**2, weights @ y**2
    if xx <= 1e-12 * total or yy <= 1e-12 * total:
        return float("nan")
    return float(weights @ (x * y) / np.sqrt(xx * yy))


def _alpha(responses: Responses) -> float:
    k, counts = responses.items, responses.counts
    if responses.seen is not None or k < 2:
        return float("nan")
    total = responses.right.sum(axis=1)
    mean = counts @ total / counts.sum()
    variance = counts @ (total - mean) ** 2 / counts.sum()
    p = responses.proportion
    if variance <= 0:
        return float("nan")
    return float(k / (k - 1) * (1.0 - (p * (1.0 - p)).sum() / variance))


@dataclass(frozen=True, slots=True)
class DistractorCurve:
    """How often each option is chosen in groups of rising rest score.

    ``share`` has shape (groups, options), rows sum to 1; ``size`` (groups,) counts
    people; ``rest_r`` (options,) correlates choosing the option with the rest score.
    """

    share: Array
    size: Array
    rest_r: Array


def distractor_curve(
    choice: NDArray[np.integer], options: int, rest: Array, counts: Array, groups: int = 5
) -> DistractorCurve:
    """Return the curve of one item; ``choice`` and ``rest`` have shape (n,), -1 is no answer.

    >>> curve = distractor_curve(np.array([0, 0, 1, 1]), 2, np.array([1.0, 2, 3, 4]), np.ones(4), groups=2)
    >>> curve.share.tolist()
    [[1.0, 0.0], [0.0, 1.0]]

    People with the same rest score stay in one group, so that groups differ in size.

    Source: Haladyna (2004), "Developing and Validating Multiple-Choice Test Items",
    chapter 9 (trace lines).
    """
    here = (choice >= 0) & np.isfinite(rest)
    choice, rest, counts = choice[here], rest[here], counts[here]
    group = rank_groups(rest, counts, groups)
    share = np.zeros((groups, options))
    np.add.at(share, (group, choice), counts)
    size = share.sum(axis=1)
    keep = size > 0
    share = share[keep] / size[keep, None]
    r = np.array([_correlation((choice == o).astype(np.float64), rest, counts) for o in range(options)])
    return DistractorCurve(share, size[keep], r)


def rank_groups(score: Array, counts: Array, groups: int) -> NDArray[np.intp]:
    """Return for each row a group 0 .. groups-1 of about equal weight; ties stay together."""
    values, place = np.unique(np.round(score, 10), return_inverse=True)
    weight = np.bincount(place.ravel(), counts, len(values))
    middle = np.cumsum(weight) - 0.5 * weight
    group = np.minimum((middle / max(weight.sum(), 1e-300) * groups).astype(np.intp), groups - 1)
    out: NDArray[np.intp] = group[place.ravel()]
    return out
