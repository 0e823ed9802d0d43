"""What fills a card in training, and the smallest change that makes it fit."""

from __future__ import annotations

from burnin.app.errors import BadRequest
from burnin.app.simulate.explorers import plans
from burnin.app.simulate.explorers.explorer import Change, Explorer, Preset, Table, View
from burnin.app.simulate.explorers.knobs import Choice, Group, Number, Values, write
from burnin.app.simulate.names import gpu_of, model_of
from burnin.catalog import Catalog
from burnin.figures.waterfall import Waterfall
from burnin.systems.footprint import ASSUMED, Assumptions
from burnin.systems.memory import BadPlan, offload, smallest_change, training_memory
from burnin.systems.term import GB, GIB, Term

_OFFLOAD = Choice(
    name="offload",
    label="Offload to the host",
    options=(("none", "nothing"), ("states", "optimizer states"), ("both", "optimizer states and weights")),
    default="none",
)
_CONTEXT = Number(
    name="context_gib",
    label="CUDA context and libraries, GiB",
    stops=(0, 0.5, 1, 1.5, 2, 3, 4, 6),
    default=ASSUMED.context_gib,
    whole=False,
    hint="An assumption.",
)
_FRAGMENTATION = Number(
    name="fragmentation",
    label="Fragmentation, share of what is allocated",
    stops=(0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3),
    default=ASSUMED.fragmentation,
    whole=False,
    hint="An assumption.",
)
_GONE = {"none": (), "states": ("optimizer states",), "both": ("optimizer states", "weights")}


def _groups(catalog: Catalog) -> tuple[Group, ...]:
    return (
        Group(
            title="Model and card",
            knobs=(plans.model_knob(catalog, "llama-3.1-8b"), plans.gpu_knob(catalog, "h100-sxm5-80gb")),
        ),
        Group(title="Batch", knobs=(plans.MICRO, plans.SEQUENCE, plans.MICRO_BATCHES)),
        Group(title="Save memory", knobs=(plans.ZERO, plans.RECOMPUTE, plans.OPTIMIZER, _OFFLOAD)),
        Group(
            title="Spread over GPUs",
            knobs=(plans.DATA, plans.TENSOR, plans.PIPELINE, plans.CONTEXT, plans.EXPERT),
        ),
        Group(
            title="Details",
            knobs=(
                plans.SCHEDULE,
                plans.INTERLEAVE,
                plans.SEQUENCE_PARALLEL,
                plans.FLASH,
                _CONTEXT,
                _FRAGMENTATION,
            ),
            folded=True,
        ),
    )


def _show(catalog: Catalog, values: Values) -> View:
    shape, card = model_of(catalog, values["model"]), gpu_of(catalog, values["gpu"])
    plan = plans.plan_from(values)
    assumed = Assumptions(context_gib=values["context_gib"], fragmentation=values["fragmentation"])
    gone = _GONE[values["offload"]]
    try:
        held = training_memory(shape, plan, card, assumed)
        moved = offload(
            shape,
            plan,
            states="optimizer states" in gone,
            weights="weights" in gone,
            link_gb_s=card.pcie_gb_s,
            micro_batches=plan.micro_batches,
        )
    except (BadPlan, ValueError) as error:
        raise BadRequest(str(error)) from error
    kept = [term for term, _ in held.waterfall if term.name not in gone]
    total = sum(term.value for term in kept)
    fits = total <= held.capacity
    change = None if fits else smallest_change(shape, plan, card, assumed)
    gap = abs(total - held.capacity) / GIB
    answer = f"{total / GIB:.1f} of {held.capacity / GIB:.1f} GiB on {card.name}, {gap:.1f} GiB"
    if fits:
        answer = f"Fits: {answer} free."
    else:
        answer = f"Does not fit: {answer} short."
        if change:
            answer += f" The smallest change that fits: {change.words} (costs: {change.cost})."
        else:
            answer += " No single change makes it fit: combine them, or take more or larger cards."
    if gone:
        answer += f" Moving what is offloaded takes at least {moved.seconds:.3g} s a step over PCIe."
    where = "" if plan.pipeline == 1 else f" of the {held.stage} pipeline stage"
    return View(
        answer=answer,
        verdict="good" if fits else "bad",
        pictures=(
            Waterfall(
                title=f"Memory of the fullest rank{where}",
                summary=answer,
                unit="GiB",
                axis=f"GiB on one {card.name}",
                parts=tuple((term.name, term.gib) for term in kept),
                limit=held.capacity / GIB,
                limit_name="card",
            ),
        ),
        tables=(_table(kept, held.terms, gone),),
        sums=(_sums(kept),),
        changes=()
        if change is None
        else (Change(words=f"Make that change: {change.words}", values=plans.knobs_of(change.plan, values)),),
        command=_command(values, f"--model {shape.id} --gpu {card.id} {plans.options_of(plan)}"),
    )


def _table(kept: list[Term], terms: tuple[Term, ...], gone: tuple[str, ...]) -> Table:
    rows, running = [], 0.0
    for term in kept:
        running += term.value
        rows.append((term.name, f"{term.gib:.2f}", f"{term.gb:.2f}", f"{running / GIB:.2f}"))
    rows.append(("total", f"{running / GIB:.2f}", f"{running / GB:.2f}", f"{running / GIB:.2f}"))
    rows += [(f"{t.name}, on the host", f"{t.gib:.2f}", f"{t.gb:.2f}", "") for t in terms if t.name in gone]
    return Table(
        title="What fills the card",
        columns=("Part", "GiB (2^30)", "GB (10^9)", "Sum so far, GiB"),
        rows=tuple(rows),
        numbers=frozenset({1, 2, 3}),
    )


def _sums(terms: list[Term]) -> Table:
    return Table(
        title="Every part as a sum",
        columns=("Part", "Formula", "With your numbers", "GB (10^9)", "Source"),
        rows=tuple((t.name, t.formula, t.filled, f"{t.gb:.3g}", t.source) for t in terms),
        numbers=frozenset({3}),
        code=frozenset({1, 2}),
    )


def _command(values: Values, plan: str) -> str:
    words = f"burnin sim memory {plan}"
    if values["offload"] != "none":
        words += " --offload-states" + (" --offload-weights" if values["offload"] == "both" else "")
    if values["context_gib"] != ASSUMED.context_gib:
        words += f" --context-gib {write(values['context_gib'])}"
    if values["fragmentation"] != ASSUMED.fragmentation:
        words += f" --fragmentation {write(values['fragmentation'])}"
    return words


MEMORY = Explorer(
    name="memory",
    title="What fills the card",
    lead="Weights, gradients, optimizer states, activations: every part of a training rank’s memory "
    "as a sum, and the smallest change that makes it fit.",
    terminal="burnin sim memory",
    groups=_groups,
    presets=(
        Preset(
            title="8B on one H100, no sharding",
            values={"model": "llama-3.1-8b", "gpu": "h100-sxm5-80gb", "dp": 1, "zero": "0"},
        ),
        Preset(
            title="70B with ZeRO 3 on 64 H100",
            values={"model": "llama-3.1-70b", "gpu": "h100-sxm5-80gb", "dp": 64, "zero": "3"},
        ),
        Preset(
            title="175B: TP 8, PP 8, stored scores",
            values={
                "model": "gpt-3-175b",
                "gpu": "a100-sxm4-80gb",
                "tp": 8,
                "pp": 8,
                "dp": 1,
                "seq": 2048,
                "micro_batches": 64,
                "flash": "off",
                "recompute": "selective",
            },
        ),
        Preset(
            title="Long context: 131,072 tokens",
            values={
                "model": "llama-3.1-8b",
                "gpu": "h100-sxm5-80gb",
                "dp": 1,
                "cp": 8,
                "zero": "3",
                "seq": 131072,
            },
        ),
    ),
    show=_show,
)
