"""Bytes that a training rank holds, for one plan or for arrays of plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.systems.activations import in_flight_layers, layer_activations, layer_bytes
from burnin.systems.batch import Batch
from burnin.systems.counting import Counts
from burnin.systems.plan import SCHEDULES


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """What no formula gives. Edit them; they stand in every waterfall by name."""

    context_gib: float = 1.5  # CUDA context, NCCL and cuBLAS work space
    fragmentation: float = 0.04  # of what the allocator holds
    gathered_layers: float = 2.0  # layers whose whole weights ZeRO 3 holds at a time


ASSUMED = Assumptions()

_DUALPIPE = SCHEDULES.index("dualpipe")
_ADDED = np.array([0.0, 0.0, 0.0, -1.0, 0.0, 1.0])
_PER_STAGE = np.array([0.0, 1.0, 1.0, 2.0, 1.0, 1.0])
# Micro-batches that a first stage holds: _PER_STAGE p + _ADDED, by schedule (see peak_micro_batches).


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Bytes of one stage's rank by part."""

    dense_params: Any
    expert_params: Any
    weights: Any
    gradients: Any
    states: Any
    gathered: Any
    layers_held: Any
    a_layer: Any
    activations: Any
    working_layer: Any
    ends: Any
    context: Any
    fragmentation: Any

    @property
    def total(self) -> Any:
        """All bytes."""
        return self.allocated + self.context + self.fragmentation

    @property
    def allocated(self) -> Any:
        """What the framework allocates, without context and fragmentation."""
        return (
            self.weights
            + self.gradients
            + self.states
            + self.gathered
            + self.activations
            + self.working_layer
            + self.ends
        )


def stage_params(counts: Counts, b: Batch, *, first: bool, last: bool) -> tuple[Any, Any]:
    """Return (parameters outside experts, expert parameters) of one rank of a stage.

    Matrices are divided by tensor parallelism, norms are not; the embedding stands on
    the first stage and the output layer on the last, where tied models keep a copy.
    """
    outside = counts.matrices - counts.moe_layers * counts.routed_params
    dense = outside / b.pipeline / b.tensor + counts.small_params / b.pipeline
    if first:
        dense = dense + (counts.embedding_params + counts.position_params) / b.tensor
    if last:
        head = np.where(
            np.asarray(counts.head_params) > 0,
            counts.head_params,
            np.where(np.asarray(b.pipeline) > 1, counts.embedding_params, 0.0),
        )
        dense = dense + (head + counts.predict_params) / b.tensor
    experts = counts.moe_layers * counts.routed_params / b.pipeline
    if last:
        experts = experts + counts.predict_layers * counts.routed_params
    return dense, experts / b.expert


def footprint(counts: Counts, b: Batch, *, first: bool, assumed: Assumptions = ASSUMED) -> Footprint:
    """Return what a rank of the first stage (``first``) or of the last one holds.

    With one stage both are the same rank. Sources: ZeRO (arXiv 1910.02054, figure
    1), activations (2205.05198), in-flight micro-batches (2104.04473, section 2).
    """
    one = np.asarray(b.pipeline) == 1
    as_first = stage_params(counts, b, first=True, last=False)
    as_last = stage_params(counts, b, first=False, last=True)
    both = stage_params(counts, b, first=True, last=True)
    chosen = as_first if first else as_last
    dense = np.where(one, both[0], chosen[0])
    experts = np.where(one, both[1], chosen[1])
    doubled = np.where(np.asarray(b.schedule) == _DUALPIPE, 2.0, 1.0)
    dense, experts = dense * doubled, experts * doubled
    shards = b.data * b.context
    expert_shards = np.maximum(b.tensor * b.context * b.data / b.expert, 1.0)
    zero = np.asarray(b.zero)
    trained = np.where(b.lora, 0.0, 1.0)

    def held(each: Any, stage: int) -> Any:
        divided = np.where(zero >= stage, 1.0, 0.0)
        return each * (
            dense / np.where(divided > 0, shards, 1.0) + experts / np.where(divided > 0, expert_shards, 1.0)
        )

    layer = layer_activations(counts, b.sequence, dropout=b.dropout, flash=b.flash)
    tokens = b.micro_batch * b.sequence / b.context
    a_layer = layer_bytes(
        layer,
        tokens,
        tensor=b.tensor,
        sequence_parallel=b.sequence_parallel,
        recompute=b.recompute,
        flash=b.flash,
    )
    whole = layer_bytes(
        layer,
        tokens,
        tensor=b.tensor,
        sequence_parallel=b.sequence_parallel,
        recompute=0,
        flash=b.flash,
    )
    stage = 0 if first else b.pipeline - 1
    held_layers = _layers_held(counts, b, stage)
    share = np.where(b.sequence_parallel, b.tensor, 1)
    logits = (
        np.where(one | (not first), 1.0, 0.0)
        * tokens
        * (4 * counts.hidden / share + 4 * counts.vocab / b.tensor)
    )
    weights, gradients, states = (
        held(b.weight_bytes, 3),
        held(b.gradient_bytes, 2) * trained,
        held(b.state_bytes, 1) * trained,
    )
    gathered = (
        np.where(zero >= 3, assumed.gathered_layers, 0.0)
        * b.weight_bytes
        * (dense + experts)
        * b.pipeline
        / counts.layers
    )
    parts = {
        "weights": weights,
        "gradients": gradients,
        "states": states,
        "gathered": gathered,
        "activations": held_layers * a_layer,
        "working_layer": np.where(np.asarray(b.recompute) == 2, whole, 0.0),
        "ends": logits,
    }
    allocated = sum(parts.values())
    return Footprint(
        dense_params=dense,
        expert_params=experts,
        layers_held=held_layers,
        a_layer=a_layer,
        context=assumed.context_gib * 2.0**30,
        fragmentation=assumed.fragmentation * allocated,
        **parts,
    )


def _layers_held(counts: Counts, b: Batch, stage: Any) -> Any:
    """Layers' worth of activations at the peak, by schedule."""
    code = np.asarray(b.schedule).astype(int)
    one_forward_one_back = in_flight_layers(counts.layers, b.pipeline, b.interleave, b.micro_batches, stage)
    flat = np.where(code == 0, b.micro_batches, _PER_STAGE[code] * b.pipeline + _ADDED[code])
    others = counts.layers / b.pipeline * np.minimum(flat, b.micro_batches)
    return np.where(code == 1, one_forward_one_back, others)
