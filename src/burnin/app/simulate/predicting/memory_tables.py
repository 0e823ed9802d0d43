"""Published memory figures: ZeRO's table and Korthikanti's figures."""

from __future__ import annotations

import re
from collections.abc import Mapping

from burnin.app.simulate.names import find
from burnin.app.simulate.predicting.registry import CannotPredict, Family, required, whole
from burnin.app.simulate.predicting.tables import Row
from burnin.catalog import Catalog
from burnin.domain.model import Model, PublishedPlan
from burnin.systems.activations import in_flight_layers, layer_activations, layer_bytes
from burnin.systems.counting import Counts, count
from burnin.systems.states import OPTIMIZERS, state_bytes
from burnin.systems.term import GB, GIB

PAPER_SEQUENCE = 2048
_SCALE = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def parameters_in_name(name: object) -> float:
    """Return the parameters that a name such as 7.5B or 1T states; CannotPredict for another name."""
    match = re.fullmatch(r"([\d.]+)\s*([KMBT])", str(name).strip(), re.IGNORECASE)
    if match is None:
        raise CannotPredict("unknown_model")
    return float(match[1]) * _SCALE[match[2].upper()]


def published_model(catalog: Catalog, name: object) -> tuple[Model, PublishedPlan]:
    """Return the model of Korthikanti et al. with that size and the plan they ran it with."""
    params = parameters_in_name(name)
    for model in catalog.models.values():
        plan, stated = model.published_plan, model.published_params
        if plan is not None and stated is not None and abs(stated / params - 1) < 0.01:
            return model, plan
    raise CannotPredict("unknown_model")


def gpt(row: Row, **more: int) -> Model:
    """Return the GPT that a row describes by hidden width, layers and heads."""
    hidden, layers, heads = (whole(row, key) for key in ("hidden", "layers", "heads"))
    if hidden % heads:
        raise CannotPredict("missing_field")
    return Model(
        id="row",
        name=str(row.get("model")),
        family="GPT",
        layers=layers,
        hidden=hidden,
        ffn=4 * hidden,
        heads=heads,
        kv_heads=heads,
        head_dim=hidden // heads,
        vocab=more.get("vocab") or whole(row, "vocab", 51200),
        gated=False,
        tied=bool(more.get("tied", 1)),
        biases=bool(more.get("biases", 1)),
        learned_positions=more.get("positions", 0),
    )


def _zero(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    params, ranks = parameters_in_name(row.get("model")), whole(row, "dp")
    names = ("baseline_gb", "zero1_gb", "zero2_gb", "zero3_gb")
    return {
        name: sum(float(x) for x in state_bytes(params, OPTIMIZERS["adam-mixed"], stage, ranks)) / GB
        for stage, name in enumerate(names)
    }, "dense"


def _layer(counts: Counts, tokens: float, tensor: int, *, sp: bool, recompute: int) -> float:
    layer = layer_activations(counts, PAPER_SEQUENCE, dropout=True, flash=False)
    return float(
        layer_bytes(layer, tokens, tensor=tensor, sequence_parallel=sp, recompute=recompute, flash=False)
    )


def _activations(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    counts = count(gpt(row))
    tensor, pipeline, interleave = whole(row, "tp"), whole(row, "pp"), whole(row, "vpp", 1)
    tokens = required(row, "mbs") * PAPER_SEQUENCE
    # The paper's figure takes as many micro-batches as fill the pipeline.
    held = float(in_flight_layers(counts.layers, pipeline, interleave, 10**6, 0))
    return {
        "no_recompute_gib": held * _layer(counts, tokens, tensor, sp=False, recompute=0) / GIB,
        "seqpar_selective_gib": held * _layer(counts, tokens, tensor, sp=True, recompute=1) / GIB,
    }, "dense"


def _states(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    model, plan = published_model(catalog, row.get("model"))
    # The figure counts the layers' matrices, neither embedding nor biases.
    matrices = count(model).matrices / (plan.tensor * plan.pipeline)
    return {"gib": OPTIMIZERS["megatron"].total * matrices / GIB}, "dense"


def _relative(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    model, plan = published_model(catalog, row.get("model"))
    counts = count(model)
    modes = {
        "none": (False, 0),
        "seq": (True, 0),
        "selective": (False, 1),
        "seq_selective": (True, 1),
        "full": (False, 2),
    }
    each = {name: _layer(counts, 1, plan.tensor, sp=sp, recompute=r) for name, (sp, r) in modes.items()}
    return {name: 100 * value / each["none"] for name, value in each.items()}, "dense"


FAMILIES = {
    "zero_table1_model_states": Family(
        metrics=("baseline_gb", "zero1_gb", "zero2_gb", "zero3_gb"), predict=_zero
    ),
    "korthikanti_fig1_activation_memory": Family(
        metrics=("no_recompute_gib", "seqpar_selective_gib"), predict=_activations
    ),
    "korthikanti_fig1_param_optimizer_gib": Family(metrics=("gib",), predict=_states),
    "korthikanti_fig7_relative_activation_pct": Family(
        metrics=("none", "seq", "selective", "seq_selective", "full"), predict=_relative
    ),
}


def catalogue_model(catalog: Catalog, name: object) -> Model:
    """Return a built-in or own model by a row's name; CannotPredict where there is none."""
    model: Model | None = find(catalog.models, str(name)) if name else None
    if model is None:
        raise CannotPredict("unknown_model")
    return model
