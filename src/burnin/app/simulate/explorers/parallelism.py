"""Which ranks form which group, where they stand, and what each group's traffic costs a step."""

from __future__ import annotations

from burnin.app.errors import BadRequest
from burnin.app.simulate.explorers import plans
from burnin.app.simulate.explorers.explorer import Explorer, Preset, Table, View
from burnin.app.simulate.explorers.knobs import Group, Number, Values
from burnin.app.simulate.names import cluster_of, model_of
from burnin.app.simulate.predicting.training_case import fitted
from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster
from burnin.figures.placement import Placement
from burnin.systems.machine import NoSuchPeak
from burnin.systems.memory import BadPlan
from burnin.systems.placement import Group as RankGroup
from burnin.systems.placement import groups, members
from burnin.systems.plan import Plan
from burnin.systems.training import cause_names, train_step

RANKS_DRAWN = 1024
_KINDS = {
    "tensor": ("T", "tensor", "tensor_traffic", "each layer, twice in either direction"),
    "context": ("C", "context", "context_traffic", "keys and values of each layer"),
    "data": ("D", "data", "data_traffic", "gradients and weights, once a step"),
    "expert": ("E", "expert", "expert_traffic", "tokens to their experts and back, each mixture layer"),
    "pipeline": ("P", "pipeline", "pipeline_traffic", "activations and gradients of each micro-batch"),
}
_RANK = Number(
    name="rank",
    label="Show the groups of rank",
    stops=tuple(range(RANKS_DRAWN)),
    default=0,
)


def _groups(catalog: Catalog) -> tuple[Group, ...]:
    return (
        Group(
            title="Spread",
            knobs=(plans.TENSOR, plans.CONTEXT, plans.DATA, plans.PIPELINE, plans.EXPERT),
        ),
        Group(
            title="Where",
            knobs=(plans.cluster_knob(catalog, "dgx-h100"), _RANK),
        ),
        Group(
            title="The job",
            knobs=(
                plans.model_knob(catalog, "llama-3.1-70b"),
                plans.SEQUENCE,
                plans.MICRO,
                plans.MICRO_BATCHES,
                plans.OVERLAP,
            ),
        ),
    )


def _show(catalog: Catalog, values: Values) -> View:
    shape, where = model_of(catalog, values["model"]), cluster_of(catalog, values["cluster"])
    card = catalog.gpus[where.gpu]
    plan, rank = plans.plan_from(values), values["rank"]
    if plan.ranks > RANKS_DRAWN:
        raise BadRequest(f"{plan.ranks:,} ranks are more than the {RANKS_DRAWN:,} that are drawn here")
    if rank >= plan.ranks:
        raise BadRequest(f"there is no rank {rank}: the plan has ranks 0 to {plan.ranks - 1}")
    try:
        step = train_step(shape, card, where, plan, fitted(catalog, card), explain=False)
    except (BadPlan, NoSuchPeak) as error:
        raise BadRequest(str(error)) from error
    found = groups(plan, where)
    words = cause_names()
    seconds = {term.name: term.value for term in step.terms}
    answer = _answer(plan, where, found)
    sharing = {group.kind: members(plan, group, rank) for group in found}
    letters = tuple(
        "".join(_KINDS[kind][0] for kind, ranks in sharing.items() if r in ranks and len(ranks) > 1)
        for r in range(plan.ranks)
    )
    size, box = _box(where)
    return View(
        answer=answer,
        verdict="good" if all(g.inside for g in found if g.kind == "tensor") else "bad",
        pictures=(
            Placement(
                title=f"{plan.ranks} ranks on {where.name}",
                summary=f"{answer} Letters mark the ranks that share a group with rank {rank}.",
                boxes=tuple(
                    (f"{box} {n}", n * size, min((n + 1) * size, plan.ranks))
                    for n in range(-(-plan.ranks // size))
                ),
                letters=letters,
                chosen=rank,
                kinds=tuple((letter, f"its {name} group") for letter, name, *_ in _KINDS.values()),
            ),
        ),
        tables=(
            Table(
                title=f"The groups of rank {rank}, and what their traffic adds to a step",
                columns=(
                    "Group",
                    "Size",
                    "Step between ranks",
                    "Ranks",
                    "NVLink domains",
                    "Sends",
                    "Seconds not hidden",
                    "Of the step",
                ),
                rows=tuple(
                    (
                        group.kind,
                        str(group.size),
                        str(group.stride),
                        _listed(sharing[group.kind]),
                        str(group.domains),
                        _KINDS[group.kind][3] if group.size > 1 else "nothing",
                        f"{(s := seconds.get(words[_KINDS[group.kind][2]], 0.0)):.3g}",
                        f"{100 * s / step.seconds:.1f} %",
                    )
                    for group in found
                ),
                numbers=frozenset({1, 2, 4, 6, 7}),
            ),
        ),
        sums=(_sums(plan, shape.name, step.tokens_s_gpu),),
        command=(
            f"burnin sim placement --model {shape.id} --cluster {where.id} --tp {plan.tensor} "
            f"--cp {plan.context} --dp {plan.data} --pp {plan.pipeline} --ep {plan.expert} --rank {rank}"
        ),
    )


def _answer(plan: Plan, where: Cluster, found: tuple[RankGroup, ...]) -> str:
    size, box = _box(where)
    boxes = -(-plan.ranks // size)
    head = (
        f"TP {plan.tensor} x CP {plan.context} x DP {plan.data} x PP {plan.pipeline} = {plan.ranks} "
        f"{'rank' if plan.ranks == 1 else 'ranks'} on {boxes} {box if boxes == 1 else box + 's'}"
    )
    large = [g for g in found if g.size > 1]
    near = [g.kind for g in large if g.inside]
    far = [g.kind for g in large if not g.inside]
    parts = []
    if near:
        parts.append(f"{_and(near)} groups stay inside NVLink")
    if far:
        parts.append(f"{_and(far)} groups cross {'to other domains' if where.nvlink_domain > 1 else 'PCIe'}")
    tail = f": {', '.join(parts)}." if parts else "."
    if "tensor" in far:
        tail += " Tensor parallelism talks in every layer, so keep its groups inside NVLink."
    return head + tail


def _box(where: Cluster) -> tuple[int, str]:
    if where.nvlink_domain > where.gpus_per_node:
        return where.nvlink_domain, "NVLink domain"
    return where.gpus_per_node, "node"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _listed(ranks: tuple[int, ...]) -> str:
    shown = [str(rank) for rank in ranks]
    return ", ".join(shown if len(shown) <= 10 else [*shown[:4], "…", *shown[-2:]])


def _sums(plan: Plan, model: str, tokens: float) -> Table:
    where = "Narayanan et al., arXiv 2104.04473, section 2.3"
    stage = f"{plan.tensor} x {plan.context} x {plan.data}"
    rows: list[tuple[str, ...]] = [
        (
            "world size",
            "TP x CP x DP x PP",
            f"{stage} x {plan.pipeline}",
            str(plan.ranks),
            where,
        ),
        (
            "global batch, sequences",
            "micro-batch x micro-batches x DP",
            f"{plan.micro_batch} x {plan.micro_batches} x {plan.data}",
            str(plan.global_batch),
            where,
        ),
        (
            "pipeline bubble over ideal",
            "(PP - 1) / micro-batches",
            f"({plan.pipeline} - 1) / {plan.micro_batches}",
            f"{100 * (plan.pipeline - 1) / plan.micro_batches:.3g} %",
            f"{where}.2",
        ),
        (
            "expert groups a stage",
            "TP x CP x DP / EP",
            f"{stage} / {plan.expert}",
            str(plan.replica_ranks // plan.expert),
            "expert parallelism reuses the ranks of a stage",
        ),
        (f"{model}, tokens/s a GPU", "the training model", "", f"{tokens:,.0f}", "the training explorer"),
    ]
    return Table(
        title="The sums",
        columns=("What", "Formula", "With your numbers", "Value", "Source"),
        rows=tuple(rows),
        numbers=frozenset({3}),
        code=frozenset({1, 2}),
    )


PARALLELISM = Explorer(
    name="parallelism",
    title="Which ranks talk to which",
    lead="Tensor, context, data, pipeline and expert groups drawn onto nodes: who shares a group, "
    "whether it stays inside NVLink, and what its traffic costs.",
    terminal="burnin sim train",
    groups=_groups,
    presets=(
        Preset(title="TP inside the node", values={"tp": 8, "dp": 2, "pp": 2}),
        Preset(title="TP across nodes", values={"tp": 16, "dp": 1, "pp": 2}),
        Preset(title="3D: TP 4, DP 2, PP 4", values={"tp": 4, "dp": 2, "pp": 4, "rank": 5}),
        Preset(title="Experts over two nodes", values={"model": "mixtral-8x7b", "dp": 16, "ep": 8, "tp": 1}),
        Preset(title="No NVLink at all", values={"cluster": "pcie-l40s", "tp": 4, "dp": 4}),
    ),
    show=_show,
)
