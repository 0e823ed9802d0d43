"""Plans as numbers: one value a field, or one array a field for many plans at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from burnin.systems.plan import RECOMPUTE, SCHEDULES, Plan
from burnin.systems.states import OPTIMIZERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A plan's fields with names turned into codes and the optimizer into bytes a parameter."""

    tensor: Any
    pipeline: Any
    data: Any
    context: Any
    expert: Any
    micro_batch: Any
    global_batch: Any
    sequence: Any
    interleave: Any
    schedule: Any
    sequence_parallel: Any
    zero: Any
    recompute: Any
    weight_bytes: Any
    gradient_bytes: Any
    state_bytes: Any
    flash: Any
    single_rail: Any
    fused: Any
    dropout: Any
    cuda_graphs: Any
    overlap_tensor: Any
    overlap_pipeline: Any
    overlap_data: Any
    overlap_expert: Any
    lora: Any
    attention_span: Any

    @property
    def micro_batches(self) -> Any:
        """Micro-batches of a step on each replica."""
        return self.global_batch / (self.data * self.micro_batch)


def batch_of(plan: Plan) -> Batch:
    """Return one plan as numbers."""
    optimizer = OPTIMIZERS[plan.optimizer]
    special = {
        "schedule": SCHEDULES.index(plan.schedule),
        "recompute": RECOMPUTE.index(plan.recompute),
        "weight_bytes": optimizer.weight,
        "gradient_bytes": optimizer.gradient,
        "state_bytes": optimizer.states,
        "lora": plan.lora_rank > 0,
    }
    return Batch(
        **{
            field.name: special[field.name] if field.name in special else getattr(plan, field.name)
            for field in fields(Batch)
        }
    )


def stack(parts: Sequence[Any]) -> Any:
    """Join dataclasses of numbers into one of arrays, field by field."""
    first = parts[0]
    return type(first)(
        **{
            field.name: np.array([getattr(part, field.name) for part in parts], dtype=float)
            for field in fields(first)
        }
    )
