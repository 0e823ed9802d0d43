"""Published serving tables: maximum throughput, static batches, first tokens, concurrency curves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isnan

from burnin.app.simulate.names import find
from burnin.app.simulate.predicting.registry import CannotPredict, Family, whole
from burnin.app.simulate.predicting.serving_case import (
    Kind,
    ServingCase,
    prepare_serving,
    serving_fitted,
)
from burnin.app.simulate.predicting.tables import Row
from burnin.catalog import Catalog
from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.systems.precision import BYTES
from burnin.systems.serving.costs import CannotServe, Setup
from burnin.systems.serving.engine import Engine, engine

_SUFFIX = re.compile(
    r"[-_ ](instruct|chat|it|hf|fp8|nvfp4|mxfp4|fp4|bf16|fp16|int8|int4|awq|gptq|dynamic|2507|v\d\.\d)$",
    re.IGNORECASE,
)
_FORMATS = {"nvfp4": "fp4", "mxfp4": "fp4", "w4a16": "int4", "float16": "fp16", "bfloat16": "bf16"}


def served_model(catalog: Catalog, name: object) -> Model:
    """Return the model that a row serves: its own name, else the name less suffixes of tuning and precision."""
    wanted = str(name or "").rpartition("/")[2]
    while wanted:
        found: Model | None = find(catalog.models, wanted)
        if found is not None:
            return found
        shorter = _SUFFIX.sub("", wanted)
        if shorter == wanted:
            break
        wanted = shorter
    raise CannotPredict("unknown_model" if name else "missing_field")


def served_gpu(catalog: Catalog, name: object) -> tuple[Gpu, int]:
    """Return a card and how many of its kind NVLink joins."""
    found: Gpu | None = find(catalog.gpus, str(name)) if name else None
    if found is None:
        raise CannotPredict("unknown_gpu" if name else "missing_field")
    domain = next((c.nvlink_domain for c in catalog.clusters.values() if c.gpu == found.id), 8)
    return found, domain


def stored_precision(row: Row, name: object) -> str:
    """Return the format of the weights: the row's, else what the name ends in, else 16 bits."""
    stated = str(row.get("precision") or "").lower()
    if not stated:
        match = re.search(r"(nvfp4|mxfp4|fp8|fp4|int8|int4)", str(name).lower())
        stated = match[1] if match else "bf16"
    return _FORMATS.get(stated, stated)


def _setup(catalog: Catalog, row: Row, chosen: Engine) -> tuple[Setup, int, int]:
    prompt, output = whole(row, "isl"), whole(row, "osl", 1)
    named = row.get("model")
    model = served_model(catalog, named)
    gpu, domain = served_gpu(catalog, row.get("gpu") or row.get("system"))
    tensor, data = whole(row, "tp", 1), whole(row, "adp", 1)
    expert_tensor, expert_parallel = whole(row, "moe_tp", 0) or 1, whole(row, "moe_ep", 1)
    parallel = re.fullmatch(r"(TP|DEP|TEP|EP)(\d+)", str(row.get("parallel") or "").strip(), re.IGNORECASE)
    if parallel is not None:
        ways, kind = int(parallel[2]), parallel[1].upper()
        tensor, data = (1, ways) if kind in {"DEP", "EP"} else (ways, 1)
        expert_tensor, expert_parallel = (ways, 1) if kind == "TP" else (1, ways)
    if model.experts and expert_tensor * expert_parallel > tensor * data:
        # The row states more ranks for experts than for attention: attention is then data parallel.
        data = expert_tensor * expert_parallel // tensor
    if not model.experts or expert_tensor * expert_parallel < tensor * data:
        expert_tensor = tensor * data // expert_parallel
    kv, weights = str(row.get("kv") or ""), stored_precision(row, named)
    if not kv and chosen.backend == "vllm" and BYTES.get(weights, 2.0) <= 1:
        # vLLM's default is 16 bits; published rows of long contexts at many clients only fit in 8.
        kv = "fp8"
    return (
        Setup(
            model=model,
            gpu=gpu,
            engine=chosen,
            weights=weights,
            kv=_FORMATS.get(kv, kv),
            tensor=tensor,
            pipeline=whole(row, "pp", 1),
            attention_data=data,
            expert_tensor=max(expert_tensor, 1),
            expert_parallel=expert_parallel,
            nvlink_domain=domain,
            context=prompt + output / 2,
        ),
        prompt,
        output,
    )


_NIM = re.compile(
    r"nim_(?P<model>.+)_(?P<cards>\d+)x(?P<gpu>[a-z0-9]+)_(?P<precision>[a-z0-9]+)_tp(?P<tp>\d+)"
    r"_(?P<isl>\d+)_(?P<osl>\d+)"
)
_VERSIONED = re.compile(r"(trtllm|vllm|sglang)_(\d+)_(\d+)_.+")
METRICS = ("out_tok_s", "out_tok_s_per_gpu", "ttft_ms", "tpot_ms", "itl_ms")


def _named(row: Row) -> Row:
    """A row with what its table's name says of all rows: a NIM curve's model, cards and lengths."""
    match = _NIM.fullmatch(row.table)
    if match is None:
        return row
    told: dict[str, object] = {
        key: int(value) if value.isdigit() else value for key, value in match.groupdict().items()
    }
    told["model"] = re.sub(r"^llama(\d)(\d)_", r"llama-\1.\2-", match["model"]).replace("_", "-")
    return Row(table=row.table, index=row.index, values=row.values, facts={**told, **row.facts})


def served_by(row: Row) -> Engine:
    """Return the engine that a row, or its table's name, states; CannotPredict where neither does."""
    name, version = str(row.get("backend") or row.get("engine") or ""), str(row.get("version") or "")
    match = _VERSIONED.fullmatch(row.table)
    if not name and match is not None:
        name, version = match[1], f"{match[2]}.{match[3]}"
    if not name and row.table.startswith("nim_"):
        name, version = "nim", ""
    try:
        return engine(name, version)
    except ValueError as error:
        raise CannotPredict("missing_field") from error


def is_serving(row: Row) -> bool:
    """Whether a row measures serving: by its keys, so that tables not seen before are read too."""
    measured = any(metric in row.values for metric in METRICS)
    return measured and (_VERSIONED.fullmatch(row.table) is not None or row.get("concurrency") is not None)


def case_of(catalog: Catalog, row: Row) -> ServingCase:
    """Return a row's case; CannotPredict where the models do not reach it.

    Clients or a batch in the row tell a concurrency curve, a static batch and a first
    token apart; a row with neither has every request queued at once.
    """
    row = _named(row)
    setup, prompt, output = _setup(catalog, row, served_by(row))
    if setup.model.state_space is not None or setup.weights not in BYTES:
        raise CannotPredict("unsupported_architecture" if setup.weights in BYTES else "missing_field")
    kind: Kind = "queued"
    load = 1
    if row.get("concurrency") is not None:
        # Tables count the clients of one replica of attention.
        kind, load = "closed", whole(row, "concurrency") * whole(row, "adp", 1)
    elif row.get("batch") is not None:
        kind, load = "first" if output == 1 else "static", whole(row, "batch")
    case = ServingCase(setup=setup, kind=kind, prompt=prompt, output=output, load=load)
    try:
        room = prepare_serving([case]).work.kv_capacity[0]
    except CannotServe as error:
        raise CannotPredict("unsupported_architecture") from error
    if room < case.prompt + case.output:
        raise CannotPredict("does_not_fit")
    return case


def _predict(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    case = case_of(catalog, row)
    found = prepare_serving([case]).metrics(serving_fitted(catalog, case.setup.gpu, case.setup.engine))
    known = {name: float(values[0]) for name, values in found.items()}
    return {name: value for name, value in known.items() if not isnan(value)}, case.architecture


FAMILY = Family(metrics=METRICS, predict=_predict)
