"""What fills a card in training, and the smallest change that makes it fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.systems.activations import SOURCE as ACTIVATION_SOURCE
from burnin.systems.activations import layer_activations
from burnin.systems.batch import batch_of
from burnin.systems.counting import Counts, count
from burnin.systems.footprint import ASSUMED, Assumptions, Footprint, footprint
from burnin.systems.lora import adapter_params
from burnin.systems.plan import Plan, plan_faults
from burnin.systems.states import OPTIMIZERS, ZERO_SOURCE
from burnin.systems.term import GIB, Term, show


class BadPlan(ValueError):
    """The plan cannot run at all; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingMemory:
    """The fullest rank's memory, term by term.

    ``stage`` is ``first`` or ``last``. ``capacity`` is the card's total in bytes,
    0 where no card was named.
    """

    stage: str
    terms: tuple[Term, ...]
    capacity: float

    @property
    def total(self) -> float:
        """All bytes."""
        return sum(term.value for term in self.terms)

    @property
    def fits(self) -> bool:
        """Whether the rank fits its card."""
        return self.total <= self.capacity

    @property
    def short_bytes(self) -> float:
        """How much is missing; negative is what stays free."""
        return self.total - self.capacity

    @property
    def waterfall(self) -> tuple[tuple[Term, float], ...]:
        """Each term, largest first, with the running sum after it."""
        running, steps = 0.0, []
        for term in sorted(self.terms, key=lambda t: -t.value):
            running += term.value
            steps.append((term, running))
        return tuple(steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change to a plan, what it saves, and what it costs."""

    words: str
    cost: str
    plan: Plan
    total: float


def training_memory(
    model: Model, plan: Plan, gpu: Gpu | None = None, assumed: Assumptions = ASSUMED
) -> TrainingMemory:
    """Return the memory of the fullest rank with every formula filled in.

    >>> # training_memory(llama_3_1_8b, Plan(data=8, zero=3, global_batch=8), h100).fits

    Raises BadPlan for a plan that cannot run. Sources: ZeRO (arXiv 1910.02054),
    activations (2205.05198).
    """
    faults = plan_faults(plan, model)
    if faults:
        raise BadPlan("; ".join(faults))
    counts, batch = count(model), batch_of(plan)
    first = footprint(counts, batch, first=True, assumed=assumed)
    last = footprint(counts, batch, first=False, assumed=assumed)
    name, fullest = ("first", first) if first.total >= last.total else ("last", last)
    return TrainingMemory(
        stage=name,
        terms=tuple(t for t in _terms(model, counts, plan, fullest, assumed) if t.value),
        capacity=gpu.memory_bytes if gpu else 0.0,
    )


def _terms(model: Model, counts: Counts, plan: Plan, f: Footprint, assumed: Assumptions) -> Iterator[Term]:
    optimizer = OPTIMIZERS[plan.optimizer]
    shards = plan.data * plan.context
    spread = max(plan.replica_ranks / plan.expert, 1)
    parts = (
        ("weights", optimizer.weight, f.weights, 3),
        ("gradients", optimizer.gradient, f.gradients, 2),
        ("optimizer states", optimizer.states, f.states, 1),
    )
    for name, each, value, stage in parts:
        sharded = plan.zero >= stage
        dense, experts = show(float(f.dense_params)), show(float(f.expert_params))
        if float(f.expert_params):
            formula = (
                f"{show(each)} (P / N + P_experts / N_e)" if sharded else f"{show(each)} (P + P_experts)"
            )
            inside = f"{dense} / {shards} + {experts} / {show(spread)}" if sharded else f"{dense} + {experts}"
            filled = f"{show(each)} x ({inside})"
        else:
            formula = f"{show(each)} P / N" if sharded else f"{show(each)} P"
            filled = f"{show(each)} x {dense}" + (f" / {shards}" if sharded else "")
        yield _bytes(name, value, formula, filled, ZERO_SOURCE)
    if plan.lora_rank:
        targets = ("q_up", "kv_up", "o") if model.latent else ("q", "k", "v", "o")
        trained = adapter_params(model, plan.lora_rank, targets) / plan.pipeline / plan.tensor
        yield _bytes(
            "adapters with gradients and optimizer",
            trained * optimizer.total,
            f"{show(optimizer.total)} P_adapters",
            f"{show(optimizer.total)} x {show(trained)}",
            "Hu et al., LoRA, arXiv 2106.09685",
        )
    yield _bytes(
        "gathered weights of ZeRO 3",
        f.gathered,
        "layers held whole x bytes x P / layers",
        f"{show(assumed.gathered_layers)} x {show(optimizer.weight)} x "
        f"{show(float(f.dense_params + f.expert_params))} / {show(counts.layers / plan.pipeline)}",
        "assumption: gathered_layers",
    )
    yield _bytes(
        "activations",
        f.activations,
        "layers' worth in flight x bytes a layer and micro-batch",
        f"{show(float(f.layers_held))} x {show(float(f.a_layer))} [{layer_formula(counts, plan)}]",
        ACTIVATION_SOURCE,
    )
    yield _bytes(
        "the layer being recomputed",
        f.working_layer,
        "one layer without recomputation",
        show(float(f.working_layer)),
        ACTIVATION_SOURCE,
    )
    yield _bytes(
        "output layer: its input and fp32 logits",
        f.ends,
        "4 s b (h / t + V / t)" if plan.sequence_parallel else "4 s b (h + V / t)",
        f"4 x {plan.sequence // plan.context} x {plan.micro_batch} x ({show(counts.hidden)} / "
        f"{plan.tensor if plan.sequence_parallel else 1} + {show(counts.vocab)} / {plan.tensor})",
        ACTIVATION_SOURCE,
    )
    yield _bytes(
        "CUDA context and libraries",
        f.context,
        "an assumption",
        f"{show(assumed.context_gib)} x 2^30",
        "assumption: context_gib",
    )
    yield _bytes(
        "fragmentation",
        f.fragmentation,
        "share x allocated",
        f"{show(assumed.fragmentation)} x {show(float(f.allocated))}",
        "assumption: fragmentation",
    )


def layer_formula(counts: Counts, plan: Plan) -> str:
    """Write the formula of one layer's activations with its numbers."""
    layer = layer_activations(counts, plan.sequence, dropout=plan.dropout, flash=plan.flash)
    share = plan.tensor if plan.sequence_parallel else 1
    head = f"{plan.sequence // plan.context} x {plan.micro_batch} x "
    if plan.recompute == "full":
        return f"{head}{show(float(layer.input))} / {share}"
    core = float(layer.core) if plan.flash or plan.recompute == "none" else 0.0
    divided = float(layer.divided + layer.routed) + core
    return f"{head}({show(float(layer.kept))} / {share} + {show(divided)} / {plan.tensor})"


def _bytes(name: str, value: object, formula: str, filled: str, source: str) -> Term:
    return Term(
        name=name,
        value=float(value),  # type: ignore[arg-type]
        unit="bytes",
        formula=formula,
        filled=filled,
        source=source,
    )


def changes(plan: Plan) -> Iterator[tuple[Plan, str, str]]:
    """Yield single changes that save memory, cheapest in speed first."""
    if not plan.flash:
        yield replace(plan, flash=2), "turn flash attention on", "nothing: it is faster too"
    if not plan.sequence_parallel and plan.tensor > 1:
        yield replace(plan, sequence_parallel=True), "turn sequence parallelism on", "nothing: same traffic"
    if plan.zero == 0 and plan.data * plan.context > 1:
        yield replace(plan, zero=1), "shard optimizer states (ZeRO 1)", "nothing: same traffic"
    if plan.recompute == "none" and not plan.flash:
        yield (
            replace(plan, recompute="selective"),
            "recompute attention (selective)",
            "about 2-3 % of the step",
        )
    micro = plan.micro_batch
    while micro > 1:
        micro //= 2
        if plan.global_batch % (plan.data * micro) == 0:
            yield (
                replace(plan, micro_batch=micro),
                f"micro-batch {plan.micro_batch} to {micro}",
                "smaller matrices, less efficient; a smaller bubble",
            )
    if plan.zero == 1 and plan.data * plan.context > 1 and plan.pipeline == 1:
        yield replace(plan, zero=2), "shard gradients too (ZeRO 2)", "gradients are reduced every micro-batch"
    if plan.recompute != "full":
        yield replace(plan, recompute="full"), "recompute all activations", "about a third more compute"
    if plan.zero < 3 and plan.data * plan.context > 1 and plan.pipeline == 1:
        yield replace(plan, zero=3), "shard weights too (ZeRO 3)", "half as much traffic again"
    tensor, data = plan.tensor, plan.data
    while data % 2 == 0 and tensor < 8:
        tensor, data = tensor * 2, data // 2
        yield (
            replace(plan, tensor=tensor, data=data),
            f"tensor parallel {plan.tensor} to {tensor}, data parallel {plan.data} to {data}",
            "two collectives more a layer and pass; keep it inside NVLink",
        )
    pipeline, data = plan.pipeline, plan.data
    while data % 2 == 0 and plan.zero < 2:
        pipeline, data = pipeline * 2, data // 2
        yield (
            replace(plan, pipeline=pipeline, data=data),
            f"pipeline {plan.pipeline} to {pipeline}, data parallel {plan.data} to {data}",
            "a bubble of (p - 1)/m",
        )


def smallest_change(model: Model, plan: Plan, gpu: Gpu, assumed: Assumptions = ASSUMED) -> Change | None:
    """Return the first single change, cheapest first, after which the plan fits; None if none does or it fits."""
    if training_memory(model, plan, gpu, assumed).fits:
        return None
    for changed, words, cost in changes(plan):
        if plan_faults(changed, model):
            continue
        memory = training_memory(model, changed, gpu, assumed)
        if memory.fits:
            return Change(words=words, cost=cost, plan=changed, total=memory.total)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offload:
    """What moves off the card, and the seconds a step that moving it takes at least."""

    terms: tuple[Term, ...]
    seconds: float

    @property
    def saved(self) -> float:
        """Bytes freed on the card."""
        return sum(term.value for term in self.terms)


def offload(
    model: Model, plan: Plan, *, states: bool, weights: bool, link_gb_s: float, micro_batches: int = 1
) -> Offload:
    """Return what ZeRO-Offload frees and the transfer time a step at ``link_gb_s`` one way.

    States offloaded: gradients go down and updated weights come up once a step, the
    update runs on the host (ZeRO-Offload, arXiv 2101.06840, section 4). Weights
    offloaded (ZeRO-Infinity, arXiv 2104.07857): they come up twice a micro-batch,
    or three times with full recomputation. For NVMe give its share of one card.
    """
    faults = plan_faults(plan, model)
    if faults:
        raise BadPlan("; ".join(faults))
    if link_gb_s <= 0:
        raise ValueError("link_gb_s must be positive")
    held = footprint(count(model), batch_of(plan), first=True)
    terms, moved = [], 0.0
    if states:
        terms.append(
            _bytes("optimizer states", held.states, "as on the card", show(float(held.states)), ZERO_SOURCE)
        )
        moved += float(held.gradients + held.weights)
    if weights:
        terms.append(
            _bytes("weights", held.weights, "as on the card", show(float(held.weights)), ZERO_SOURCE)
        )
        moved += float(held.weights) * micro_batches * (3 if plan.recompute == "full" else 2)
    return Offload(terms=tuple(terms), seconds=moved / (link_gb_s * 1e9))


def gib(value: float) -> float:
    """Bytes in 2^30."""
    return value / GIB
