"""Find wrong keys: an option that the able choose, where the key is what the others choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array
from burnin.psychometrics.item_analysis import rank_groups, rest_scores
from burnin.psychometrics.responses import Responses

THRESHOLD = 2.5  # standard errors by which another option must out-discriminate the key
_SLOPE_PRIOR_SD = 1.0
_GROUPS = 60
_ROUNDS = 4

Choices = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Suspect:
    """An item whose key looks wrong.

    ``likely`` is the option that behaves like the key, ``z`` by how many standard
    errors its slope exceeds the key's. ``key_mean`` and ``likely_mean`` are the mean
    standardised rest scores of those who chose each, ``share`` how many chose it.
    """

    item: int
    likely: int
    z: float
    key_mean: float
    likely_mean: float
    share: float


def suspects(
    choices: Choices,
    options: Sequence[int],
    keys: Sequence[frozenset[int]],
    counts: Array | None = None,
    *,
    threshold: float = THRESHOLD,
) -> list[Suspect]:
    """Return the items whose key looks wrong, with the likely key.

    ``choices`` has shape (n, k): the number of the chosen option, -1 for no answer.
    ``options`` says how many options each item has, ``keys`` which of them count as
    right. Right and wrong alone fit too: options 0 and 1, key {1}.

    For every item the log odds of each option against the key are regressed on the
    rest score (Bock's nominal model with a known trait). In that model the key is the
    option with the highest slope; an option whose slope exceeds the key's by
    ``threshold`` standard errors raises the alarm. Suspects are re-keyed for the rest
    scores of the others and the scan repeats, so that wrong keys do not shield each
    other.

    Source: Bock (1972), Psychometrika 37(1), 29-51; slopes as evidence on the key:
    Thissen, Steinberg and Fitzpatrick (1989), Journal of Educational Measurement 26(2).
    """
    weights = np.ones(len(choices)) if counts is None else np.asarray(counts, dtype=np.float64)
    working = list(keys)
    found: list[Suspect] = []
    for _ in range(_ROUNDS):
        score = _standardised_rest(choices, working, weights)
        found = []
        for j in range(choices.shape[1]):
            suspect = _scan(choices[:, j], options[j], keys[j], score[:, j], weights, threshold)
            if suspect is not None:
                found.append(Suspect(j, *suspect))
        revised = list(keys)
        for one in found:
            revised[one.item] = frozenset({one.likely})
        if revised == working:
            break
        working = revised
    return found


def scored(choices: Choices, keys: Sequence[frozenset[int]]) -> NDArray[np.int8]:
    """Return 1 where the choice is in the key, 0 where it is not, -1 without an answer."""
    out = np.full(choices.shape, -1, dtype=np.int8)
    for j, key in enumerate(keys):
        out[:, j] = np.where(choices[:, j] < 0, -1, np.isin(choices[:, j], sorted(key)))
    return out


def _standardised_rest(choices: Choices, keys: Sequence[frozenset[int]], weights: Array) -> Array:
    table = scored(choices, keys)
    rows = Responses(table, weights, np.arange(len(table)))
    rest = rest_scores(rows)
    known = np.where(np.isfinite(rest), weights[:, None], 0.0)
    safe = np.nan_to_num(rest)
    total = np.maximum(known.sum(axis=0), 1e-300)
    mean = (known * safe).sum(axis=0) / total
    sd = np.sqrt((known * (safe - mean) ** 2).sum(axis=0) / total)
    with np.errstate(invalid="ignore", divide="ignore"):
        out: Array = (rest - mean) / sd
    return out


def _scan(
    choice: Choices, options: int, key: frozenset[int], score: Array, weights: Array, threshold: float
) -> tuple[int, float, float, float, float] | None:
    here = (choice >= 0) & np.isfinite(score)
    choice, score, weights = choice[here], score[here], weights[here]
    others = [option for option in range(options) if option not in key]
    if not others or weights.sum() <= 0:
        return None
    # Category 0 is the key (or all keys together), the rest are its rivals.
    category = np.zeros(options, dtype=np.intp)
    for place, option in enumerate(others, start=1):
        category[option] = place
    kind = category[choice]
    group = rank_groups(score, weights, _GROUPS)
    table = np.zeros((_GROUPS, len(others) + 1))
    np.add.at(table, (group, kind), weights)
    size = table.sum(axis=1)
    centre = np.bincount(group, weights * score, _GROUPS)
    keep = size > 0
    slopes, errors = _nominal_slopes(table[keep], centre[keep] / size[keep])
    z = slopes / errors
    best = int(z.argmax())
    chose = table.sum(axis=0)
    if z[best] < threshold or chose[best + 1] < 2:
        return None
    means = np.bincount(kind, weights * score, len(chose)) / np.maximum(chose, 1e-300)
    return (
        others[best],
        float(z[best]),
        float(means[0]),
        float(means[best + 1]),
        chose[best + 1] / chose.sum(),
    )


def _nominal_slopes(table: Array, score: Array) -> tuple[Array, Array]:
    """Regress log odds against category 0 on a score; return slopes and errors of the others.

    ``table`` (groups, categories) holds counts. A weak normal prior on slopes keeps
    rare options finite.
    """
    rivals = table.shape[1] - 1
    size = table.sum(axis=1)
    x = np.column_stack([np.ones_like(score), score])
    beta = np.zeros((rivals, 2))
    beta[:, 0] = np.log((table[:, 1:].sum(axis=0) + 0.5) / (table[:, 0].sum() + 0.5))
    ridge = np.tile([1e-3, 1.0 / _SLOPE_PRIOR_SD**2], rivals)
    information = np.eye(2 * rivals)
    for _ in range(30):
        z = np.column_stack([np.zeros_like(score), x @ beta.T])
        z -= z.max(axis=1, keepdims=True)
        share = np.exp(z)
        share /= share.sum(axis=1, keepdims=True)
        residual = table[:, 1:] - size[:, None] * share[:, 1:]
        gradient = (residual.T @ x).ravel() - ridge * beta.ravel()
        part = share[:, 1:]
        spread = size[:, None, None] * (
            part[:, :, None] * np.eye(rivals) - part[:, :, None] * part[:, None, :]
        )
        information = np.einsum("gij,ga,gb->iajb", spread, x, x).reshape(2 * rivals, 2 * rivals)
        information += np.diag(ridge)
        step = np.linalg.solve(information, gradient)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        beta += step.reshape(rivals, 2)
        if np.abs(step).max() < 1e-6:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information)))[1::2]
    return beta[:, 1], errors
