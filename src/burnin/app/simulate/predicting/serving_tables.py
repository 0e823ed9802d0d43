"""Published serving tables: maximum throughput, static batches, first tokens, concurrency curves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from burnin.app.simulate.names import find
from burnin.app.simulate.predicting.registry import CannotPredict, Family, whole
from burnin.app.simulate.predicting.serving_case import (
    ServingCase,
    prepare_serving,
    serving_fitted,
)
from burnin.app.simulate.predicting.tables import Row
from burnin.catalog import Catalog
from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
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


def _setup(
    catalog: Catalog, row: Row, served_by: Engine, *, name: object = None, card: object = None
) -> tuple[Setup, int, int]:
    prompt, output = whole(row, "isl"), whole(row, "osl", 1)
    named = name or row.get("model")
    model = served_model(catalog, named)
    gpu, domain = served_gpu(catalog, card or row.get("gpu") or row.get("system"))
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
        expert_tensor, expert_parallel = tensor * data // expert_parallel, expert_parallel
    kv = str(row.get("kv") or "")
    return (
        Setup(
            model=model,
            gpu=gpu,
            engine=served_by,
            weights=stored_precision(row, named),
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


def queued_0_14(catalog: Catalog, row: Row) -> ServingCase:
    setup, prompt, output = _setup(catalog, row, engine("trtllm", "0.14"))
    return ServingCase(setup=setup, kind="queued", prompt=prompt, output=output)


def queued_1_0(catalog: Catalog, row: Row) -> ServingCase:
    setup, prompt, output = _setup(catalog, row, engine("trtllm", "1.0"))
    return ServingCase(setup=setup, kind="queued", prompt=prompt, output=output)


def queued_1_2(catalog: Catalog, row: Row) -> ServingCase:
    setup, prompt, output = _setup(catalog, row, engine("trtllm", "1.2"))
    return ServingCase(setup=setup, kind="queued", prompt=prompt, output=output, per_gpu=True)


def static_0_9(catalog: Catalog, row: Row) -> ServingCase:
    setup, prompt, output = _setup(catalog, row, engine("trtllm", "0.9"))
    batch = whole(row, "batch")
    return ServingCase(setup=setup, kind="static", prompt=prompt, output=output, load=batch, per_gpu=True)


def first_0_9(catalog: Catalog, row: Row) -> ServingCase:
    setup, prompt, output = _setup(catalog, row, engine("trtllm", "0.9"))
    return ServingCase(setup=setup, kind="first", prompt=prompt, output=output, load=whole(row, "batch", 1))


_NIM = re.compile(
    r"nim_(?P<model>.+)_(?P<cards>\d+)x(?P<gpu>[a-z0-9]+)_(?P<precision>[a-z0-9]+)_tp(?P<tp>\d+)_(?P<isl>\d+)_(?P<osl>\d+)"
)


def nim(catalog: Catalog, row: Row) -> ServingCase:
    """A NIM curve, whose table's name holds what its rows share: model, cards, precision, lengths."""
    match = _NIM.fullmatch(row.table)
    told = dict(match.groupdict()) if match else {}
    model = re.sub(r"^llama(\d)(\d)_", r"llama-\1.\2-", told.pop("model", "")).replace("_", "-")
    shared = {key: int(value) if value.isdigit() else value for key, value in told.items()}
    whole_row = Row(table=row.table, index=row.index, values=row.values, facts={**shared, **row.facts})
    setup, prompt, output = _setup(catalog, whole_row, engine("nim"), name=row.get("model") or model or None)
    return ServingCase(
        setup=setup, kind="closed", prompt=prompt, output=output, load=whole(row, "concurrency")
    )


def silicon(catalog: Catalog, row: Row) -> ServingCase:
    try:
        served_by = engine(str(row.get("backend") or ""), str(row.get("version") or ""))
    except ValueError as error:
        raise CannotPredict("missing_field") from error
    setup, prompt, output = _setup(catalog, row, served_by)
    # The table counts the clients of one replica of attention.
    clients = whole(row, "concurrency") * whole(row, "adp", 1)
    return ServingCase(setup=setup, kind="closed", prompt=prompt, output=output, load=clients)


_RATE, _RATE_GPU, _LATENCY = ("out_tok_s",), ("out_tok_s_per_gpu",), ("ttft_ms", "tpot_ms")
SERVING: dict[str, tuple[tuple[str, ...], Callable[[Catalog, Row], ServingCase]]] = {
    "trtllm_0_14_max_throughput": (_RATE, queued_0_14),
    "trtllm_1_0_max_throughput": (_RATE, queued_1_0),
    "trtllm_1_2_max_throughput_per_gpu": (_RATE_GPU, queued_1_2),
    "trtllm_0_9_static_batch": (_RATE_GPU, static_0_9),
    "trtllm_0_9_first_token_latency": (("ttft_ms",), first_0_9),
    "nim_llama33_70b_2xh100_fp8_tp2_5000_500": (("ttft_ms", "itl_ms", "out_tok_s"), nim),
    "aic_silicon_agg": (_LATENCY, silicon),
}


def case_of(catalog: Catalog, row: Row) -> ServingCase:
    """Return a row's case; CannotPredict where the models do not reach it."""
    case = SERVING[row.table][1](catalog, row)
    if case.setup.model.state_space is not None:
        raise CannotPredict("unsupported_architecture")
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
    return {
        name: float(values[0]) for name, values in found.items() if values[0] == values[0]
    }, case.architecture


FAMILIES = {table: Family(metrics=metrics, predict=_predict) for table, (metrics, _) in SERVING.items()}
