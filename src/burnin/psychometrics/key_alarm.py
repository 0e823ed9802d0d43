"""Find wrong keys: an option that the able choose, where the key is what the others choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array
from burnin.psychometrics.item_analysis import rank_groups, rest_scores
from burnin.psychometrics.responses import Responses

ALARM_AT = 0.2  # worth a look: a false alarm costs a minute, a wrong key costs trust
_KEY_RIGHT = 0.97
_GROUPS = 60
_ROUNDS = 4

Choices = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Suspect:
    """An item whose key looks wrong.

    ``likely`` is the option that most probably is the key, ``probability`` that of the
    stated key being wrong. ``key_mean`` and ``likely_mean`` are the mean standardised
    rest scores of those who chose each (NaN where nobody did), ``key_share`` and
    ``likely_share`` how many chose it.
    """

    item: int
    likely: int
    probability: float
    key_mean: float
    likely_mean: float
    key_share: float
    likely_share: float


@dataclass(frozen=True, slots=True)
class Ordinary:
    """How the log odds of a wrong option against the key behave in an ordinary item.

    Normal priors by a standardised rest score: what all wrong options of an item
    share, and what each has of its own. Wide: slopes of about -0.8 (items whose slope
    is 0.2 to 2), intercepts that allow items of 5 to 95 % right.
    """

    slope: float = -0.8
    slope_shared_sd: float = 0.4
    slope_own_sd: float = 0.4
    intercept: float = -1.1
    intercept_shared_sd: float = 1.2
    intercept_own_sd: float = 1.0


ORDINARY = Ordinary()
# Right and wrong alone: "wrong" is no option, and a hard item is no sign of a wrong key.
ORDINARY_TWO = Ordinary(intercept=0.0, intercept_shared_sd=1.5)


def suspects(
    choices: Choices,
    options: Sequence[int],
    keys: Sequence[frozenset[int]],
    counts: Array | None = None,
    *,
    alarm_at: float = ALARM_AT,
) -> list[Suspect]:
    """Return the items whose key looks wrong, with the likely key.

    ``choices`` has shape (n, k): the number of the chosen option, -1 for no answer.
    ``options`` says how many options each item has, ``keys`` which of them count as
    right. Right and wrong alone fit too: options 0 and 1, key {1}.

    For each item every option in turn is taken for the key: the log odds of the others
    against it are a line in the rest score (Bock's nominal model with a known trait),
    with slopes and intercepts as in ordinary items. The marginal likelihoods (Laplace)
    and a prior of 97 % for the stated key give the probability of each. An alarm is
    raised where the stated key has less than ``1 - alarm_at``. Suspects are re-keyed
    for the rest scores of the others and the scan repeats, so that wrong keys do not
    shield each other.

    Source: Bock (1972), Psychometrika 37(1), 29-51; slopes as evidence on the key:
    Thissen, Steinberg and Fitzpatrick (1989), Journal of Educational Measurement 26(2);
    marginal likelihood: Tierney and Kadane (1986), JASA 81(393).
    """
    weights = np.ones(len(choices)) if counts is None else np.asarray(counts, dtype=np.float64)
    working = list(keys)
    found: list[Suspect] = []
    for _ in range(_ROUNDS):
        score = _standardised_rest(choices, working, weights)
        found = []
        for j in range(choices.shape[1]):
            suspect = _scan(j, choices[:, j], options[j], keys[j], score[:, j], weights, alarm_at)
            if suspect is not None:
                found.append(suspect)
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
    item: int,
    choice: Choices,
    options: int,
    key: frozenset[int],
    score: Array,
    weights: Array,
    alarm_at: float,
) -> Suspect | None:
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
    keep = size > 0
    at = np.bincount(group, weights * score, _GROUPS)[keep] / size[keep]
    ordinary = ORDINARY if len(others) > 1 else ORDINARY_TWO
    evidence = np.array([_log_evidence(table[keep], at, base, ordinary) for base in range(len(others) + 1)])
    evidence += np.log([_KEY_RIGHT, *[(1.0 - _KEY_RIGHT) / len(others)] * len(others)])
    probability = np.exp(evidence - evidence.max())
    probability /= probability.sum()
    wrong = 1.0 - float(probability[0])
    if wrong <= alarm_at:
        return None
    likely = int(probability[1:].argmax()) + 1
    chose = table.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(kind, weights * score, len(chose)) / chose
        share = chose / chose.sum()
    return Suspect(
        item,
        others[likely - 1],
        wrong,
        float(means[0]),
        float(means[likely]),
        float(share[0]),
        float(share[likely]),
    )


def _log_evidence(table: Array, score: Array, base: int, ordinary: Ordinary) -> float:
    """Return the log marginal likelihood of the choices if category ``base`` is the key.

    ``table`` (groups, categories) holds counts, ``score`` (groups,) the rest score.
    """
    table = np.column_stack([table[:, base], np.delete(table, base, axis=1)])
    rivals = table.shape[1] - 1
    size = table.sum(axis=1)
    x = np.column_stack([np.ones_like(score), score])
    mean = np.tile([ordinary.intercept, ordinary.slope], (rivals, 1))
    shared = np.diag([ordinary.intercept_shared_sd**2, ordinary.slope_shared_sd**2])
    own = np.diag([ordinary.intercept_own_sd**2, ordinary.slope_own_sd**2])
    covariance = np.kron(np.ones((rivals, rivals)), shared) + np.kron(np.eye(rivals), own)
    precision = np.linalg.inv(covariance)
    beta = mean.copy()
    value, gradient, information = _nominal(table, size, x, beta, mean, precision)
    for _ in range(40):
        step = np.linalg.solve(information, gradient).reshape(rivals, 2)
        step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-12))
        tried = _nominal(table, size, x, beta + step, mean, precision)
        while tried[0] < value - 1e-9 and np.abs(step).max() > 1e-9:
            step = step / 2.0
            tried = _nominal(table, size, x, beta + step, mean, precision)
        beta = beta + step
        value, gradient, information = tried
        if np.abs(step).max() < 1e-5:
            break
    value += 0.5 * float(np.linalg.slogdet(precision)[1] - np.linalg.slogdet(information)[1])
    # The key rises fastest: what of the slopes' posterior lies above zero does not count.
    errors = np.sqrt(np.diag(np.linalg.inv(information)))[1::2]
    below = [0.5 * erfc(z) for z in beta[:, 1] / (errors * sqrt(2.0))]
    return value + float(np.sum(np.log(np.maximum(below, 1e-300))))


def _nominal(
    table: Array, size: Array, x: Array, beta: Array, mean: Array, precision: Array
) -> tuple[float, Array, Array]:
    """Log posterior of a nominal model up to a constant, its gradient and information."""
    rivals = len(beta)
    z = np.column_stack([np.zeros(len(x)), x @ beta.T])
    z -= z.max(axis=1, keepdims=True)
    share = np.exp(z)
    total = share.sum(axis=1, keepdims=True)
    share /= total
    off = (beta - mean).ravel()
    value = float((table * (z - np.log(total))).sum() - 0.5 * off @ precision @ off)
    part = share[:, 1:]
    gradient = ((table[:, 1:] - size[:, None] * part).T @ x).ravel() - precision @ off
    spread = size[:, None, None] * (part[:, :, None] * np.eye(rivals) - part[:, :, None] * part[:, None, :])
    squares = (x[:, :, None] * x[:, None, :]).reshape(len(x), 4)
    blocks = (spread.reshape(len(x), -1).T @ squares).reshape(rivals, rivals, 2, 2)
    information = blocks.transpose(0, 2, 1, 3).reshape(2 * rivals, 2 * rivals) + precision
    return value, gradient, information
