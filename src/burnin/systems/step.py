"""Seconds of one training step by cause, for one plan or for arrays of plans.

Every line works on floats and on arrays alike, so that the sweep over a plan
space and the explanation of one plan cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from burnin.systems.batch import Batch
from burnin.systems.counting import Counts, mean_context_of
from burnin.systems.machine import Speeds
from burnin.systems.traffic import (
    context_seconds,
    expert_seconds,
    exposed,
    gradient_seconds,
    replica_params,
    send_seconds,
    tensor_seconds,
)

UNFUSED = 2.0
"""How often element-wise kernels pass over memory without fusion, against once with it."""
SOFTMAX_BYTES = 13.0
"""Memory traffic of one attention score, forward: written, masked softmax, dropout with its mask, read again."""
ATTENTION_LAUNCHES, MLP_LAUNCHES, EXPERT_LAUNCHES = 12.0, 6.0, 24.0
"""Kernels of one forward pass with fusion; without it twice as many."""
EXPERT_PASSES = 4.0
"""Element-wise trips over experts' inner width: activation, router weight, padding to tiles, and the copy for backward."""
GRAPHED = 0.15
"""Share of the launch cost that is left when steps replay a CUDA graph."""
UPDATE_BYTES = 2.0
"""Reads and writes of every state byte in the optimizer step."""
LOGIT_BYTES = 12.0
"""Memory traffic of one logit, forward: written in 16 bits, made fp32, reduced twice."""
FLASH_1 = 0.5
"""Speed of the first generation of flash attention against the second (Dao, arXiv 2307.08691, abstract)."""
NODE = 8.0
"""Cards a node, for counting doublings of nodes."""

# Bubble of one batch = (p / divide - less) x (f F + b B + w W): F forward, B input
# gradient, W weight gradient. Order of plan.SCHEDULES. Sources: GPipe 1811.06965,
# 1F1B 2104.04473, zero bubble 2401.10241 table 1, DualPipe 2412.19437 table 2.
_BUBBLE_F = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
_BUBBLE_B = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 2.0])
_BUBBLE_W = np.array([1.0, 1.0, -1.0, -2.0, -2.0, -1.0])
_BUBBLE_DIVIDE = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 2.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Seconds of a step by cause; they add up to ``total``. ``model_flops`` are of all ranks."""

    linear: Any
    experts: Any
    attention: Any
    streaming: Any
    launches: Any
    recompute: Any
    tensor_traffic: Any
    context_traffic: Any
    expert_traffic: Any
    pipeline_traffic: Any
    output_layer: Any
    bubble: Any
    data_traffic: Any
    update: Any
    spread: Any
    total: Any
    model_flops: Any
    hardware_flops: Any


CAUSES = tuple(f.name for f in fields(StepTimes) if f.name not in {"total", "model_flops", "hardware_flops"})


def step_times(c: Counts, b: Batch, s: Speeds) -> StepTimes:
    """Return the seconds of one optimizer step by cause.

    Counts, plan and speeds may be numbers or arrays of one length. Overlapped
    traffic costs what exceeds the compute beside it, and the share that overlap
    fails to hide.
    """
    t, p, cp = b.tensor, b.pipeline, b.context
    m = b.micro_batches
    tokens = b.micro_batch * b.sequence / cp
    share = tokens / (p * t)
    flash = np.asarray(b.flash, dtype=bool)
    back = np.where(b.lora, 1.0, 2.0)  # a frozen base has no weight gradients

    # Compute of one micro-batch on an average stage, forward.
    linear = 2 * share * outside_experts(c) / s.linear
    routed = 2 * share * c.moe_layers * c.routed_active / (s.linear * s.grouped)
    span = np.where(np.asarray(b.attention_span) > 0, b.attention_span, b.sequence)
    pairs = (c.attending - c.window_layers) * span / 2 + c.window_layers * mean_context_of(span, c.window)
    scan = c.ssm_layers * c.ssm_scan
    rate = s.attention * np.where(np.asarray(b.flash) == 1, FLASH_1, 1.0)
    core = np.where(flash, c.score_width * pairs / rate, c.score_width * c.attending * span / s.half)
    attention = 2 * share * (core + scan / s.attention)
    softmax = share * SOFTMAX_BYTES * c.heads * c.attending * span / s.memory
    scores_traffic = np.where(flash, 0.0, softmax)
    streaming = (tokens / p * stream_bytes(c, b, s) + weight_stream_bytes(c, b)) / s.memory
    busy = linear + routed + attention + scores_traffic + streaming
    wait = np.maximum(launch_seconds(c, b, s) - busy, 0.0)

    # Traffic of one micro-batch, forward; backward mirrors it.
    tensor = exposed_share(tensor_seconds(c, b, s, tokens), s, b.overlap_tensor)
    expert = exposed_share(expert_seconds(c, b, s, tokens), s, b.overlap_expert)
    context = exposed(context_seconds(c, b, s, tokens), attention, s.hidden, True)
    send = exposed_share(send_seconds(c, b, s, tokens), s, b.overlap_pipeline)

    attention_back = np.where(flash, 2.5, 2.0)
    full = np.asarray(b.recompute) == 2
    forward = busy + wait
    backward = back * (linear + routed) + attention_back * attention + 2 * (scores_traffic + streaming + wait)
    again = np.where(full, forward, 0.0)
    again = again + np.where((np.asarray(b.recompute) == 1) & ~flash, attention + scores_traffic, 0.0)
    passes = np.where(full, 3.0, 2.0)
    traffic = passes * (tensor + context) + 2 * expert
    one = forward + backward + again + traffic

    # The output layer and multi-token prediction, on the last stage alone unless layers are placed unevenly.
    extra = output_seconds(c, b, s, tokens) * (1 + back)
    uneven = np.mod(c.layers, p * b.interleave) != 0
    extra = np.where((np.asarray(p) > 1) & uneven, extra / p, extra)

    index = np.asarray(b.schedule).astype(int)
    weight_gradient = (back - 1) * (linear + routed)
    ahead = forward + traffic / 2
    behind = backward - weight_gradient + again + traffic / 2
    idle = _BUBBLE_F[index] * ahead + _BUBBLE_B[index] * behind + _BUBBLE_W[index] * weight_gradient
    fill = np.maximum(p / _BUBBLE_DIVIDE[index] - 1, 0.0)
    bubble = fill * (np.maximum(idle, 0.0) / b.interleave + send)

    gradients, weights = gradient_seconds(c, b, s)
    zero = np.asarray(b.zero)
    once = gradients + np.where(zero == 0, gradients, weights)
    each = np.where(zero >= 3, gradients + 2 * weights, np.where(zero == 2, gradients, 0.0))
    last = np.where(zero >= 3, 0.0, np.where(zero == 2, weights, once))
    data = exposed(last, one, s.hidden, b.overlap_data) + m * exposed(each, one, s.hidden, b.overlap_data)
    update = update_seconds(c, b, s)

    nodes = np.maximum(t * p * cp * b.data / NODE, 1.0)
    spread = (m * (one + extra) + bubble) * s.spread * np.log2(nodes)
    times = {
        "linear": m * (1 + back) * linear,
        "experts": m * (1 + back) * routed,
        "attention": m * (1 + attention_back) * attention,
        "streaming": m * 3 * (streaming + scores_traffic),
        "launches": m * 3 * wait,
        "output_layer": m * extra,
        "recompute": m * again,
        "tensor_traffic": m * passes * tensor,
        "context_traffic": m * passes * context,
        "expert_traffic": m * 2 * expert,
        "pipeline_traffic": m * send,
        "bubble": bubble,
        "data_traffic": data,
        "update": update,
        "spread": spread,
    }
    layers = outside_experts(c) + c.moe_layers * c.routed_active
    scored = c.score_width * pairs + scan
    output = (1 + c.predict_layers) * c.vocab * c.hidden
    output = output + c.predict_params + c.predict_layers * c.routed_active
    tokens_step = b.global_batch * b.sequence
    model_flops = 2 * tokens_step * ((1 + back) * (layers + output) + 3 * scored)
    again_flops = np.where(full, layers + scored, np.where(np.asarray(b.recompute) == 1, scored, 0.0))
    return StepTimes(
        **times,
        total=sum(times.values()),
        model_flops=model_flops,
        hardware_flops=model_flops + 2 * tokens_step * again_flops,
    )


def exposed_share(comm: Any, s: Speeds, overlaps: Any) -> Any:
    """Return what is left of traffic that enough compute stands beside."""
    return comm * (1 - np.where(overlaps, s.hidden, 0.0))


def outside_experts(c: Counts) -> Any:
    """Matrix elements that every token passes through in all layers, routed experts and output layer apart."""
    return (
        c.attending * c.attention_params
        + c.dense_mlps * c.dense_params
        + c.moe_layers * c.shared_params
        + c.ssm_layers * c.ssm_params
    )


def stream_bytes(c: Counts, b: Batch, s: Speeds) -> Any:
    """Bytes a token that one forward pass of all layers moves through a rank's memory.

    Each tensor is written by the kernel that makes it and read by those that take
    it. Norms and residuals pass 5 times over the hidden width, a projection reads
    and writes it once each.
    """
    t = b.tensor
    kept = np.where(b.sequence_parallel, t, 1.0)
    copies = c.experts_active * c.expert_hidden
    blocks = c.attending + c.ssm_layers + c.dense_mlps + c.moe_layers
    element_wise = (
        5 * blocks * c.hidden / kept
        + (
            c.attending * (2 * c.query_width + c.kv_width)
            + c.dense_mlps * (c.dense_in + c.dense_out)
            + c.moe_layers * (6 * copies + EXPERT_PASSES * c.experts_active * (c.expert_in + c.expert_out))
            + c.moe_layers * (c.shared_in + c.shared_out)
            + c.ssm_layers * 8 * c.ssm_width
        )
        / t
    )
    products = (
        2 * blocks * c.hidden
        + (
            c.attending * 2 * (c.query_width + c.kv_width + c.value_width)
            + c.dense_mlps * (c.dense_in + c.dense_out)
            + c.moe_layers * (2 * copies + c.experts_active * (c.expert_in + c.expert_out))
            + c.moe_layers * (c.shared_in + c.shared_out)
        )
        / t
    )
    quantised = (
        blocks * c.hidden
        + (
            c.attending * c.value_width
            + c.dense_mlps * c.dense_out
            + c.moe_layers * (copies + c.experts_active * c.expert_out + c.shared_out)
        )
        / t
    )
    return 2 * (np.where(b.fused, 1.0, UNFUSED) * element_wise + products) + 3 * s.quantise * quantised


def weight_stream_bytes(c: Counts, b: Batch) -> Any:
    """Bytes of weights that one forward pass of a stage reads."""
    outside = outside_experts(c) / b.tensor
    return 2 * (outside + c.moe_layers * c.routed_params / b.expert) / b.pipeline


def launch_seconds(c: Counts, b: Batch, s: Speeds) -> Any:
    """Host time of one forward pass of a stage: what a card waits for when kernels are too short."""
    kernels = (
        (c.attending + c.ssm_layers) * ATTENTION_LAUNCHES
        + c.dense_mlps * MLP_LAUNCHES
        + c.moe_layers * EXPERT_LAUNCHES
    ) / b.pipeline
    return kernels * s.launch * np.where(b.fused, 1.0, 2.0) * np.where(b.cuda_graphs, GRAPHED, 1.0)


def output_seconds(c: Counts, b: Batch, s: Speeds, tokens: Any) -> Any:
    """Output layer with its loss, and multi-token prediction modules, one forward pass of a micro-batch."""
    each = tokens / b.tensor
    logits = each * (1 + c.predict_layers) * c.vocab * (2 * c.hidden / s.half + LOGIT_BYTES / s.memory)
    predicted = c.predict_params + c.predict_layers * c.routed_active / s.grouped
    return logits + 2 * each * predicted / s.linear


def update_seconds(c: Counts, b: Batch, s: Speeds) -> Any:
    """The optimizer's pass over the states that a rank keeps."""
    dense, experts = replica_params(c, b)
    sharded = np.asarray(b.zero) >= 1
    shards = np.where(sharded, b.context * b.data, 1.0)
    expert_shards = np.where(sharded, np.maximum(b.tensor * b.context * b.data / b.expert, 1.0), 1.0)
    each = b.weight_bytes + b.gradient_bytes + UPDATE_BYTES * b.state_bytes
    return np.where(b.lora, 0.0, each * (dense / shards + experts / expert_shards) / s.memory)
