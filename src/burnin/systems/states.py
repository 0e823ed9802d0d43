"""Weights, gradients and optimizer states, and how ZeRO spreads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.systems.term import Term, show

ZERO_SOURCE = "Rajbhandari et al., ZeRO, arXiv 1910.02054, section 3.1 and figure 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimizer:
    """Bytes a parameter that training keeps: weight, gradient, and everything the update needs."""

    weight: float
    gradient: float
    states: float
    words: str

    @property
    def total(self) -> float:
        """Bytes a parameter without sharding."""
        return self.weight + self.gradient + self.states


OPTIMIZERS = {
    "adam-mixed": Optimizer(
        weight=2, gradient=2, states=12, words="16-bit weight and gradient; fp32 master, m and v"
    ),
    "megatron": Optimizer(
        weight=2, gradient=4, states=12, words="16-bit weight, fp32 gradient; fp32 master, m and v"
    ),
    "adam-fp32": Optimizer(weight=4, gradient=4, states=8, words="all fp32: weight, gradient, m and v"),
    "adam-bf16": Optimizer(weight=2, gradient=2, states=4, words="all bf16, no master weights"),
    "adam-bf16-states": Optimizer(
        weight=2, gradient=4, states=8, words="16-bit weight, fp32 gradient and master, bf16 m and v"
    ),
    "adam-8bit": Optimizer(
        weight=2, gradient=2, states=6, words="16-bit weight and gradient, fp32 master, 8-bit m and v"
    ),
    "sgd-momentum": Optimizer(
        weight=2, gradient=2, states=8, words="16-bit weight and gradient; fp32 master and momentum"
    ),
    "sgd": Optimizer(weight=2, gradient=2, states=4, words="16-bit weight and gradient; fp32 master"),
}


def per_rank(bytes_total: Any, shards: Any, stage: Any, from_stage: int) -> Any:
    """Return what a rank holds of ``bytes_total`` when ZeRO shards it from ``from_stage`` on."""
    return bytes_total / np.where(np.asarray(stage) >= from_stage, shards, 1)


def state_bytes(params: Any, optimizer: Optimizer, stage: Any, shards: Any) -> tuple[Any, Any, Any]:
    """Return (weights, gradients, optimizer states) in bytes a rank.

    >>> [round(float(x) / 1e9, 2) for x in state_bytes(7.5e9, OPTIMIZERS["adam-mixed"], 1, 64)]
    [15.0, 15.0, 1.41]

    ``params`` are the parameters a rank would hold without sharding. Works on
    arrays too. Source: ZeRO, arXiv 1910.02054, figure 1.
    """
    return (
        per_rank(optimizer.weight * params, shards, stage, 3),
        per_rank(optimizer.gradient * params, shards, stage, 2),
        per_rank(optimizer.states * params, shards, stage, 1),
    )


def state_terms(params: float, optimizer: Optimizer, stage: int, shards: int) -> tuple[Term, Term, Term]:
    """Return the three terms with their formulas filled in.

    >>> state_terms(7.5e9, OPTIMIZERS["adam-mixed"], 3, 64)[2].filled
    '12 x 7.5e9 / 64'
    """
    names = ("weights", "gradients", "optimizer states")
    factors = (optimizer.weight, optimizer.gradient, optimizer.states)
    values = state_bytes(params, optimizer, stage, shards)
    terms = []
    for name, factor, value, first in zip(names, factors, values, (3, 2, 1), strict=True):
        sharded = stage >= first
        terms.append(
            Term(
                name=name,
                value=float(value),
                unit="bytes",
                formula=f"{show(factor)} P / N" if sharded else f"{show(factor)} P",
                filled=f"{show(factor)} x {show(params)}" + (f" / {shards}" if sharded else ""),
                source=ZERO_SOURCE,
            )
        )
    return terms[0], terms[1], terms[2]


def step_traffic_bytes(params: float, stage: int, ranks: int, bytes_each: float = 2) -> float:
    """Return bytes a rank sends in one step for gradients and weights (ZeRO, section 7).

    Reduce-scatter and all-gather each move (N - 1)/N of the parameters: 2 P for
    data parallelism and stages 1 and 2, 3 P for stage 3.
    """
    if ranks == 1:
        return 0.0
    return (3 if stage == 3 else 2) * params * bytes_each * (ranks - 1) / ranks
