"""Every plan of a job at once: which fit, how fast each is, and which nobody beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.systems.batch import Batch, batch_of
from burnin.systems.coefficients import Coefficients
from burnin.systems.counting import Counts, count
from burnin.systems.footprint import ASSUMED, Assumptions, footprint
from burnin.systems.machine import Rates, rates, speeds
from burnin.systems.plan import RECOMPUTE, Plan
from burnin.systems.step import step_times

CHUNK = 16384
"""Plans a pass: small enough that a pass stays in the cache."""
_SWEPT = (
    "tensor",
    "pipeline",
    "data",
    "context",
    "expert",
    "micro_batch",
    "interleave",
    "recompute",
    "zero",
    "sequence_parallel",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSpace:
    """Plans as columns: the swept fields as arrays, all others from ``base``."""

    base: Plan
    columns: dict[str, NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.columns["tensor"])

    def plan(self, index: int) -> Plan:
        """Return one plan of the space."""
        values: dict[str, Any] = {name: int(column[index]) for name, column in self.columns.items()}
        values["recompute"] = RECOMPUTE[values["recompute"]]
        values["sequence_parallel"] = bool(values["sequence_parallel"])
        return replace(self.base, **values)

    def batch(self, part: slice) -> Batch:
        """Return a part of the space as numbers for the step and memory models."""
        numbers = batch_of(self.base)
        values = {field.name: getattr(numbers, field.name) for field in fields(Batch)}
        values.update({name: column[part] for name, column in self.columns.items()})
        return Batch(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Results in the order of the space. Seconds a step, bytes of the fullest rank."""

    space: PlanSpace
    seconds: NDArray[np.float64]
    bytes_held: NDArray[np.float64]
    tokens_s_gpu: NDArray[np.float64]
    mfu: NDArray[np.float64]
    fits: NDArray[np.bool_]

    def best(self, number: int) -> list[int]:
        """Return the fastest plans that fit, by index."""
        order = np.argsort(np.where(self.fits, -self.tokens_s_gpu, np.inf), kind="stable")
        return [int(i) for i in order[:number] if self.fits[i]]

    def pareto(self) -> list[int]:
        """Return the plans that fit and that no other beats in both speed and memory, fastest first."""
        chosen = np.flatnonzero(self.fits)
        front = pareto_front(self.tokens_s_gpu[chosen], self.bytes_held[chosen])
        return [int(chosen[i]) for i in front]


def pareto_front(gain: NDArray[np.float64], cost: NDArray[np.float64]) -> list[int]:
    """Return the indices that no other entry beats in both: more gain, less cost; highest gain first.

    >>> pareto_front(np.array([3.0, 2.0, 1.0]), np.array([3.0, 3.0, 1.0]))
    [0, 2]
    """
    order = np.lexsort((cost, -gain))
    front: list[int] = []
    least = np.inf
    for index in order:
        if cost[index] < least:
            least = cost[index]
            front.append(int(index))
    return front


def divisors(number: int) -> list[int]:
    """Return all divisors, smallest first."""
    return [d for d in range(1, number + 1) if number % d == 0]


def plan_space(
    model: Model,
    ranks: int,
    base: Plan,
    *,
    max_tensor: int = 8,
    max_context: int = 8,
    micro_batches: Sequence[int] = (1, 2, 4, 8),
    recompute: Sequence[str] = RECOMPUTE,
    zero: Sequence[int] = (0, 1, 2, 3),
    sequence_parallel: Sequence[bool] = (True, False),
) -> PlanSpace:
    """Return every plan of ``ranks`` GPUs that can run: TP x PP x DP x CP x EP and the switches.

    Fields that are not swept (precision, batch, sequence, kernels, overlap) stand in
    ``base``. The rules are those of ``plan_faults``.
    """
    # Without a stored score matrix selective recomputation is none; with one rank there is no sequence to split.
    passes = [RECOMPUTE.index(r) for r in recompute if r != "selective" or not base.flash]
    rows: list[tuple[float, ...]] = []
    experts = divisors(model.experts.count) if model.experts else [1]
    for tensor in (t for t in divisors(ranks) if t <= max_tensor and model.heads % t == 0):
        for context in (c for c in divisors(ranks // tensor) if c <= max_context and base.sequence % c == 0):
            for pipeline in (p for p in divisors(ranks // tensor // context) if p <= model.layers + 2):
                data = ranks // tensor // context // pipeline
                chunks = [1] + [
                    v for v in (2, 3, 4, 5, 6, 8, 10, 12) if pipeline > 1 and pipeline * v <= model.layers + 2
                ]
                fitting = [e for e in experts if (ranks // pipeline) % e == 0]
                sizes = [m for m in micro_batches if base.global_batch % (data * m) == 0]
                stages = [z for z in zero if (z < 2 or pipeline == 1) and (z == 0 or data * context > 1)]
                split = sequence_parallel if tensor > 1 else (True,)
                rows.extend(
                    (tensor, pipeline, data, context, e, m, v, r, z, sp)
                    for e, m, v, r, z, sp in product(fitting, sizes, chunks, passes, stages, split)
                )
    table = np.array(rows, dtype=float).reshape(-1, len(_SWEPT))
    return PlanSpace(base=base, columns={name: table[:, i].copy() for i, name in enumerate(_SWEPT)})


def sweep(
    model: Model,
    gpu: Gpu,
    cluster: Cluster,
    space: PlanSpace,
    fitted: Coefficients,
    assumed: Assumptions = ASSUMED,
) -> Sweep:
    """Evaluate a plan space: memory of both ends of the pipeline and the step by cause.

    Equals ``train_step`` plan by plan. Raises NoSuchPeak where the card lacks the precision.
    """
    counts = count(model)
    sheet = rates(gpu, cluster, space.base.precision)
    size = len(space)
    seconds, held, flops = (np.empty(size) for _ in range(3))
    for start in range(0, size, CHUNK):
        part = slice(start, min(start + CHUNK, size))
        seconds[part], held[part], flops[part] = _evaluate(counts, space.batch(part), sheet, fitted, assumed)
    ranks = space.columns["tensor"] * space.columns["pipeline"]
    ranks = ranks * space.columns["data"] * space.columns["context"]
    tokens = space.base.global_batch * space.base.sequence
    return Sweep(
        space=space,
        seconds=seconds,
        bytes_held=held,
        tokens_s_gpu=tokens / seconds / ranks,
        mfu=flops / (seconds * ranks * sheet.peak),
        fits=held <= sheet.memory_bytes,
    )


def _evaluate(
    counts: Counts, batch: Batch, sheet: Rates, fitted: Coefficients, assumed: Assumptions
) -> tuple[Any, Any, Any]:
    times = step_times(counts, batch, speeds(sheet, fitted))
    first = footprint(counts, batch, first=True, assumed=assumed).total
    last = footprint(counts, batch, first=False, assumed=assumed).total
    return times.total, np.maximum(first, last), times.model_flops
