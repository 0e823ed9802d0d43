"""Activation memory: what the backward pass needs from the forward pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.systems.counting import Counts

SOURCE = "Korthikanti et al., arXiv 2205.05198, section 4 and table 2"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerActivations:
    """Bytes a token of one average layer, by how they shard.

    ``kept`` stays whole on every tensor-parallel rank (sequence parallelism
    divides it), ``divided`` is divided by tensor parallelism, ``core`` is the
    attention matrix that selective recomputation drops and flash attention never
    stores; ``routed`` is divided by the ranks that share a token's experts;
    ``input`` is all that full recomputation keeps.
    """

    kept: Any
    divided: Any
    core: Any
    routed: Any
    input: Any


def layer_activations(counts: Counts, sequence: Any, *, dropout: Any, flash: Any) -> LayerActivations:
    """Return bytes a token of an average layer in 16-bit precision.

    For a GPT with dropout and without flash attention these are the paper's
    10 s b h kept, 24 s b h divided and 5 a s^2 b of attention core.
    """
    drop = np.where(dropout, 1.0, 0.0)
    h = counts.hidden
    attends = counts.attending / counts.layers
    dense = counts.dense_mlps / counts.layers
    moe = counts.moe_layers / counts.layers
    ssm = counts.ssm_layers / counts.layers
    # Norm input and the input of the first projection, 2 bytes each; dropout masks are a byte.
    kept = (attends + dense + moe) * (4 + drop) * h + ssm * 4 * h
    attention = 2 * (counts.query_width + counts.kv_width) + 2 * counts.value_width
    divided = attends * attention
    divided = divided + dense * 2 * (counts.dense_in + counts.dense_out)
    divided = divided + moe * 2 * (counts.shared_in + counts.shared_out)
    divided = divided + ssm * 2 * 4 * counts.ssm_width
    core = (
        np.where(np.asarray(flash, dtype=bool), 4.0 * counts.heads, (2 + 3 * drop) * counts.heads * sequence)
        * attends
    )
    routed = (
        moe * 2 * counts.experts_active * (2 * counts.expert_hidden + counts.expert_in + counts.expert_out)
    )
    return LayerActivations(kept=kept, divided=divided, core=core, routed=routed, input=2 * h)


def layer_bytes(
    layer: LayerActivations,
    tokens: Any,
    *,
    tensor: Any,
    sequence_parallel: Any,
    recompute: Any,
    flash: Any,
) -> Any:
    """Return bytes that one layer keeps of one micro-batch.

    ``tokens`` are those of a rank before sequence parallelism (micro-batch x
    sequence / context parallel). ``recompute`` is 0 none, 1 selective, 2 full.
    Sequence parallelism keeps 1/t of what is not divided otherwise; full
    recomputation keeps the layer's input alone.
    """
    share = np.where(sequence_parallel, tensor, 1)
    code = np.asarray(recompute)
    core = np.where((code == 0) | np.asarray(flash, dtype=bool), layer.core, 0.0)
    stored = layer.kept / share + (layer.divided + layer.routed + core) / tensor
    return tokens * np.where(code == 2, layer.input / share, stored)


def in_flight_layers(layers: Any, pipeline: Any, interleave: Any, micro_batches: Any, stage: Any) -> Any:
    """Return how many layers' worth of activations a stage of 1F1B holds at its peak.

    >>> float(in_flight_layers(96, 8, 3, 64, 0))   # L (1 + (p - 1) / (p m))
    124.0

    ``stage`` counts from 0. Source: arXiv 2205.05198, section 4.2.3 (first
    stage); the warm-up of Megatron's schedules for the others, arXiv 2104.04473,
    section 2.2.
    """
    plain = np.minimum(micro_batches, pipeline - stage)
    warm = 2 * (pipeline - stage - 1) + (interleave - 1) * pipeline + 1
    chunked = np.minimum(warm, micro_batches * interleave) / interleave
    return layers / pipeline * np.where(np.asarray(interleave) > 1, chunked, plain)


def peak_micro_batches(schedule: str, pipeline: int, micro_batches: int) -> float:
    """Return how many micro-batches' activations the first stage of a schedule without chunks holds.

    Sources: GPipe (arXiv 1811.06965), 1F1B (2104.04473), zero bubble (2401.10241,
    table 1 and section 2), DualPipe (2412.19437, table 2).
    """
    peaks = {
        "gpipe": micro_batches,
        "1f1b": pipeline,
        "zb-h1": pipeline,
        "zb-h2": 2 * pipeline - 1,
        "zb-v": pipeline,
        "dualpipe": pipeline + 1,
    }
    return min(peaks[schedule], micro_batches)
