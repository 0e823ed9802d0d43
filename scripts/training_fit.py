"""Fit the training model's coefficients to published rows; shared by the fit and the accuracy report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from burnin.app.simulate.predicting.tables import Row, read_tables
from burnin.app.simulate.predicting.training_case import Case, prepare
from burnin.app.simulate.predicting.training_tables import CASES
from burnin.catalog import Catalog
from burnin.systems.coefficients import BOUNDS, NAMES, Coefficients
from burnin.systems.fitting import fit

LOW = np.array([BOUNDS[name][0] for name in NAMES])
HIGH = np.array([BOUNDS[name][1] for name in NAMES])
DEFAULT = np.array([getattr(Coefficients(), name) for name in NAMES])


@dataclass(frozen=True, slots=True)
class Measured:
    """A published row and what the model makes of it."""

    row: Row
    case: Case

    @property
    def published(self) -> float:
        return float(self.row.values[self.case.metric])

    @property
    def seconds(self) -> float:
        """The step time that the published metric means."""
        return self.case.per_second / self.published if self.case.per_second else self.published

    @property
    def table(self) -> str:
        return self.row.table


def measured(catalog: Catalog, paths: Sequence[Path]) -> list[Measured]:
    rows = (row for row in read_tables(paths) if row.table in CASES)
    return [Measured(row, CASES[row.table](catalog, row)) for row in rows]


def row_weights(rows: Sequence[Measured]) -> np.ndarray:
    """Small tables count for more than their rows, large ones for less: 1 / sqrt(rows of the table)."""
    sizes = {table: sum(r.table == table for r in rows) for table in {r.table for r in rows}}
    return np.array([1 / np.sqrt(sizes[r.table]) for r in rows])


def fit_rows(rows: Sequence[Measured], prior: np.ndarray, pull: float) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the twelve values, and the names of those at a bound."""
    prepared = prepare([r.case for r in rows])
    wanted = np.array([r.seconds for r in rows])
    weights = row_weights(rows)

    def residuals(values: np.ndarray) -> np.ndarray:
        predicted = prepared.seconds(Coefficients(**dict(zip(NAMES, values, strict=True))))
        # A row for which no candidate plan fits says nothing about speed.
        return weights * np.log(np.where(np.isnan(predicted), wanted, predicted) / wanted)

    found = fit(residuals, start=prior, low=LOW, high=HIGH, prior=prior, pull=pull)
    return found.values, tuple(NAMES[i] for i in found.at_bound)


def fit_all(
    rows: Sequence[Measured], *, pooled_pull: float = 0.1, pull: float = 0.1
) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, tuple[str, ...]]]]:
    """Return the pooled values, and each card's own, pulled towards the pooled ones."""
    pooled, _ = fit_rows(rows, DEFAULT, pooled_pull)
    cards = sorted({r.case.gpu.id for r in rows})
    own = {card: fit_rows([r for r in rows if r.case.gpu.id == card], pooled, pull) for card in cards}
    return pooled, own


def predict_seconds(rows: Sequence[Measured], pooled: np.ndarray, own: dict[str, np.ndarray]) -> np.ndarray:
    """Return the model's step times, with pooled values for a card that has none of its own."""
    from burnin.systems.batch import stack

    prepared = prepare([r.case for r in rows])
    each = [
        Coefficients(**dict(zip(NAMES, own.get(rows[n].case.gpu.id, pooled), strict=True)))
        for n in prepared.owner
    ]
    return np.asarray(prepared.seconds(stack(each)))


def ratio(rows: Sequence[Measured], seconds: np.ndarray) -> np.ndarray:
    """Predicted over published metric."""
    wanted = np.array([r.seconds for r in rows])
    rate = np.array([bool(r.case.per_second) for r in rows])
    return np.where(rate, wanted / seconds, seconds / wanted)
