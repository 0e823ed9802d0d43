"""The nearest-neighbour baseline of both accuracy reports: which known row is most like another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def most_alike(
    rows: Sequence[T],
    train: Sequence[T],
    features: Callable[[T], Sequence[float]],
    groups: Sequence[Callable[[T], object]],
) -> list[int]:
    """Return, for each row, the place in ``train`` of the one nearest in features scaled by their spread.

    It is looked for among those that agree with the row in the first of ``groups`` in which
    any does, and among all where none does.
    """
    known = np.array([features(one) for one in train])
    scale = known.std(axis=0) + 1e-9
    found = []
    for row in rows:
        pool = np.arange(len(train))
        for group in groups:
            same = np.array([group(one) == group(row) for one in train])
            if same.any():
                pool = np.flatnonzero(same)
                break
        distance = np.sum(((known[pool] - np.array(features(row))) / scale) ** 2, axis=1)
        found.append(int(pool[int(np.argmin(distance))]))
    return found
