"""How well the key can be told from the options alone.

A conditional (within-item softmax) logistic model over the cues of ``cues``, never the stem,
is fitted on nine tenths of the bank and chooses in the last tenth; what it chooses right
beyond chance is what the options give away.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from burnin.bank import cues
from burnin.bank.bounds import Excess, over_chance
from burnin.bank.cues import Floats
from burnin.bank.repeats import chance, top_is_right
from burnin.domain.item import Item

FOLDS = 10

REPEATS = 3
"""Divisions into folds that the accuracy is the mean of: one division alone moves it by a point or two."""

# The ridge is a Gaussian prior on the weights, fixed by what is plausible and not by any bank's
# outcome: a cue that stands one standard deviation out is believed to move the log-odds by about
# 0.25, and all words of an option together by about 0.5.
DENSE_SD = 0.25
NGRAM_SD = 0.5

_STEPS = 100

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What the model makes of one item when it has not seen it.

    ``hit`` is the share of divisions in which its first choice is right; ``belief`` the mean
    probability it gives to each right option (1/n is chance).
    """

    item: str
    hit: float
    belief: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsOnly:
    """The accuracy against chance, each item's guess, and the cues that weigh most in the whole bank.

    ``cues`` are (name, weight): the log-odds that one standard deviation of the cue is worth.
    """

    accuracy: Excess
    guesses: tuple[Guess, ...]
    cues: tuple[tuple[str, float], ...]


def options_only(items: Sequence[Item]) -> OptionsOnly:
    """``options_only(bank).accuracy.holds`` → whether the options keep their secret.

    Items that share an exhibit or a family stand in one fold. The folds come from a hash of the
    items' ids: the same bank gives the same figures, whatever the order of its files.
    """
    items = sorted(items, key=lambda item: item.id)
    if len(items) < 2:
        return OptionsOnly(accuracy=over_chance([], []), guesses=(), cues=())
    table = _Table.of(items)
    hits = np.zeros((REPEATS, len(items)))
    beliefs = np.zeros((REPEATS, len(items)))
    for repeat in range(REPEATS):
        fold_of = folds(items, seed=repeat)
        for fold in range(FOLDS):
            asked = np.flatnonzero(fold_of == fold)
            if not asked.size or asked.size == len(items):
                continue
            weights = _fitted(table, fold_of != fold)
            for index in map(int, asked):
                rows = table.rows(index)
                scores = table.x[rows] @ weights
                hits[repeat, index] = top_is_right(items[index], list(scores))
                likely = np.exp(scores - scores.max())
                beliefs[repeat, index] = likely[table.key[rows]].mean() / likely.sum()
    mean_hits, mean_beliefs = hits.mean(axis=0), beliefs.mean(axis=0)
    worth = DENSE_SD * _fitted(table, np.ones(len(items), dtype=bool))[: len(cues.names())]
    order = np.argsort(-np.abs(worth), kind="stable")
    return OptionsOnly(
        accuracy=over_chance([float(hit) for hit in mean_hits], [chance(item) for item in items]),
        guesses=tuple(
            Guess(item=item.id, hit=float(hit), belief=float(belief))
            for item, hit, belief in zip(items, mean_hits, mean_beliefs, strict=True)
        ),
        cues=tuple((cues.names()[i], float(worth[i])) for i in order),
    )


def folds(items: Sequence[Item], *, seed: int) -> Ints:
    """Give each item a fold; items that share an exhibit or a family, directly or through others, share it."""
    groups = _groups(items)
    order = sorted(groups, key=lambda ids: hashlib.sha256(f"{seed} {min(ids)}".encode()).digest())
    sizes = [0] * FOLDS
    place: dict[str, int] = {}
    for ids in sorted(order, key=len, reverse=True):
        smallest = sizes.index(min(sizes))
        sizes[smallest] += len(ids)
        place.update(dict.fromkeys(ids, smallest))
    return np.array([place[item.id] for item in items], dtype=np.int64)


def _groups(items: Sequence[Item]) -> list[list[str]]:
    parent = {item.id: item.id for item in items}

    def root(item_id: str) -> str:
        while parent[item_id] != item_id:
            parent[item_id] = parent[parent[item_id]]
            item_id = parent[item_id]
        return item_id

    first: dict[tuple[str, str], str] = {}
    for item in items:
        for tie in (("exhibit", item.exhibit), ("family", item.family)):
            if tie[1]:
                other = first.setdefault((tie[0], tie[1]), item.id)
                parent[root(item.id)] = root(other)
    members: dict[str, list[str]] = defaultdict(list)
    for item in items:
        members[root(item.id)].append(item.id)
    return list(members.values())


@lru_cache(maxsize=8192)
def _features(texts: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Dense cues and n-grams of one item's options, each less the item's mean."""
    own, grams = cues.dense(texts), cues.hashed_ngrams(texts)
    return own - own.mean(axis=0), grams - grams.mean(axis=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """All options of all items, one row each; ``share`` is the key as targets that sum to 1 an item.

    Columns are scaled by their spread over the whole bank, which says nothing of the key.
    """

    x: Floats
    item: Ints
    starts: Ints
    key: Flags
    share: Floats

    @classmethod
    def of(cls, items: Sequence[Item]) -> _Table:
        both = [_features(tuple(option.text for option in item.options)) for item in items]
        dense, grams = np.vstack([own for own, _ in both]), np.vstack([grams for _, grams in both])
        spread = dense.std(axis=0)
        gram_spread = max(float(np.sqrt(np.square(grams).sum(axis=1).mean())), 1e-9)
        sizes = [len(item.options) for item in items]
        key = np.array([option.correct for item in items for option in item.options])
        return cls(
            x=np.hstack(
                [
                    DENSE_SD * np.where(spread > 1e-9, dense / np.maximum(spread, 1e-9), 0.0),
                    NGRAM_SD * grams / gram_spread,
                ]
            ),
            item=np.repeat(np.arange(len(items)), sizes),
            starts=np.concatenate([[0], np.cumsum(sizes)]),
            key=key,
            share=key / np.repeat([max(1, len(item.key)) for item in items], sizes),
        )

    def rows(self, index: int) -> slice:
        return slice(int(self.starts[index]), int(self.starts[index + 1]))


def _fitted(table: _Table, kept: Flags) -> Floats:
    """Weights of the most likely model under a standard normal prior, for the items that are kept.

    Steps along a fixed upper bound of the Hessian, half of X'X for rows that are centred within
    items, climb at every step (Böhning 1992, Ann. Inst. Statist. Math. 44, p. 197) and need one
    inverse. Where several options are right, each is a target of equal share.
    """
    rows = kept[table.item]
    x, target = table.x[rows], table.share[rows]
    item = np.unique(table.item[rows], return_inverse=True)[1]
    starts = np.flatnonzero(np.diff(item, prepend=-1))
    inverse = np.linalg.inv(x.T @ x / 2 + np.eye(x.shape[1]))
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        scores = x @ weights
        likely = np.exp(scores - np.maximum.reduceat(scores, starts)[item])
        likely /= np.add.reduceat(likely, starts)[item]
        step = inverse @ (x.T @ (target - likely) - weights)
        weights += step
        if np.abs(step).max() < 1e-3:
            break
    return weights
