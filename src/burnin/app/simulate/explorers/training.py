"""A training plan's step by cause, and where it stands among all plans of as many GPUs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnin.app.errors import BadRequest
from burnin.app.simulate.explorers import plans
from burnin.app.simulate.explorers.explorer import Change, Explorer, Preset, Table, View, sentence
from burnin.app.simulate.explorers.knobs import Group, Number, Values, doubling, write
from burnin.app.simulate.names import cluster_of, model_of
from burnin.app.simulate.predicting.training_case import fitted
from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.figures.scatter import Front
from burnin.figures.waterfall import Waterfall
from burnin.systems.coefficients import Coefficients
from burnin.systems.machine import NoSuchPeak
from burnin.systems.memory import BadPlan
from burnin.systems.plan import Plan
from burnin.systems.sweep import plan_space, sweep
from burnin.systems.term import GIB
from burnin.systems.training import TrainingStep, better_plans, train_step

FRONT_LISTED = 12
SPACES_KEPT = 32

_GPUS = Number(name="gpus", label="GPUs", stops=doubling(1, 1024), default=64)
_BATCH = Number(
    name="global_batch", label="Global batch, sequences a step", stops=doubling(8, 8192), default=256
)
_PRICE = Number(
    name="price",
    label="Price of a GPU-hour, US$",
    stops=(0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20),
    default=0,
    whole=False,
    hint="0 takes the assumption in the data.",
)
_SPREAD = ("tp", "pp", "cp", "ep", "micro", "interleave", "zero", "recompute", "sp")


def _groups(catalog: Catalog) -> tuple[Group, ...]:
    return (
        Group(
            title="The job",
            knobs=(
                plans.model_knob(catalog, "llama-3.1-70b"),
                plans.cluster_knob(catalog, "dgx-h100"),
                _GPUS,
                _BATCH,
                plans.SEQUENCE,
                plans.PRECISION,
            ),
        ),
        Group(
            title="The plan",
            knobs=(
                replace(plans.TENSOR, default=4),
                replace(plans.PIPELINE, default=4),
                plans.CONTEXT,
                plans.EXPERT,
                plans.MICRO,
                plans.INTERLEAVE,
                plans.SCHEDULE,
                plans.ZERO,
                plans.RECOMPUTE,
            ),
        ),
        Group(
            title="Details",
            knobs=(
                replace(plans.OPTIMIZER, default="megatron"),
                plans.SEQUENCE_PARALLEL,
                plans.FLASH,
                plans.FUSED,
                plans.OVERLAP,
                plans.GRAPHS,
                _PRICE,
            ),
            folded=True,
        ),
    )


def _plan(values: Values) -> Plan:
    spread = values["tp"] * values["pp"] * values["cp"]
    if values["gpus"] % spread:
        raise BadRequest(
            f"{values['gpus']} GPUs are no multiple of TP {values['tp']} x PP {values['pp']} x CP "
            f"{values['cp']} = {spread}"
        )
    return plans.plan_from({**values, "dp": values["gpus"] // spread})


def _show(catalog: Catalog, values: Values) -> View:
    shape, where = model_of(catalog, values["model"]), cluster_of(catalog, values["cluster"])
    card = catalog.gpus[where.gpu]
    if values["price"]:
        card = replace(card, price_usd_hour=values["price"])
    plan, values_fitted = _plan(values), fitted(catalog, card)
    try:
        step = train_step(shape, card, where, plan, values_fitted)
        better = better_plans(shape, card, where, plan, values_fitted)
        found = _search(catalog, shape, where, card, plan, values_fitted)
    except (BadPlan, NoSuchPeak) as error:
        raise BadRequest(str(error)) from error
    answer = _answer(plan, step, found)
    return View(
        answer=answer,
        verdict="good" if step.memory.fits else "bad",
        pictures=(
            Waterfall(
                title="Where the time of a step goes",
                summary=f"{answer} {step.why}",
                unit="s",
                axis="Seconds a step",
                parts=tuple((t.name, t.value) for t in sorted(step.terms, key=lambda t: -t.value)),
            ),
            _front(plan, card, step, found),
        ),
        tables=(_causes(step), _rows(found, card)),
        sums=(_sums(plan, step, card), _memory(step)),
        changes=tuple(
            Change(
                words=f"{sentence(b.words).rstrip('.')}: {100 * (b.speedup - 1):.1f} % faster",
                values=plans.knobs_of(b.plan, _SPREAD),
            )
            for b in better
        ),
        command=_command(f"--model {shape.id} --cluster {where.id} {plans.options_of(plan)}", values),
    )


def _answer(plan: Plan, step: TrainingStep, found: _Found) -> str:
    held = f"{step.memory.total / GIB:.1f} of {step.memory.capacity / GIB:.1f} GiB"
    words = (
        f"{'Fits' if step.memory.fits else 'Does not fit'} ({held}): DP {plan.data}, {step.seconds:.3g} s a step, "
        f"{step.tokens_s_gpu:,.0f} tokens/s a GPU, MFU {100 * step.mfu:.1f} %, "
        f"{step.usd_million_tokens:.3g} US$ a million tokens."
    )
    why = step.why.rpartition(". ")[2] if not step.memory.fits else step.why
    words += f" {why}"
    if found.best:
        plan_words, tokens = found.best[0].name, found.best[0].tokens_s_gpu
        ahead = tokens / step.tokens_s_gpu - 1
        if not step.memory.fits or ahead > 0.001:
            words += f" The fastest of the {found.fit:,} plans that fit, {plan_words}, reaches {tokens:,.0f}."
        else:
            words += f" No plan of the {found.fit:,} that fit is faster."
    elif found.plans:
        words += f" None of the {found.plans:,} plans of as many GPUs fits."
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    plan: Plan
    name: str
    tokens_s_gpu: float
    mfu: float
    gib: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    plans: int
    fit: int
    best: tuple[_Row, ...]
    front: tuple[_Row, ...]


def _search(
    catalog: Catalog, shape: Model, where: Cluster, card: Gpu, plan: Plan, coefficients: Coefficients
) -> _Found:
    base = Plan(
        global_batch=plan.global_batch,
        sequence=plan.sequence,
        schedule="1f1b",
        precision=plan.precision,
        optimizer=plan.optimizer,
        flash=plan.flash,
        fused=plan.fused,
        cuda_graphs=plan.cuda_graphs,
        overlap_tensor=plan.overlap_tensor,
        overlap_pipeline=plan.overlap_pipeline,
        overlap_data=plan.overlap_data,
    )
    # Most knobs of the page move inside one plan space, so the last ones are kept.
    key = (catalog.version, shape.id, where.id, plan.ranks, base)
    found = _SWEPT.get(key)
    if found is None:
        found = _SWEPT[key] = _swept(shape, where, card, plan.ranks, base, coefficients)
        while len(_SWEPT) > SPACES_KEPT:
            _SWEPT.pop(next(iter(_SWEPT)), None)
    return found


_SWEPT: dict[tuple[str, str, str, int, Plan], _Found] = {}


def _swept(
    shape: Model, where: Cluster, card: Gpu, ranks: int, base: Plan, coefficients: Coefficients
) -> _Found:
    space = plan_space(shape, ranks, base)
    if not len(space):
        return _Found(plans=0, fit=0, best=(), front=())
    found = sweep(shape, card, where, space, coefficients)

    def row(index: int) -> _Row:
        plan = space.plan(index)
        return _Row(
            plan=plan,
            name=_name(plan),
            tokens_s_gpu=float(found.tokens_s_gpu[index]),
            mfu=float(found.mfu[index]),
            gib=float(found.bytes_held[index]) / GIB,
        )

    return _Found(
        plans=len(space),
        fit=int(found.fits.sum()),
        best=tuple(row(i) for i in found.best(1)),
        front=tuple(row(i) for i in found.pareto()),
    )


def _name(plan: Plan) -> str:
    words = f"TP {plan.tensor}, PP {plan.pipeline}, DP {plan.data}"
    for short, value in (("CP", plan.context), ("EP", plan.expert)):
        words += f", {short} {value}" if value > 1 else ""
    return words


def _front(plan: Plan, card: Gpu, step: TrainingStep, found: _Found) -> Front:
    return Front(
        title=f"All plans of {plan.ranks} GPUs: speed against memory",
        summary=f"{len(found.front)} plans that no other beats in both speed and memory, of {found.plans:,}; "
        f"this plan: {step.tokens_s_gpu:,.0f} tokens/s a GPU in {step.memory.total / GIB:.1f} GiB.",
        x_name=f"Memory of the fullest rank, GiB on one {card.name}",
        y_name="Tokens/s a GPU",
        points=tuple((row.gib, row.tokens_s_gpu) for row in found.front),
        here=(step.memory.total / GIB, step.tokens_s_gpu),
        here_name="this plan",
        limit=step.memory.capacity / GIB,
        limit_name=f"card: {step.memory.capacity / GIB:.1f} GiB",
    )


def _causes(step: TrainingStep) -> Table:
    terms = sorted(step.terms, key=lambda t: -t.value)
    return Table(
        title="The step by cause",
        columns=("Cause", "Seconds", "Share", "Formula"),
        rows=tuple(
            (t.name, f"{t.value:.4g}", f"{100 * t.value / step.seconds:.1f} %", t.formula) for t in terms
        ),
        numbers=frozenset({1, 2}),
        code=frozenset({3}),
    )


def _rows(found: _Found, card: Gpu) -> Table:
    """The front from its fast end to its small end; of a long one every so many."""
    rows = found.front
    if len(rows) > FRONT_LISTED:
        step = (len(rows) - 1) / (FRONT_LISTED - 1)
        rows = tuple(rows[round(i * step)] for i in range(FRONT_LISTED))
    return Table(
        title="Plans that no other beats in both speed and memory",
        columns=("Plan", "Micro-batch", "Chunks", "ZeRO", "Recomputation", "Tokens/s a GPU", "MFU", "GiB"),
        rows=tuple(
            (
                row.name,
                str(row.plan.micro_batch),
                str(row.plan.interleave),
                str(row.plan.zero),
                row.plan.recompute,
                f"{row.tokens_s_gpu:,.0f}",
                f"{100 * row.mfu:.1f} %",
                f"{row.gib:.1f}",
            )
            for row in rows
        ),
        numbers=frozenset({1, 2, 3, 5, 6, 7}),
        links=tuple({**plans.knobs_of(row.plan, _SPREAD), "schedule": "1f1b"} for row in rows),
    )


def _sums(plan: Plan, step: TrainingStep, card: Gpu) -> Table:
    tokens = plan.global_batch * plan.sequence
    usd = plan.ranks * card.price_usd_hour * step.seconds / 3600
    rows: list[tuple[str, ...]] = [
        (
            "data parallel",
            "GPUs / (TP x PP x CP)",
            f"{plan.ranks} / ({plan.tensor} x {plan.pipeline} x {plan.context})",
            str(plan.data),
            "arXiv 2104.04473, section 2.3",
        ),
        (
            "micro-batches a replica",
            "global batch / (DP x micro-batch)",
            f"{plan.global_batch} / ({plan.data} x {plan.micro_batch})",
            str(plan.micro_batches),
            "arXiv 2104.04473, section 2.3",
        ),
        (
            "tokens/s a GPU",
            "batch x sequence / seconds / GPUs",
            f"{plan.global_batch} x {plan.sequence} / {step.seconds:.4g} / {plan.ranks}",
            f"{tokens / step.seconds / plan.ranks:,.0f}",
            "definition",
        ),
        (
            "MFU",
            "model FLOP/s / peak FLOP/s",
            f"{step.tflops_per_gpu:.4g} / {step.tflops_per_gpu / step.mfu:.4g} TFLOP/s",
            f"{100 * step.mfu:.1f} %",
            "Chowdhery et al., arXiv 2204.02311, appendix B",
        ),
        (
            "HFU",
            "FLOP/s with recomputed ones / peak FLOP/s",
            f"{step.hfu / step.mfu * step.tflops_per_gpu:.4g} / {step.tflops_per_gpu / step.mfu:.4g} TFLOP/s",
            f"{100 * step.hfu:.1f} %",
            "Korthikanti et al., arXiv 2205.05198, section 6.3",
        ),
        (
            "US$ a million tokens",
            "GPUs x price x hours / tokens x 10^6",
            f"{plan.ranks} x {write(card.price_usd_hour)} x {step.seconds:.4g}/3600 / {tokens} x 1e6",
            f"{usd / tokens * 1e6:.3g}",
            "the price is an assumption",
        ),
        (
            "joules a token",
            "watts x seconds x GPUs / tokens",
            f"{step.joules_step / step.seconds / plan.ranks:.0f} x {step.seconds:.4g} x {plan.ranks} / {tokens}",
            f"{step.joules_token:.3g}",
            "power of the data sheet, an assumption for idle time",
        ),
    ]
    return Table(
        title="The sums",
        columns=("What", "Formula", "With your numbers", "Value", "Source"),
        rows=tuple(rows),
        numbers=frozenset({3}),
        code=frozenset({1, 2}),
    )


def _memory(step: TrainingStep) -> Table:
    return Table(
        title="Memory of the fullest rank",
        columns=("Part", "Formula", "With your numbers", "GiB (2^30)", "Source"),
        rows=tuple((t.name, t.formula, t.filled, f"{t.gib:.2f}", t.source) for t, _ in step.memory.waterfall),
        numbers=frozenset({3}),
        code=frozenset({1, 2}),
    )


def _command(plan: str, values: Values) -> str:
    price = f" --price {write(values['price'])}" if values["price"] else ""
    return f"burnin sim train {plan}{price}"


TRAINING = Explorer(
    name="training",
    title="How fast a plan trains",
    lead="TP, PP, CP, EP, micro-batch, recomputation: a step’s time by cause, its price, "
    "and where the plan stands among all plans of as many GPUs.",
    terminal="burnin sim train",
    groups=_groups,
    presets=(
        Preset(title="70B on 64 H100", values={}),
        Preset(
            title="8B with FSDP on 8 H100",
            values={"model": "llama-3.1-8b", "gpus": 8, "tp": 1, "pp": 1, "zero": "3"},
        ),
        Preset(
            title="175B on 1,024 A100",
            values={
                "model": "gpt-3-175b",
                "cluster": "dgx-a100-80gb",
                "gpus": 1024,
                "tp": 8,
                "pp": 8,
                "global_batch": 2048,
                "seq": 2048,
            },
        ),
        Preset(title="A bubble too large", values={"gpus": 64, "tp": 4, "pp": 16, "global_batch": 16}),
        Preset(
            title="Mixture of experts",
            values={"model": "mixtral-8x7b", "tp": 1, "pp": 4, "ep": 8, "global_batch": 512},
        ),
    ),
    show=_show,
)
