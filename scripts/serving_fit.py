"""Fit the serving model's coefficients to published rows; shared by the fit and the accuracy report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from burnin.app.simulate.predicting.registry import CannotPredict
from burnin.app.simulate.predicting.serving_case import (
    PreparedServing,
    ServingCase,
    prepare_serving,
    stacked_coefficients,
)
from burnin.app.simulate.predicting.serving_tables import METRICS, case_of, is_serving
from burnin.app.simulate.predicting.tables import Row, read_tables
from burnin.catalog import Catalog
from burnin.systems.fitting import fit
from burnin.systems.serving.coefficients import BOUNDS, LOGARITHMIC, NAMES, ServingCoefficients

LOG = np.array([name in LOGARITHMIC for name in NAMES])
CROWD = 0.8
"""Rows of one curve differ little: a group of n rows weighs n ** CROWD."""


FEWEST = 8
"""Figures that a card and engine need for values of their own."""


def inward(values: np.ndarray) -> np.ndarray:
    """Coefficients as they are fitted: some on a logarithmic scale."""
    return np.where(LOG, np.log(np.where(LOG, values, 1.0)), values)


def outward(values: np.ndarray) -> np.ndarray:
    return np.where(LOG, np.exp(np.where(LOG, values, 0.0)), values)


LOW = inward(np.array([BOUNDS[name][0] for name in NAMES]))
HIGH = inward(np.array([BOUNDS[name][1] for name in NAMES]))
DEFAULT = inward(np.array([float(getattr(ServingCoefficients(), name)) for name in NAMES]))


@dataclass(frozen=True, slots=True)
class Point:
    """One measured metric of a published row."""

    row: Row
    case: ServingCase
    metric: str

    @property
    def published(self) -> float:
        return float(self.row.values[self.metric])

    @property
    def key(self) -> tuple[str, str, str]:
        return self.row.table, self.metric, self.case.architecture

    @property
    def place(self) -> tuple[str, str]:
        """What was run: its metrics, and other rows of the same run, are held out together."""
        inputs = {key: value for key, value in self.row.values.items() if key not in METRICS}
        return self.row.table, repr(sorted(inputs.items(), key=str))


def points(catalog: Catalog, paths: Sequence[Path]) -> list[Point]:
    found = []
    for row in read_tables(paths):
        if not is_serving(row):
            continue
        try:
            case = case_of(catalog, row)
        except CannotPredict:
            continue
        for metric in METRICS:
            if isinstance(row.values.get(metric), (int, float)):
                found.append(Point(row, case, metric))
    return found


def _picked(prepared: PreparedServing, k: ServingCoefficients, metrics: np.ndarray) -> np.ndarray:
    values = prepared.metrics(k)
    return np.asarray(
        np.select([metrics == name for name in values], list(values.values()), np.nan), dtype=float
    )


def weights_of(rows: Sequence[Point]) -> np.ndarray:
    """Tables count for the root of their rows; so a long one does not drown a short one."""
    sizes: dict[tuple[str, str, str], int] = {}
    for point in rows:
        sizes[point.key] = sizes.get(point.key, 0) + 1
    return np.array([sizes[point.key] ** (CROWD - 1) for point in rows])


def fit_points(rows: Sequence[Point], prior: np.ndarray, pull: float) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the twelve values on the fitted scale, and the names of those at a bound."""
    prepared = prepare_serving([p.case for p in rows])
    metrics = np.array([p.metric for p in rows])
    wanted = np.log([p.published for p in rows])
    weights = weights_of(rows)

    def residuals(values: np.ndarray) -> np.ndarray:
        k = ServingCoefficients(**dict(zip(NAMES, outward(values), strict=True)))
        return weights * (np.log(_picked(prepared, k, metrics)) - wanted)

    found = fit(residuals, start=prior, low=LOW, high=HIGH, prior=prior, pull=pull, rounds=40, softness=0.01)
    return found.values, tuple(NAMES[i] for i in found.at_bound)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Coefficients by how much they are shared: all, a backend, an engine family, a family on a card."""

    everything: np.ndarray
    backends: dict[str, np.ndarray]
    engines: dict[str, np.ndarray]
    groups: dict[tuple[str, str], tuple[np.ndarray, tuple[str, ...]]]

    def of(self, case: ServingCase, catalog: Catalog) -> np.ndarray:
        """The nearest there is, in the order of ``serving_fitted``."""
        engine, card = case.group
        backend, chip = case.setup.engine.backend, case.setup.gpu.architecture
        near = [
            [g for g in self.groups if g == (engine, card)],
            [g for g in self.groups if g[0] == engine and catalog.gpus[g[1]].architecture == chip],
            [g for g in self.groups if g[0].partition("-")[0] == backend and g[1] == card],
        ]
        for found in near:
            if found:
                return self.groups[found[-1]][0]
        return self.engines.get(engine, self.backends.get(backend, self.everything))


def fit_all(rows: Sequence[Point], *, pull: float = 2.0) -> Fitted:
    """Fit from what all share down to one engine family on one card, each pulled towards the one before."""
    everything, _ = fit_points(rows, DEFAULT, 0.1)
    backends, engines, groups = {}, {}, {}
    for backend in dict.fromkeys(p.case.setup.engine.backend for p in rows):
        mine = [p for p in rows if p.case.setup.engine.backend == backend]
        backends[backend], _ = fit_points(mine, everything, pull)
        for name in dict.fromkeys(p.case.group[0] for p in mine):
            own = [p for p in mine if p.case.group[0] == name]
            engines[name], _ = fit_points(own, backends[backend], pull)
            for group in dict.fromkeys(p.case.group for p in own):
                there = [p for p in own if p.case.group == group]
                if len(there) >= FEWEST:
                    groups[group] = fit_points(there, engines[name], pull)
    return Fitted(everything, backends, engines, groups)


def predicted(rows: Sequence[Point], fitted: Fitted, catalog: Catalog) -> np.ndarray:
    each = [
        ServingCoefficients(**dict(zip(NAMES, outward(fitted.of(p.case, catalog)), strict=True)))
        for p in rows
    ]
    prepared = prepare_serving([p.case for p in rows])
    return _picked(prepared, stacked_coefficients(each), np.array([p.metric for p in rows]))
