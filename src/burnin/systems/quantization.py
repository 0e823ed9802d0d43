"""Which way to quantize: what it saves, how fast a decoding step can be, what it keeps, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.domain.quantization import KeptAccuracy, QuantMethod
from burnin.systems.counting import count
from burnin.systems.experts import distinct_experts
from burnin.systems.kv_cache import bytes_per_token

RESERVED = 0.10
"""Share of the card's memory that engines leave to activations and buffers: an assumption to edit."""

ALIKE = 2.0
"""A published model speaks for another up to so many times larger or smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is to be served on how many cards: ``batch`` sequences of ``context`` tokens, in step."""

    batch: int
    context: int
    tensor: int = 1
    kv: str = "bf16"

    def __post_init__(self) -> None:
        if min(self.batch, self.context, self.tensor) < 1:
            raise ValueError("batch, context and tensor must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One method on one card under one load. Bytes are of one card; seconds are of one decoding step.

    ``step_seconds`` is the roof: no engine is faster, real ones take longer. ``kept_percent``
    is the worst published figure of a model of like size, None where none was published.
    ``why_not`` is empty where the method stands.
    """

    method: QuantMethod
    kv: str
    weight_bytes: float
    kv_bytes: float
    room_bytes: float
    step_seconds: float
    bound: str
    kept_percent: float | None
    evidence: tuple[KeptAccuracy, ...]
    why_not: tuple[str, ...]

    @property
    def stands(self) -> bool:
        return not self.why_not


def weight_bytes(model: Model, bits: float) -> tuple[float, float]:
    """Return bytes of the quantized matrices and of what stays in 16 bits (embeddings, output, norms).

    >>> quantized, kept = weight_bytes(llama_3_1_70b, 4)
    >>> round(quantized / 1e9, 1), round(kept / 1e9, 1)
    (34.2, 4.2)
    """
    counts = count(model)
    return counts.matrices * bits / 8, 2.0 * (counts.total - counts.matrices)


def judge(
    model: Model,
    card: Gpu,
    method: QuantMethod,
    load: Load,
    published: Iterable[KeptAccuracy],
    *,
    keep_percent: float = 0.0,
    slower_than: float | None = None,
) -> Choice:
    """Return what one method gives, and every reason against it.

    ``keep_percent`` of the score must be kept, and a step must take no longer than
    ``slower_than`` seconds at the roof.
    A step reads all weights that its tokens reach and the whole cache once, and multiplies
    each token with each weight; the slower of the two bounds it (Williams, Waterman and
    Patterson, CACM 52(4), 2009). Tensor parallelism divides both, without its collectives.
    """
    counts = count(model)
    quantized, kept = weight_bytes(model, method.bits)
    held = (quantized + kept) / load.tensor
    cached = load.batch * load.context * bytes_per_token(model, load.kv, load.tensor)
    room = card.memory_bytes * (1 - RESERVED)
    reached = 1.0
    if counts.moe_layers and model.experts is not None:
        routed = counts.moe_layers * counts.routed_params / counts.matrices
        share = distinct_experts(model.experts.count, model.experts.active, load.batch) / model.experts.count
        reached = 1 - routed + routed * share
    peak = card.dense_tflops.get(method.peak or "bf16") or card.dense_tflops.get("fp16", 0.0)
    output = 2.0 * counts.hidden * counts.vocab
    reading = (quantized * reached + output) / load.tensor + cached
    memory = reading / (card.memory_gb_s * 1e9)
    compute = 2.0 * counts.active * load.batch / load.tensor / (peak * 1e12) if peak else float("inf")
    step = max(memory, compute)
    evidence = alike(published, method.id, counts.total / 1e9)
    worst = min((entry.kept_percent for entry in evidence), default=None)
    if method.weights in ("bf16", "fp16"):
        worst = 100.0
    why_not = []
    if method.peak and method.peak not in card.dense_tflops:
        why_not.append(f"{card.name} has no {method.peak.upper()} Tensor Cores")
    if load.kv == "fp8" and card.architecture in ("Volta", "Turing"):
        why_not.append(f"{card.name} has no kernels for an FP8 cache")
    if held + cached > room:
        why_not.append(f"{(held + cached) / 1e9:.0f} GB do not fit into {room / 1e9:.0f} GB a card")
    if slower_than is not None and step > slower_than:
        roof = "memory" if memory >= compute else "compute"
        why_not.append(f"too slow: the {roof} roof is {step / slower_than:.2f} times what is allowed")
    if keep_percent and worst is None:
        why_not.append("no accuracy was published for a model of this size")
    elif worst is not None and worst < keep_percent:
        why_not.append(f"a model of this size kept {worst:.1f} % at worst")
    return Choice(
        method=method,
        kv=load.kv,
        weight_bytes=held,
        kv_bytes=cached,
        room_bytes=room,
        step_seconds=step,
        bound="memory" if memory >= compute else "compute",
        kept_percent=worst,
        evidence=evidence,
        why_not=tuple(why_not),
    )


def alike(published: Iterable[KeptAccuracy], method: str, params_b: float) -> tuple[KeptAccuracy, ...]:
    """Return the published figures of a method for models up to ``ALIKE`` times larger or smaller."""
    return tuple(
        entry
        for entry in published
        if entry.method == method and abs(log(entry.params_b / params_b)) <= log(ALIKE) + 1e-9
    )


def choose(choices: Sequence[Choice]) -> Choice | None:
    """Return the one to take of those that stand: the least loss, then the fastest; None where none stands.

    Half a point of accuracy counts as equal: benchmarks do not tell less apart.
    """
    standing = [choice for choice in choices if choice.stands]
    if not standing:
        return None
    best = max(choice.kept_percent or 0.0 for choice in standing)
    near = [choice for choice in standing if (choice.kept_percent or 0.0) >= best - 0.5]
    return min(near, key=lambda choice: (choice.step_seconds, choice.weight_bytes + choice.kv_bytes))
