"""Roofline: what a kernel can reach at its arithmetic intensity, and each part of a layer on it."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.systems.counting import attention_matrices, count, mean_context, mlp_matrices
from burnin.systems.precision import bytes_of

SOURCE = "Williams, Waterman and Patterson, CACM 52(4), 2009"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One kernel: operations, bytes, and what bounds it. Times in seconds at the roof."""

    name: str
    flops: float
    bytes_moved: float
    intensity: float
    reachable_tflops: float
    seconds: float
    bound: str


def ridge(peak_tflops: float, memory_gb_s: float) -> float:
    """Return the operations a byte from which on compute binds.

    >>> round(ridge(989, 3350))
    295
    """
    if peak_tflops <= 0 or memory_gb_s <= 0:
        raise ValueError("peak and bandwidth must be positive")
    return peak_tflops * 1e12 / (memory_gb_s * 1e9)


def attainable(intensity: float, peak_tflops: float, memory_gb_s: float) -> float:
    """Return 10^12 operations a second at an intensity: the lower of the two roofs."""
    return min(peak_tflops, intensity * memory_gb_s / 1e3)


def point(name: str, flops: float, moved: float, peak_tflops: float, memory_gb_s: float) -> Point:
    """Place one kernel under the roof."""
    intensity = flops / moved
    reach = attainable(intensity, peak_tflops, memory_gb_s)
    return Point(
        name=name,
        flops=flops,
        bytes_moved=moved,
        intensity=intensity,
        reachable_tflops=reach,
        seconds=flops / (reach * 1e12),
        bound="compute" if intensity >= ridge(peak_tflops, memory_gb_s) else "memory",
    )


def layer_roofline(
    model: Model, gpu: Gpu, *, tokens: int, context: int, batch: int = 1, precision: str = "bf16"
) -> tuple[Point, ...]:
    """Place the projections and the attention of one layer for ``tokens`` new tokens a sequence.

    ``tokens`` 1 is decoding with ``context`` tokens in the cache; ``tokens`` equal to
    ``context`` is prefill. Each projection reads its weights and inputs and writes
    its outputs once. Raises ValueError for a precision without a peak on the card.
    """
    peak = gpu.dense_tflops.get(precision)
    if peak is None:
        raise ValueError(f"{gpu.name} has no {precision} peak; known: {', '.join(gpu.dense_tflops)}")
    if tokens < 1 or context < tokens or batch < 1:
        raise ValueError("tokens and batch must be at least 1, and context no less than tokens")
    each = bytes_of(precision)
    rows = batch * tokens
    points = []
    for name, (inputs, outputs) in {**attention_matrices(model), **mlp_matrices(model)}.items():
        moved = each * (inputs * outputs + rows * (inputs + outputs))
        points.append(point(name, 2.0 * rows * inputs * outputs, moved, peak, gpu.memory_gb_s))
    counts = count(model)
    if counts.moe_layers and model.experts:
        active = model.experts.active * rows
        # Each expert's weights are read once if any token reaches it.
        reached = min(model.experts.count, active)
        one = counts.routed_params / model.experts.count
        width = counts.expert_hidden * 2 + counts.expert_in + counts.expert_out
        points.append(
            point(
                "experts", 2.0 * active * one, each * (reached * one + active * width), peak, gpu.memory_gb_s
            )
        )
    looked = mean_context(context, model.window) if tokens == context else context - (tokens - 1) / 2
    half = gpu.dense_tflops.get("bf16", gpu.dense_tflops.get("fp16", peak))
    kv = counts.kv_width if model.latent is None else model.latent.kv_rank + model.latent.rope_dim
    if model.latent is None:
        kv = 2 * model.kv_heads * model.head_dim
    moved = 2.0 * (batch * context * kv + rows * (counts.query_width + counts.value_width))
    points.append(point("attention", 2.0 * rows * counts.score_width * looked, moved, half, gpu.memory_gb_s))
    return tuple(points)
