"""From a model, a card and an engine to what a step costs and how many tokens the cache holds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.systems.counting import count
from burnin.systems.experts import distinct_experts
from burnin.systems.kv_cache import elements_per_token
from burnin.systems.precision import BYTES, bytes_of
from burnin.systems.serving.coefficients import ServingCoefficients
from burnin.systems.serving.engine import Engine
from burnin.systems.serving.step_time import StepCosts

KERNELS_ATTENTION, KERNELS_DENSE, KERNELS_EXPERTS = 6, 3, 8
"""Kernels of one layer after usual fusion: norm, QKV, rotary, attention, output, residual; MLP; router to combine."""
STREAMED = 16
"""Elements of the hidden width a token and layer that norms, residuals and quantisation pass through memory."""
SCALED = {"fp4": 0.5625, "int4": 0.53125, "nf4": 0.516}
"""Bytes an element with scales: NVFP4 has an 8-bit scale for 16 elements, group-wise INT4 a 16-bit one for 64."""


class CannotServe(ValueError):
    """The setup does not exist: ranks that do not divide, or weights that fill the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One replica: a model on cards, as an engine is told to run it.

    >>> Setup(model=llama, gpu=h100, engine=engine("vllm"), tensor=2, weights="fp8").ranks
    2

    ``attention_data`` replicas of attention share one set of experts, which are split
    over ``expert_tensor`` x ``expert_parallel`` ranks; 0 means as many ranks as there are.
    ``context`` is the typical length of a sequence in tokens, which only matters to models
    with sliding windows. ``nvlink_domain`` cards reach each other over NVLink.
    """

    model: Model
    gpu: Gpu
    engine: Engine
    weights: str = "bf16"
    kv: str = ""
    tensor: int = 1
    pipeline: int = 1
    attention_data: int = 1
    expert_tensor: int = 0
    expert_parallel: int = 1
    nvlink_domain: int = 8
    context: float = 4096.0
    cuda_graphs: bool = True
    memory_share: float | None = None

    @property
    def ranks(self) -> int:
        """Cards of one pipeline stage."""
        return self.tensor * self.attention_data

    @property
    def kv_format(self) -> str:
        """The cache's number format: as told, else what the engine takes for these weights."""
        if self.kv:
            return self.kv
        return "fp8" if self.engine.narrow_kv and BYTES[self.weights] <= 1 else "bf16"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one rank does and moves, before any coefficient. Fields may be arrays, an entry a case.

    ``*_flops`` are operations a token, ``*_bytes`` bytes; peaks are operations a second,
    ``*_halvings`` how often the width of 16 bits was halved to reach the peak.
    """

    shared_flops: Any
    shared_peak: Any
    shared_halvings: Any
    shared_bytes: Any
    expert_flops: Any
    expert_peak: Any
    expert_halvings: Any
    expert_bytes: Any
    experts: Any
    experts_active: Any
    head_flops: Any
    half_peak: Any
    pair_flops: Any
    kv_bytes: Any
    passed_bytes: Any
    reduce_bytes: Any
    reduces: Any
    kernels: Any
    replicas: Any  # attention data parallel: each rank sees this part of the requests
    pipeline: Any
    memory_s: Any  # bytes a second
    link_s: Any
    kv_capacity: Any  # tokens of all replicas together; not above 0 where weights leave no room


def _peak(gpu: Gpu, precision: str) -> tuple[float, int]:
    """Return the peak that a weight format computes at, and the halvings of the width.

    A format that the card does not compute in is only stored: products are in 16 bits.
    """
    half = gpu.dense_tflops.get("bf16", gpu.dense_tflops.get("fp16"))
    if half is None:
        raise CannotServe(f"{gpu.name} does not compute in 16 bits")
    halvings = {"fp8": 1, "int8": 1, "fp4": 2}.get(precision, 0)
    own = gpu.dense_tflops.get(precision) if halvings else None
    return (half * 1e12, 0) if own is None else (own * 1e12, halvings)


def work(setup: Setup) -> Work:
    """Count what one rank of ``setup`` does; CannotServe where its ranks do not fit the model."""
    model, gpu = setup.model, setup.gpu
    if min(setup.tensor, setup.pipeline, setup.attention_data, setup.expert_parallel) < 1:
        raise CannotServe("degrees of parallelism are at least 1")
    if model.state_space is not None:
        raise CannotServe(f"{model.name} has state-space layers, which the serving model does not cover")
    c, ranks = count(model), setup.ranks
    expert_ranks = setup.expert_tensor * setup.expert_parallel or ranks
    size, half = SCALED.get(setup.weights, bytes_of(setup.weights)), 2.0
    # Four-bit mixtures keep attention in 16 bits (gpt-oss model card, arXiv 2508.10925, section 2.1).
    mixed = bool(c.experts) and bytes_of(setup.weights) < 1
    attention_size = half if mixed else size
    shared = c.attending * c.attention_params / setup.tensor
    # Dense and shared MLPs of a data-parallel attention stay whole on each replica.
    mlp = (c.dense_mlps * c.dense_params + c.moe_layers * c.shared_params) / setup.tensor
    routed = c.moe_layers * c.routed_params / expert_ranks
    routed_active = c.moe_layers * c.routed_active / expert_ranks
    head = c.vocab * c.hidden / setup.tensor
    embedding = c.embedding_params * (1 if c.head_params else 0) / setup.tensor
    resident = (shared * attention_size + mlp * (attention_size if mixed else size) + routed * size) + (
        head + embedding + c.position_params / setup.tensor
    ) * half
    # Engines keep the whole context unless told otherwise where every layer has the same window.
    local = c.window_layers if c.window_layers < c.attending else 0
    seen = c.attending - local + local * min(1.0, c.window / max(setup.context, 1.0))
    kv_element = elements_per_token(model, setup.tensor) * bytes_of(setup.kv_format)
    share = setup.engine.memory_share if setup.memory_share is None else setup.memory_share
    room = share * gpu.memory_bytes - resident / setup.pipeline - setup.engine.reserve_gib * 2**30
    held = seen * kv_element / setup.pipeline
    shared_peak, shared_halvings = _peak(gpu, "bf16" if mixed else setup.weights)
    expert_peak, expert_halvings = _peak(gpu, setup.weights)
    group = max(ranks, expert_ranks)
    inside = group <= setup.nvlink_domain and gpu.nvlink_gb_s > 0
    reduces = c.attending * (setup.tensor > 1) + (c.dense_mlps + c.moe_layers) * (group > 1)
    return Work(
        shared_flops=2 * (shared + mlp),
        shared_peak=shared_peak,
        shared_halvings=shared_halvings,
        shared_bytes=shared * attention_size + mlp * (attention_size if mixed else size) + head * half,
        expert_flops=2 * routed_active,
        expert_peak=expert_peak,
        expert_halvings=expert_halvings,
        expert_bytes=routed * size,
        experts=max(c.experts, 1),
        experts_active=max(c.experts_active, 1),
        head_flops=2 * head,
        half_peak=_peak(gpu, "bf16")[0],
        # Causal pairs are counted one by one, so a pair costs its multiply-adds once.
        pair_flops=2 * c.score_width * seen / setup.tensor,
        kv_bytes=seen * kv_element,
        passed_bytes=c.layers * STREAMED * c.hidden * half,
        reduce_bytes=reduces * 2 * (group - 1) / group * c.hidden * half,
        reduces=reduces * (1.0 if inside else 2.0),
        kernels=(
            KERNELS_ATTENTION * c.attending + KERNELS_DENSE * c.dense_mlps + KERNELS_EXPERTS * c.moe_layers
        )
        * (1.0 if setup.cuda_graphs else setup.engine.eager_kernels),
        replicas=setup.attention_data,
        pipeline=setup.pipeline,
        memory_s=gpu.memory_gb_s * 1e9,
        link_s=(gpu.nvlink_gb_s if inside else gpu.pcie_gb_s) * 1e9,
        kv_capacity=room / held * setup.attention_data,
    )


def stacked(works: list[Work]) -> Work:
    """Return one Work of arrays, an entry a case."""
    return Work(**{f.name: np.array([getattr(w, f.name) for w in works], dtype=float) for f in fields(Work)})


def step_costs(w: Work, k: ServingCoefficients, tokens: Any = 1) -> StepCosts:
    """Return what a step costs; ``tokens`` in it decide how many experts' weights are streamed.

    The two sides of a roofline for the linear layers (Williams, Waterman and Patterson,
    CACM 52(4), 2009), and beside them attention, the KV stream, collectives (ring, Thakur
    et al., IJHPCA 19(1), 2005) and launches. The two sides are added, not the larger
    taken: layers follow each other, and published steps are met better so. Pipeline
    stages work on as many parts of the batch at once: what is paid per token or request
    shrinks with them, weights and launches of all stages do not.
    """
    shared = w.shared_flops / (w.shared_peak * k.gemm * k.narrow**w.shared_halvings) / w.replicas
    routed = w.expert_flops / (w.expert_peak * k.gemm * k.narrow**w.expert_halvings * k.grouped)
    passed = w.passed_bytes / (w.memory_s * k.weights) / w.replicas
    moved = w.reduce_bytes / (w.link_s * k.link) / w.replicas
    token = (shared + routed + passed + moved) / w.pipeline
    hit = distinct_experts(w.experts, w.experts_active, np.maximum(tokens, 1)) / w.experts
    streamed = (w.shared_bytes + w.expert_bytes * hit / k.grouped) / (w.memory_s * k.weights)
    return StepCosts(
        fixed_s=(w.kernels * k.launch_us + w.reduces * k.collective_us) * 1e-6,
        per_request_s=k.request_us * 1e-6 + 0 * token,
        per_prefill_token_s=token,
        per_prefill_pair_s=w.pair_flops / (w.half_peak * k.attention) / w.replicas / w.pipeline,
        per_decode_token_s=token + w.head_flops / (w.half_peak * k.gemm) / w.replicas / w.pipeline,
        weights_s=streamed,
        per_kv_token_s=w.kv_bytes / (w.memory_s * k.kv) / w.replicas / w.pipeline,
        overlap="sum",
    )
