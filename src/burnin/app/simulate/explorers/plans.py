"""The knobs of a training plan, shared by the explorers that turn them, and the plan they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from burnin.app.simulate.explorers.knobs import Choice, Number, Values, doubling, write
from burnin.catalog import Catalog
from burnin.systems.plan import SCHEDULES, Plan
from burnin.systems.precision import RECIPES
from burnin.systems.states import OPTIMIZERS

SCHEDULE_NAMES = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "zb-h1": "ZB-H1",
    "zb-h2": "ZB-H2",
    "zb-v": "ZB-V",
    "dualpipe": "DualPipe",
}

TENSOR = Number(name="tp", label="Tensor parallel (TP)", stops=doubling(1, 64), default=1)
PIPELINE = Number(name="pp", label="Pipeline stages (PP)", stops=doubling(1, 64), default=1)
DATA = Number(name="dp", label="Data parallel (DP)", stops=doubling(1, 1024), default=8)
CONTEXT = Number(name="cp", label="Context parallel (CP)", stops=doubling(1, 32), default=1)
EXPERT = Number(
    name="ep",
    label="Expert parallel (EP)",
    stops=doubling(1, 64),
    default=1,
    hint="For a mixture of experts; reuses TP, CP and DP ranks.",
)
MICRO = Number(name="micro", label="Micro-batch, sequences", stops=doubling(1, 64), default=1)
MICRO_BATCHES = Number(
    name="micro_batches", label="Micro-batches a step and replica", stops=doubling(1, 256), default=8
)
SEQUENCE = Number(name="seq", label="Sequence length, tokens", stops=doubling(512, 131072), default=4096)
INTERLEAVE = Number(
    name="interleave", label="Model chunks a stage", stops=(1, 2, 3, 4, 5, 6, 8, 10, 12, 16), default=1
)
ZERO = Choice(
    name="zero",
    label="ZeRO stage",
    options=(
        ("0", "0: nothing sharded"),
        ("1", "1: optimizer states"),
        ("2", "2: and gradients"),
        ("3", "3: and weights (FSDP)"),
    ),
    default="1",
)
RECOMPUTE = Choice(
    name="recompute",
    label="Recomputation",
    options=(("none", "none"), ("selective", "selective (attention)"), ("full", "full")),
    default="none",
)
SCHEDULE = Choice(
    name="schedule",
    label="Schedule",
    options=tuple((name, SCHEDULE_NAMES.get(name, name)) for name in SCHEDULES),
    default="1f1b",
)
OPTIMIZER = Choice(
    name="optimizer",
    label="Optimizer",
    options=tuple((name, f"{name}, {write(o.total)} bytes a parameter") for name, o in OPTIMIZERS.items()),
    default="adam-mixed",
)
PRECISION = Choice(
    name="precision",
    label="Precision",
    options=tuple((name, name.upper()) for name in RECIPES),
    default="bf16",
)


def switch(name: str, label: str, default: str = "on") -> Choice:
    """Return a knob that is on or off."""
    return Choice(name=name, label=label, options=(("on", "on"), ("off", "off")), default=default)


SEQUENCE_PARALLEL = switch("sp", "Sequence parallelism")
FLASH = switch("flash", "Flash attention")
FUSED = switch("fused", "Fused kernels")
OVERLAP = switch("overlap", "Traffic beside compute")
GRAPHS = switch("graphs", "CUDA graphs", "off")


def model_knob(catalog: Catalog, wanted: str) -> Choice:
    """Return the choice of a model; ``wanted`` is the default where the catalogue has it."""
    return _noun("model", "Model", ((m.id, m.name) for m in catalog.models.values()), wanted)


def gpu_knob(catalog: Catalog, wanted: str) -> Choice:
    """Return the choice of a card."""
    return _noun("gpu", "GPU", ((g.id, g.name) for g in catalog.gpus.values()), wanted)


def cluster_knob(catalog: Catalog, wanted: str) -> Choice:
    """Return the choice of a cluster."""
    return _noun("cluster", "Cluster", ((c.id, c.name) for c in catalog.clusters.values()), wanted)


def _noun(name: str, label: str, options: Iterable[tuple[str, str]], wanted: str) -> Choice:
    known = tuple(options) or (("", "none in the catalogue"),)
    default = wanted if wanted in dict(known) else known[0][0]
    return Choice(name=name, label=label, options=known, default=default)


_FIELDS = {
    "tp": "tensor",
    "pp": "pipeline",
    "dp": "data",
    "cp": "context",
    "ep": "expert",
    "micro": "micro_batch",
    "seq": "sequence",
    "interleave": "interleave",
    "schedule": "schedule",
    "recompute": "recompute",
    "precision": "precision",
    "optimizer": "optimizer",
}


def plan_from(values: Values) -> Plan:
    """Return the plan of these knobs; ``global_batch``, or ``micro_batches`` a replica, sets the batch."""
    fields: dict[str, Any] = {field: values[name] for name, field in _FIELDS.items() if name in values}
    on = {name: values.get(name, "on") == "on" for name in ("sp", "flash", "fused", "overlap")}
    batch = values.get("global_batch")
    if batch is None:
        batch = values.get("micro_batches", 1) * fields["micro_batch"] * fields["data"]
    return Plan(
        **fields,
        global_batch=batch,
        zero=int(values.get("zero", 1)),
        sequence_parallel=on["sp"],
        flash=2 if on["flash"] else 0,
        fused=on["fused"],
        cuda_graphs=values.get("graphs", "off") == "on",
        overlap_tensor=on["overlap"],
        overlap_pipeline=on["overlap"],
        overlap_data=on["overlap"],
    )


def knobs_of(plan: Plan, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of the named knobs that make this plan."""
    found: dict[str, Any] = {name: getattr(plan, field) for name, field in _FIELDS.items()}
    found.update(
        zero=str(plan.zero),
        sp="on" if plan.sequence_parallel else "off",
        flash="on" if plan.flash else "off",
        micro_batches=max(1, plan.micro_batches),
    )
    return {name: found[name] for name in names if name in found}


def options_of(plan: Plan) -> str:
    """Return the options of a command that describe this plan; what is the command's default is left out."""
    plain = Plan()
    pairs = [
        ("--tp", plan.tensor, plain.tensor),
        ("--pp", plan.pipeline, plain.pipeline),
        ("--dp", plan.data, plain.data),
        ("--cp", plan.context, plain.context),
        ("--ep", plan.expert, plain.expert),
        ("--micro-batch", plan.micro_batch, plain.micro_batch),
        ("--global-batch", plan.global_batch, None),
        ("--seq", plan.sequence, plain.sequence),
        ("--interleave", plan.interleave, plain.interleave),
        ("--schedule", plan.schedule, plain.schedule),
        ("--zero", plan.zero, plain.zero),
        ("--recompute", plan.recompute, plain.recompute),
        ("--precision", plan.precision, plain.precision),
        ("--optimizer", plan.optimizer, plain.optimizer),
    ]
    words = [f"{name} {value}" for name, value, default in pairs if value != default]
    switches = [
        ("--no-flash", not plan.flash),
        ("--no-fused", not plan.fused),
        ("--no-sequence-parallel", not plan.sequence_parallel),
        ("--cuda-graphs", plan.cuda_graphs),
        ("--no-overlap", not plan.overlap_data),
    ]
    return " ".join([*words, *(name for name, on in switches if on)])
