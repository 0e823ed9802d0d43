"""Pairs of items that ask the same thing in other words.

Two items are alike where their stems share rare letter groups **and** their options answer to
each other one by one. Either alone misleads: neighbours in a subject share a vocabulary, and
items on one exhibit share a scene, but only a twin offers the same choices on it.

    similarity = sqrt(cosine of the stems x mean cosine of the options, best paired)

Vectors are character 4-grams of stemmed words, without numbers, weighted by rarity in the bank.
In an option, what its siblings say too weighs less ("FP8 weights with ..." in all four), so that
a common frame does not make two items alike.

``THRESHOLD`` was set between hand-written twins (other words, figures and scenes for the same
question: ``tests/bank/twins.py``) and all pairs of the bank, whose nearest ones were read. It
errs towards silence: a twin rewritten from scratch shares too few letters to be told from a
neighbour, and no lexical measure finds it. The margin is thin: several twins lie within three
hundredths above it and the bank's nearest unrelated pairs as closely below. Short stems that
share a few words, with options in one frame, may be named though they differ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from burnin.bank.words import content_stems
from burnin.domain.item import Item

THRESHOLD = 0.27

Vector = Mapping[str, float]


def near_duplicates(items: Sequence[Item], threshold: float = THRESHOLD) -> list[tuple[str, str, float]]:
    """``[(id, id, similarity)]`` of all pairs at or above the threshold, the most alike first.

    Within an exam and across exams. A shared exhibit or family is no excuse: the pair would still
    count twice in the bank.
    """
    items = sorted(items, key=lambda item: item.id)
    stems = [_grams(item.stem) for item in items]
    options = [[_grams(option.text) for option in item.options] for item in items]
    rarity = _rarity(stems, options)
    weighted = [_unit({g: rarity[g] for g in bag}) for bag in stems]
    choices = [_distinctive(bags, rarity) for bags in options]
    found = []
    cosines = _cosines(weighted)
    # The options' match is at most 1, so the stems alone must reach the square of the threshold.
    for i, j in zip(*np.nonzero(np.triu(cosines >= threshold**2, k=1)), strict=True):
        alike = math.sqrt(min(1.0, float(cosines[i, j])) * _match(choices[i], choices[j]))
        if alike >= threshold:
            found.append((items[i].id, items[j].id, alike))
    return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


@lru_cache(maxsize=16384)
def _grams(text: str) -> frozenset[str]:
    grams: set[str] = set()
    for word in content_stems(text):
        if word != "#":
            padded = f" {word} "
            grams.update(padded[i : i + 4] for i in range(max(1, len(padded) - 3)))
    return frozenset(grams)


def _rarity(stems: Sequence[frozenset[str]], options: Sequence[Sequence[frozenset[str]]]) -> dict[str, float]:
    """Weight of each n-gram by the number of items it stands in; ten unseen items keep a small bank's sane."""
    counted: Counter[str] = Counter()
    for stem, choices in zip(stems, options, strict=True):
        counted.update(stem.union(*choices))
    return {gram: math.log((len(stems) + 10) / (count + 1)) for gram, count in counted.items()}


def _distinctive(bags: Sequence[frozenset[str]], rarity: Mapping[str, float]) -> list[Vector]:
    among = Counter(gram for bag in bags for gram in bag)
    return [_unit({g: rarity[g] * math.log((len(bags) + 1) / among[g]) for g in bag}) for bag in bags]


def _unit(vector: Mapping[str, float]) -> Vector:
    norm = math.sqrt(math.fsum(weight * weight for _, weight in sorted(vector.items())))
    return {gram: weight / norm for gram, weight in vector.items()} if norm > 0 else {}


def _cosines(vectors: Sequence[Vector]) -> NDArray[np.float64]:
    counted = Counter(gram for vector in vectors for gram in vector)
    columns = {gram: i for i, gram in enumerate(sorted(g for g, n in counted.items() if n > 1))}
    table = np.zeros((len(vectors), max(1, len(columns))))
    for row, vector in enumerate(vectors):
        for gram, weight in vector.items():
            if gram in columns:
                table[row, columns[gram]] = weight
    cosines: NDArray[np.float64] = table @ table.T
    return cosines


def _match(first: Sequence[Vector], second: Sequence[Vector]) -> float:
    """Mean cosine of options paired greedily, each used once; an option without a partner counts 0."""
    pairs = sorted(
        ((_dot(a, b), i, j) for i, a in enumerate(first) for j, b in enumerate(second)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    left, right, total = set(range(len(first))), set(range(len(second))), 0.0
    for cosine, i, j in pairs:
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            total += cosine
    return total / max(len(first), len(second))


def _dot(a: Vector, b: Vector) -> float:
    return math.fsum(weight * b[gram] for gram, weight in a.items() if gram in b)
