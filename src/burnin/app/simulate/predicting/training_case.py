"""A published training run as a plan, and the evaluation of many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.systems.batch import batch_of, stack
from burnin.systems.coefficients import MODEL, Coefficients, coefficients
from burnin.systems.counting import count
from burnin.systems.footprint import footprint
from burnin.systems.machine import speeds
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
    """Return the card's calibration, else that of its architecture, else the defaults."""
    stored = [c for c in catalog.calibrations.values() if c.model == MODEL]
    near = [c for c in stored if catalog.gpus[c.gpu].architecture == gpu.architecture]
    chosen = [c for c in stored if c.gpu == gpu.id] or near
    return coefficients(chosen[0].coefficients) if chosen else Coefficients()


def seconds(cases: Sequence[Case], by_gpu: Mapping[str, Coefficients]) -> Any:
    """Return seconds of a step of each case, all plans evaluated in one pass.

    Of several candidate plans the fastest that fits counts; NaN where none fits.
    """
    flat = [(number, plan) for number, case in enumerate(cases) for plan in case.plans]
    owner = np.array([number for number, _ in flat])
    counted = {id(case.model): count(case.model) for case in cases}
    counts = stack([counted[id(cases[number].model)] for number, _ in flat])
    batch = stack([batch_of(plan) for _, plan in flat])
    rates = stack(
        [speeds(cases[n].gpu, cases[n].cluster, by_gpu[cases[n].gpu.id], plan.precision) for n, plan in flat]
    )
    total = np.asarray(step_times(counts, batch, rates).total)
    open_plan = np.array([len(cases[number].plans) > 1 for number, _ in flat])
    if open_plan.any():
        held = np.maximum(
            footprint(counts, batch, first=True).total, footprint(counts, batch, first=False).total
        )
        total = np.where(open_plan & (held > rates.memory_bytes), np.inf, total)
    best = np.full(len(cases), np.inf)
    np.minimum.at(best, owner, total)
    return np.where(np.isfinite(best), best, np.nan)


def metric(case: Case, step_seconds: float) -> float:
    """Turn seconds of a step into the metric that the row states."""
    return case.per_second / step_seconds if case.per_second else step_seconds
