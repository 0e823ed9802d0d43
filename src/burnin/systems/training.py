"""One training step explained: time, memory, money, what binds, and what would change the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.systems.batch import batch_of
from burnin.systems.coefficients import Coefficients
from burnin.systems.counting import count
from burnin.systems.footprint import ASSUMED, Assumptions
from burnin.systems.machine import Rates, rates, speeds
from burnin.systems.memory import BadPlan, TrainingMemory, training_memory
from burnin.systems.plan import Plan, plan_faults
from burnin.systems.step import CAUSES, StepTimes, step_times
from burnin.systems.term import Term, show

IDLE_SHARE = 0.35
"""Share of a card's power that it draws while it waits: an assumption."""

_WORDS = {
    "linear": ("matrix products of attention and dense layers", "flops of the layers / (peak x share)"),
    "experts": ("experts' matrix products", "routed flops / (peak x share x grouped)"),
    "attention": ("attention", "flops of the causal half / (16-bit peak x share)"),
    "streaming": ("norms, activations and weights through memory", "bytes / (bandwidth x share)"),
    "launches": ("waiting for kernel launches", "kernels x launch time - busy time"),
    "output_layer": ("output layer on the last stage", "6 T h V / t / (16-bit peak x share)"),
    "recompute": ("recomputation", "a forward pass again, or its attention"),
    "tensor_traffic": ("tensor-parallel collectives", "4 passes of 2 T h (t - 1)/t bytes a layer"),
    "context_traffic": ("context-parallel ring", "keys and values beyond what attention hides"),
    "expert_traffic": ("expert all-to-all", "dispatch and combine, forward and backward"),
    "pipeline_traffic": ("sends between stages", "2 T h bytes a chunk and direction"),
    "bubble": ("pipeline bubble", "(p - 1)/v x (forward + backward)"),
    "data_traffic": ("data-parallel collectives", "gradients and weights beyond what backward hides"),
    "update": ("optimizer step", "state bytes / (bandwidth x share)"),
    "spread": ("stragglers", "share a doubling of nodes"),
}
_COMPUTE = {"linear", "experts", "attention", "output_layer", "recompute"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """What would have to change for another term to bind, solved on the model itself.

    ``factor`` multiplies the named quantity; at ``factor`` the old term binds no longer.
    """

    words: str
    quantity: str
    factor: float
    then_binds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStep:
    """A step of one plan. Times in seconds, energy in joules, money in US dollars."""

    plan: Plan
    terms: tuple[Term, ...]
    seconds: float
    tokens_s: float
    tokens_s_gpu: float
    tflops_per_gpu: float
    mfu: float
    hfu: float
    usd_step: float
    usd_million_tokens: float
    joules_step: float
    joules_token: float
    memory: TrainingMemory
    binds: str
    why: str
    flips: tuple[Flip, ...]


def train_step(
    model: Model,
    gpu: Gpu,
    cluster: Cluster,
    plan: Plan,
    fitted: Coefficients,
    *,
    assumed: Assumptions = ASSUMED,
    explain: bool = True,
) -> TrainingStep:
    """Time one optimizer step and say why it takes that long.

    >>> # train_step(llama_3_1_8b, h100, dgx_h100, Plan(data=8, zero=3, global_batch=64), coefficients)

    MFU counts the model's operations with causal attention, HFU recomputed ones
    too; both are shares of the dense peak of the plan's precision. Raises BadPlan
    for a plan that cannot run and NoSuchPeak for a precision that the card lacks.
    """
    faults = plan_faults(plan, model)
    if faults:
        raise BadPlan("; ".join(faults))
    counts, batch = count(model), batch_of(plan)
    sheet = rates(gpu, cluster, plan.precision)
    times = step_times(counts, batch, speeds(sheet, fitted))
    seconds = float(times.total)
    memory = training_memory(model, plan, gpu, assumed)
    tokens = plan.global_batch * plan.sequence
    peak = plan.ranks * sheet.peak
    busy = sum(float(getattr(times, name)) for name in _COMPUTE) / seconds
    watts = gpu.tdp_w * (IDLE_SHARE + (1 - IDLE_SHARE) * busy) + cluster.overhead_w_per_gpu
    joules = watts * seconds * plan.ranks
    usd = plan.ranks * gpu.price_usd_hour * seconds / 3600
    binds = _largest(times)

    def again(changed: Plan, rate: Rates) -> StepTimes:
        return step_times(counts, batch_of(changed), speeds(rate, fitted))

    return TrainingStep(
        plan=plan,
        terms=tuple(_terms(times)),
        seconds=seconds,
        tokens_s=tokens / seconds,
        tokens_s_gpu=tokens / seconds / plan.ranks,
        tflops_per_gpu=float(times.model_flops) / seconds / plan.ranks / 1e12,
        mfu=float(times.model_flops) / seconds / peak,
        hfu=float(times.hardware_flops) / seconds / peak,
        usd_step=usd,
        usd_million_tokens=usd / tokens * 1e6,
        joules_step=joules,
        joules_token=joules / tokens,
        memory=memory,
        binds=binds,
        why=_why(times, binds, memory),
        flips=_flips(plan, sheet, times, binds, again) if explain else (),
    )


def _terms(times: StepTimes) -> list[Term]:
    total = float(times.total)
    return [
        Term(
            name=_WORDS[name][0],
            value=float(getattr(times, name)),
            unit="s",
            formula=_WORDS[name][1],
            filled=f"{show(float(getattr(times, name)))} s, {100 * float(getattr(times, name)) / total:.1f} %",
        )
        for name in CAUSES
        if float(getattr(times, name))
    ]


def _largest(times: StepTimes) -> str:
    """The largest term beside the model's own matrix products, unless those are over half of the step."""
    values = {name: float(getattr(times, name)) for name in CAUSES}
    useful = values["linear"] + values["experts"] + values["attention"] + values["output_layer"]
    if useful > float(times.total) / 2:
        return max(("linear", "experts", "attention", "output_layer"), key=values.__getitem__)
    return max((n for n in CAUSES if n != "linear" and n != "experts"), key=values.__getitem__)


def _why(times: StepTimes, binds: str, memory: TrainingMemory) -> str:
    share = 100 * float(getattr(times, binds)) / float(times.total)
    words = _WORDS[binds][0]
    verdict = f"{words[0].upper()}{words[1:]} binds: {share:.0f} % of the step."
    if memory.capacity and not memory.fits:
        fullest = memory.waterfall[0][0]
        verdict = (
            f"It does not fit: {memory.short_bytes / 2**30:.1f} GiB short, and {fullest.name} "
            f"take {fullest.gib:.1f} GiB. {verdict}"
        )
    return verdict


_KNOBS: dict[str, tuple[str, tuple[str, ...]]] = {
    "linear": ("the card's peak", ("peak", "half")),
    "experts": ("the card's peak", ("peak", "half")),
    "recompute": ("the card's peak", ("peak", "half")),
    "attention": ("the card's 16-bit peak", ("half",)),
    "output_layer": ("the card's 16-bit peak", ("half",)),
    "streaming": ("memory bandwidth", ("memory",)),
    "update": ("memory bandwidth", ("memory",)),
    "tensor_traffic": ("interconnect bandwidth", ("nvlink", "network")),
    "context_traffic": ("interconnect bandwidth", ("nvlink", "network")),
    "expert_traffic": ("interconnect bandwidth", ("nvlink", "network")),
    "pipeline_traffic": ("interconnect bandwidth", ("nvlink", "network")),
    "data_traffic": ("interconnect bandwidth", ("nvlink", "network")),
}


def _flips(
    plan: Plan, sheet: Rates, times: StepTimes, binds: str, again: Callable[[Plan, Rates], StepTimes]
) -> tuple[Flip, ...]:
    """Solve for the change at which another term binds, verified on both sides."""
    found = []
    if binds in _KNOBS:
        quantity, names = _KNOBS[binds]

        def scaled(factor: float) -> str:
            rate = replace(sheet, **{name: getattr(sheet, name) * factor for name in names})
            return _largest(again(plan, rate))

        for direction in (1.0, -1.0):
            factor = _solve(scaled, binds, direction)
            if factor is not None:
                after = scaled(factor)
                word = "higher" if factor > 1 else "lower"
                shown = factor if factor > 1 else 1 / factor
                found.append(
                    Flip(
                        words=f"With {quantity} {shown:.3g} times {word}, {_WORDS[after][0]} would bind.",
                        quantity=quantity,
                        factor=factor,
                        then_binds=after,
                    )
                )
    if binds == "bubble" or (plan.pipeline > 1 and float(times.bubble) > 0.1 * float(times.total)):
        for factor in (2, 4, 8, 16, 32, 64):
            more = replace(plan, global_batch=plan.global_batch * factor)
            then = again(more, sheet)
            if float(then.bubble) <= 0.05 * float(then.total):
                found.append(
                    Flip(
                        words=f"With {factor} times the micro-batches the bubble is under 5 % of the step.",
                        quantity="global batch",
                        factor=float(factor),
                        then_binds=_largest(then),
                    )
                )
                break
    return tuple(found)


def _solve(binding: Callable[[float], str], binds: str, direction: float) -> float | None:
    """Return the smallest factor (as a power) at which ``binds`` no longer binds; None within a factor of 64."""
    far = 64.0**direction
    if binding(far) == binds:
        return None
    inside, outside = 0.0, 6.0
    for _ in range(40):
        middle = (inside + outside) / 2
        if binding(2.0 ** (direction * middle)) == binds:
            inside = middle
        else:
            outside = middle
    return float(2.0 ** (direction * outside))


def neighbours(plan: Plan) -> dict[str, Plan]:
    """Return plans one switch or one step away, by what changes."""
    near: dict[str, Plan] = {}
    for factor, word in ((2, "doubled"), (0.5, "halved")):
        size = plan.micro_batch * factor
        if size >= 1:
            near[f"micro-batch {word}"] = replace(plan, micro_batch=int(size))
    for name, other in (
        ("tensor", "data"),
        ("pipeline", "data"),
        ("context", "data"),
        ("tensor", "pipeline"),
    ):
        for up, down in ((name, other), (other, name)):
            if getattr(plan, down) % 2 == 0:
                changed: dict[str, Any] = {up: getattr(plan, up) * 2, down: getattr(plan, down) // 2}
                near[f"{up} parallel doubled, {down} parallel halved"] = replace(plan, **changed)
    if plan.pipeline > 1 and plan.schedule == "1f1b":
        near["twice as many chunks a rank"] = replace(plan, interleave=plan.interleave * 2)
    for mode in ("none", "selective", "full"):
        if mode != plan.recompute:
            near[f"recomputation: {mode}"] = replace(plan, recompute=mode)
    for stage in range(4):
        if stage != plan.zero:
            near[f"ZeRO stage {stage}"] = replace(plan, zero=stage)
    if not plan.sequence_parallel:
        near["sequence parallelism on"] = replace(plan, sequence_parallel=True)
    return near


@dataclass(frozen=True, slots=True, kw_only=True)
class Better:
    """A single change that fits and is faster."""

    words: str
    plan: Plan
    speedup: float


def better_plans(
    model: Model,
    gpu: Gpu,
    cluster: Cluster,
    plan: Plan,
    fitted: Coefficients,
    *,
    assumed: Assumptions = ASSUMED,
    number: int = 3,
) -> tuple[Better, ...]:
    """Return the single changes that fit and speed the plan up most."""
    now = train_step(model, gpu, cluster, plan, fitted, assumed=assumed, explain=False).tokens_s
    found = []
    for words, changed in neighbours(plan).items():
        if plan_faults(changed, model) or not training_memory(model, changed, gpu, assumed).fits:
            continue
        then = train_step(model, gpu, cluster, changed, fitted, assumed=assumed, explain=False)
        if then.tokens_s > now * 1.001:
            found.append(Better(words=words, plan=changed, speedup=then.tokens_s / now))
    return tuple(sorted(found, key=lambda b: -b.speedup)[:number])


def cause_names() -> dict[str, str]:
    """Return the words for each cause of a step's time."""
    return {name: words for name, (words, _) in _WORDS.items()}


def total_of(times: StepTimes) -> float:
    """Add up the causes; equals ``times.total``."""
    return float(np.sum([getattr(times, name) for name in CAUSES]))
