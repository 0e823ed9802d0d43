"""The forms of hardware and model files."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from burnin.catalog.basic_forms import REFERENCE, Day, ExamCode, Form, Line, Slug

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
CountOrNone = Annotated[int, Meta(ge=0)]


class RawProvenance(Form, frozen=True):
    source: Slug
    locator: Line
    fields: tuple[str, ...] = ()


class RawGpu(Form, frozen=True):
    id: Slug
    name: Line
    architecture: Line
    memory_gb: Positive
    memory_gib: Positive
    memory_gb_s: Positive
    dense_tflops: Annotated[dict[Slug, Positive], Meta(min_length=1)]
    nvlink_gb_s_total: NotNegative
    pcie_gb_s: Positive
    tdp_w: Positive
    price_usd_hour: NotNegative
    aliases: tuple[Line, ...] = ()
    sources: tuple[RawProvenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""


class RawCluster(Form, frozen=True):
    id: Slug
    name: Line
    gpu: Slug
    gpus_per_node: Count
    nvlink_domain: Count
    network_gbit_s: Positive
    nvlink_latency_us: NotNegative
    network_latency_us: NotNegative
    host_memory_gb: Positive
    nvme_gb_s: Positive
    overhead_w_per_gpu: NotNegative
    aliases: tuple[Line, ...] = ()
    sources: tuple[RawProvenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""


class RawCalibration(Form, frozen=True):
    id: Slug
    model: Annotated[str, Meta(pattern=r"^[a-z]+/\d+$")]
    gpu: Slug
    coefficients: Annotated[dict[str, float], Meta(min_length=1, max_length=12)]
    fitted_on: Line
    error: Line
    as_of: Day
    sources: tuple[RawProvenance, ...] = ()
    pooled: bool = False
    engine: str = ""
    note: str = ""
    bounds_hit: tuple[str, ...] = ()


NumberFormat = Literal["fp16", "bf16", "fp8", "int8", "fp4", "int4"]


class RawQuantMethod(Form, frozen=True):
    id: Slug
    name: Line
    weights: NumberFormat
    activations: NumberFormat
    calibration: Line
    needs: Line
    risk: Line
    sources: Annotated[tuple[RawProvenance, ...], Meta(min_length=1)]
    peak: Literal["", "fp8", "int8", "fp4"] = ""
    group: CountOrNone = 0
    scale_bits: CountOrNone = 0


class RawKeptAccuracy(Form, frozen=True):
    id: Slug
    method: Slug
    model: Line
    params_b: Positive
    benchmark: Line
    before: Positive
    after: Positive
    sources: Annotated[tuple[RawProvenance, ...], Meta(min_length=1)]


class RawDrill(Form, frozen=True):
    id: Slug
    exam: ExamCode
    objective: Annotated[str, Meta(pattern=REFERENCE)]
    title: Line
    fault: Slug
    fault_words: Line
    brief: Line
    measure: Line
    debrief: Line
    sources: Annotated[tuple[RawProvenance, ...], Meta(min_length=1)]


class RawLatentAttention(Form, frozen=True):
    q_rank: CountOrNone
    kv_rank: Count
    nope_dim: Count
    rope_dim: Count
    value_dim: Count


class RawExperts(Form, frozen=True):
    count: Count
    active: Count
    ffn: Count
    shared: CountOrNone = 0
    shared_ffn: CountOrNone = 0
    dense_layers: CountOrNone = 0
    latent: CountOrNone = 0


class RawStateSpace(Form, frozen=True):
    layers: Count
    heads: Count
    head_dim: Count
    state: Count
    groups: Count
    conv: Count = 4


class RawPublishedPlan(Form, frozen=True):
    tensor: Count
    pipeline: Count
    interleave: Count = 1
    micro_batch: Count = 1
    sequence: Count = 2048


class RawModel(Form, frozen=True):
    id: Slug
    name: Line
    family: Line
    layers: Count
    hidden: Count
    ffn: CountOrNone
    heads: Count
    kv_heads: Count
    head_dim: Count
    vocab: Count
    gated: bool = True
    tied: bool = False
    biases: bool = False
    learned_positions: CountOrNone = 0
    latent: RawLatentAttention | None = None
    window: CountOrNone = 0
    window_layers: CountOrNone = 0
    experts: RawExperts | None = None
    state_space: RawStateSpace | None = None
    attention_layers: CountOrNone | None = None
    mlp_layers: CountOrNone | None = None
    predict_layers: CountOrNone = 0
    published_params: Positive | None = None
    published_active: Positive | None = None
    published_plan: RawPublishedPlan | None = None
    aliases: tuple[Line, ...] = ()
    sources: tuple[RawProvenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""
