"""Which question to ask next to find out where a learner stands, and whether one domain lags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnin.learner.ability import Belief
from burnin.psychometrics.cold_start import ItemPrior
from burnin.psychometrics.curves import Array, probability
from burnin.psychometrics.domains import NODES, blurred

ROUNDS = 2
"""How many questions each domain gets before suspects are looked into."""

CLEARED = 0.015
"""Below this chance a domain is no suspect any more; well under the share of blind domains at large."""

MOST_EACH = 9
"""After so many questions a suspect waits until every other domain has had as many."""

LONGEST = 40
"""How many questions a placement asks at most, over all domains."""


@dataclass(frozen=True)
class Questions:
    """Questions that can be asked: ``priors`` (n) and the row of each one's domain, ``domain`` (n,)."""

    priors: tuple[ItemPrior, ...]
    domain: NDArray[np.intp]
    curves: Array

    @classmethod
    def of(cls, priors: Sequence[ItemPrior], domain: Sequence[int]) -> Questions:
        """Lay out the chance of a right answer at each node once."""
        curves = probability(blurred(priors), NODES) if priors else np.zeros((0, len(NODES)))
        return cls(tuple(priors), np.asarray(domain, dtype=np.intp), curves)


def next_question(
    belief: Belief, questions: Questions, asked: Sequence[int], *, most: int = LONGEST
) -> int | None:
    """Return the place of the next question in ``questions``; None when ``most`` are asked or none is left.

    >>> place = next_question(belief, questions, asked=[])  # then ask it, and add it to asked

    ``asked`` are places asked before. Every domain gets ``ROUNDS`` questions first, in the
    order of the belief's rows. Then the most suspect domain is asked until it is cleared or
    has had ``MOST_EACH``; when none is suspect, the domain asked least, and among those the
    one that least is known of. A domain without questions left is passed over. Within a
    domain the question is taken whose answer tells best between a domain that was worked in
    and one that was not (``telling``).
    """
    if len(asked) >= most:
        return None
    left = np.ones(len(questions.priors), dtype=bool)
    left[list(asked)] = False
    count = np.bincount(questions.domain[list(asked)], minlength=len(belief.domains))
    for row in _order(belief, count):
        mine = np.flatnonzero(left & (questions.domain == row))
        if len(mine):
            return int(mine[int(telling(belief, row, questions.curves[mine]).argmax())])
    return None


def _order(belief: Belief, count: NDArray[np.intp]) -> list[int]:
    """Return the rows of domains in the order in which to ask them."""
    rows = range(len(belief.domains))
    fewest = int(count.min())
    if fewest < ROUNDS:
        return sorted(rows, key=lambda row: (count[row], row))
    suspicion = [belief.lags(row) for row in rows]
    suspects = [row for row in rows if suspicion[row] >= CLEARED and count[row] < MOST_EACH]
    rest = sorted(rows, key=lambda row: (count[row], -belief.sd[row]))
    return [*sorted(suspects, key=lambda row: -suspicion[row]), *rest]


def telling(belief: Belief, row: int, curves: Array) -> Array:
    """Return how well each question tells a neglected domain from a sound one, in nats, shape (n,).

    The Jensen-Shannon divergence of the answer between the two: what one answer is
    expected to say.

    Source: Lin (1991), IEEE Transactions on Information Theory 37(1), 145-151.
    """
    near, below = belief.spread.parts()
    likelihood = belief.likelihood[row]
    sound = belief.overall @ _rows(near * likelihood)
    neglected = belief.overall @ _rows(below * likelihood)
    p, q = curves @ sound, curves @ neglected
    middle = (p + q) / 2
    found: Array = _entropy(middle) - (_entropy(p) + _entropy(q)) / 2
    return found


def _entropy(p: Array) -> Array:
    p = np.clip(p, 1e-12, 1 - 1e-12)
    found: Array = -(p * np.log(p) + (1 - p) * np.log1p(-p))
    return found


def _rows(values: Array) -> Array:
    found: Array = values / values.sum(axis=1, keepdims=True)
    return found
