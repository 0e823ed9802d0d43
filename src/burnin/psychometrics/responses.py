"""Right and wrong answers of many people, collapsed to distinct patterns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from burnin.psychometrics.curves import Array

MISSING = -1


@dataclass(frozen=True)
class Responses:
    """Distinct patterns and how many people gave each.

    ``patterns`` has shape (n, k): 1 right, 0 wrong, -1 not seen. ``counts`` has
    shape (n,). ``person_pattern`` gives for every row that came in the pattern that
    it became, so that results can be handed back by person.
    """

    patterns: NDArray[np.int8]
    counts: Array
    person_pattern: NDArray[np.intp]

    @classmethod
    def of(cls, rows: ArrayLike, counts: ArrayLike | None = None) -> Responses:
        """Collapse rows of 0, 1 and missing (-1 or NaN) to patterns.

        >>> Responses.of([[1, 0], [1, 0], [0, 1]]).counts
        array([1., 2.])

        Raises ValueError for other values, negative counts or shapes that do not fit.
        """
        table = np.asarray(rows)
        if table.ndim != 2:
            raise ValueError("responses need one row a person and one column an item")
        if table.dtype.kind == "f":
            table = np.where(np.isnan(table), MISSING, table)
        if not np.isin(table, (MISSING, 0, 1)).all():
            raise ValueError("responses are 0, 1 or missing (-1 or NaN)")
        table = table.astype(np.int8)
        weights = np.ones(len(table)) if counts is None else np.asarray(counts, dtype=np.float64)
        if weights.shape != (len(table),) or not np.isfinite(weights).all() or (weights < 0).any():
            raise ValueError("counts are one number of zero or more for each row")
        if len(table) == 0 or table.shape[1] == 0:
            return cls(table, weights, np.arange(len(table)))
        packed = np.concatenate(
            [np.packbits(table == 1, axis=1), np.packbits(table == MISSING, axis=1)], axis=1
        )
        key = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        inverse = inverse.ravel()
        totals = np.bincount(inverse, weights, len(first)).astype(np.float64)
        return cls(table[first], totals, inverse)

    @property
    def items(self) -> int:
        return int(self.patterns.shape[1])

    @property
    def persons(self) -> float:
        return float(self.counts.sum())

    @cached_property
    def right(self) -> Array:
        """1.0 where right, else 0.0; shape (n, k)."""
        return np.asarray(self.patterns == 1, dtype=np.float64)

    @cached_property
    def seen(self) -> Array | None:
        """1.0 where answered, else 0.0; None when nothing is missing."""
        mask = self.patterns != MISSING
        return None if mask.all() else mask.astype(np.float64)

    @cached_property
    def answered(self) -> Array:
        """How many people answered each item, shape (k,)."""
        if self.seen is None:
            return np.full(self.items, self.persons)
        return np.asarray(self.counts @ self.seen, dtype=np.float64)

    @cached_property
    def proportion(self) -> Array:
        """Share of right answers among the given ones, shape (k,); NaN where nobody answered."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = (self.counts @ self.right) / self.answered
        return np.asarray(share, dtype=np.float64)

    def columns(self, index: NDArray[np.intp] | NDArray[np.bool_]) -> Responses:
        """Return the same people on some of the items, collapsed again."""
        part = Responses.of(self.patterns[:, index], self.counts)
        return Responses(part.patterns, part.counts, part.person_pattern[self.person_pattern])
