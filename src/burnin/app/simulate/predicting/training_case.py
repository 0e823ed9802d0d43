"""A published training run as a plan, and the evaluation of many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.systems.batch import Batch, batch_of, stack
from burnin.systems.coefficients import MODEL, Coefficients, coefficients
from burnin.systems.counting import Counts, count
from burnin.systems.footprint import footprint
from burnin.systems.machine import Rates, rates, speeds
from burnin.systems.plan import Plan
from burnin.systems.step import step_times


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One measured run: candidates of its plan, and how seconds turn into its metric.

    The metric is ``per_second / seconds`` for rates and ``seconds`` where
    ``per_second`` is 0. Where a row leaves part of its plan open, ``plans`` holds
    what it may have been, and the fastest that fits counts.
    """

    model: Model
    gpu: Gpu
    cluster: Cluster
    plans: tuple[Plan, ...]
    metric: str
    per_second: float

    @property
    def kind(self) -> str:
        """``moe`` or ``dense``."""
        return "moe" if self.model.experts else "dense"


def fitted(catalog: Catalog, gpu: Gpu) -> Coefficients:
    """Return the card's calibration, else one of its architecture, else the pooled one, else the defaults.

    An own calibration in BURNIN_HOME/content goes before a built-in one of the same card.
    """
    stored = [c for c in list(catalog.calibrations.values())[::-1] if c.model == MODEL]
    own = [c for c in stored if c.gpu == gpu.id and not c.pooled]
    near = [c for c in stored if catalog.gpus[c.gpu].architecture == gpu.architecture and not c.pooled]
    chosen = own or near or [c for c in stored if c.pooled]
    return coefficients(chosen[0].coefficients) if chosen else Coefficients()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Many cases as arrays, so that other coefficients cost one pass more."""

    owner: Any  # the case of each plan
    cases: int
    counts: Counts
    batch: Batch
    rates: Rates
    refused: Any  # plans of open cases that do not fit the card

    def seconds(self, values: Coefficients) -> Any:
        """Return seconds of a step of each case: of several plans the fastest that fits, NaN where none does.

        ``values`` holds numbers, or arrays with an entry for each plan.
        """
        total = np.asarray(step_times(self.counts, self.batch, speeds(self.rates, values)).total)
        best = np.full(self.cases, np.inf)
        np.minimum.at(best, self.owner, np.where(self.refused, np.inf, total))
        return np.where(np.isfinite(best), best, np.nan)


def prepare(cases: Sequence[Case]) -> Prepared:
    """Stack cases. Only a case with several candidate plans asks whether they fit: a stated plan was run."""
    flat = [(number, plan) for number, case in enumerate(cases) for plan in case.plans]
    counted = {id(case.model): count(case.model) for case in cases}
    counts: Counts = stack([counted[id(cases[n].model)] for n, _ in flat])
    batch: Batch = stack([batch_of(plan) for _, plan in flat])
    sheet: Rates = stack([rates(cases[n].gpu, cases[n].cluster, plan.precision) for n, plan in flat])
    held = np.maximum(footprint(counts, batch, first=True).total, footprint(counts, batch, first=False).total)
    several = np.array([len(cases[n].plans) > 1 for n, _ in flat])
    return Prepared(
        owner=np.array([n for n, _ in flat]),
        cases=len(cases),
        counts=counts,
        batch=batch,
        rates=sheet,
        refused=several & (held > sheet.memory_bytes),
    )


def seconds(cases: Sequence[Case], by_gpu: Mapping[str, Coefficients]) -> Any:
    """Return seconds of a step of each case with its card's coefficients."""
    prepared = prepare(cases)
    each = stack([by_gpu[cases[n].gpu.id] for n in prepared.owner])
    return prepared.seconds(each)


def metric(case: Case, step_seconds: float) -> float:
    """Turn seconds of a step into the metric that the row states."""
    return case.per_second / step_seconds if case.per_second else step_seconds
