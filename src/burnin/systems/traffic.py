"""Seconds of one step's traffic by kind of parallelism, before and after overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from burnin.systems.batch import Batch
from burnin.systems.collectives import all_to_all_seconds, group_bytes_s
from burnin.systems.counting import Counts
from burnin.systems.machine import Speeds


def exposed(comm: Any, beside: Any, hidden: Any, overlaps: Any) -> Any:
    """Return what overlap leaves of ``comm`` seconds beside ``beside`` seconds of compute.

    >>> float(exposed(10.0, 4.0, 0.8, True)), float(exposed(10.0, 40.0, 0.8, True))
    (6.8, 2.0)
    """
    covered = hidden * np.minimum(comm, beside)
    return comm - np.where(overlaps, covered, 0.0)


def tensor_seconds(c: Counts, b: Batch, s: Speeds, tokens: Any) -> Any:
    """All-reduces (or their all-gather and reduce-scatter halves) of one forward pass of a stage.

    Two a transformer layer, each of tokens x hidden in 16 bits (arXiv 1909.08053,
    section 3; 2205.05198, section 4.2.2: sequence parallelism moves the same).
    Routed experts are not split, so a mixture's MLP has one only for its shared experts.
    """
    t = b.tensor
    layers = (
        c.attending + c.ssm_layers + c.dense_mlps + np.where(np.asarray(c.shared_in) > 0, c.moe_layers, 0.0)
    )
    inside = np.asarray(t) <= s.domain
    rate = np.where(inside, s.nvlink, s.network)
    latency = np.where(inside, s.nvlink_latency, s.network_latency)
    size = 2 * tokens * c.hidden
    return np.where(
        np.asarray(t) > 1, layers / b.pipeline * 2 * ((t - 1) / t * size / rate + np.log2(t) * latency), 0.0
    )


def context_seconds(c: Counts, b: Batch, s: Speeds, tokens: Any) -> Any:
    """Keys and values that travel round the context ring in one forward pass of a stage."""
    cp = b.context
    inside = b.tensor * cp <= s.domain
    rate = np.where(inside, s.nvlink, s.network)
    latency = np.where(inside, s.nvlink_latency, s.network_latency)
    size = 2 * tokens * c.kv_width / b.tensor
    return c.attending / b.pipeline * (cp - 1) * (size / rate + latency)


def expert_seconds(c: Counts, b: Batch, s: Speeds, tokens: Any) -> Any:
    """Dispatch and combine of one forward pass of a stage."""
    copies = np.maximum(c.experts_active, 1.0)
    size = 2 * tokens / b.tensor * copies * c.expert_hidden
    one = all_to_all_seconds(
        size, copies, b.expert, s.domain, s.nvlink, s.network, s.nvlink_latency, s.network_latency
    )
    return np.where(np.asarray(b.expert) > 1, c.moe_layers / b.pipeline * 2 * one, 0.0)


def send_seconds(c: Counts, b: Batch, s: Speeds, tokens: Any) -> Any:
    """Activations forward and gradients back for one micro-batch, once a chunk.

    With tensor parallelism each rank sends its slice (scatter/gather, arXiv
    2104.04473, section 4.1).
    """
    inside = b.tensor * b.pipeline * b.context * b.data <= s.domain
    rate = np.where(inside, s.nvlink, s.network)
    latency = np.where(inside, s.nvlink_latency, s.network_latency)
    size = 2 * tokens * c.hidden / b.tensor
    return np.where(np.asarray(b.pipeline) > 1, 2 * b.interleave * (size / rate + latency), 0.0)


def replica_params(c: Counts, b: Batch) -> tuple[Any, Any]:
    """Return (parameters outside experts, expert parameters) of a rank on an average stage."""
    outside = c.total - c.moe_layers * c.routed_params
    return outside / b.pipeline / b.tensor, c.moe_layers * c.routed_params / b.pipeline / b.expert


def gradient_seconds(c: Counts, b: Batch, s: Speeds) -> tuple[Any, Any]:
    """Return seconds of (one pass of gradients, one pass of weights) through the replicas.

    A pass is a reduce-scatter or an all-gather: (n - 1)/n of the bytes. Experts are
    replicated on fewer ranks than the rest.
    """
    dense, experts = replica_params(c, b)
    ranks = b.context * b.data
    near = np.clip(s.domain / b.tensor, 1.0, ranks)
    rate = group_bytes_s(near, ranks, s.nvlink, s.network)
    crossing = np.asarray(b.single_rail, dtype=bool) & (ranks > near)
    rate = np.where(crossing, s.network, rate)
    expert_ranks = np.maximum(b.tensor * ranks / b.expert, 1.0)
    expert_near = np.clip(s.domain / b.expert, 1.0, expert_ranks)
    expert_rate = group_bytes_s(expert_near, expert_ranks, s.nvlink, s.network)
    latency = np.log2(ranks) * np.where(ranks <= near, s.nvlink_latency, s.network_latency)
    passes = dense * (ranks - 1) / ranks / rate
    passes = passes + experts * (expert_ranks - 1) / expert_ranks / expert_rate
    trained = np.where(b.lora, 0.0, 1.0)
    # Collectives run layer by layer, so each of them pays its latency.
    latency = latency * c.layers / b.pipeline
    return (b.gradient_bytes * passes + latency) * trained, b.weight_bytes * passes + latency
