"""Published training runs: rows to plans, by the conventions of each table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from math import isnan

from burnin.app.simulate.names import find
from burnin.app.simulate.predicting.memory_tables import catalogue_model, gpt, published_model
from burnin.app.simulate.predicting.registry import CannotPredict, Family, required, whole
from burnin.app.simulate.predicting.tables import Row
from burnin.app.simulate.predicting.training_case import Case, fitted, metric, seconds
from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model
from burnin.systems.counting import count, forward_flops
from burnin.systems.machine import NoSuchPeak
from burnin.systems.plan import Plan

PACKED_SPAN = 256
"""Mean length of a packed SQuAD example in tokens: an assumption."""
_PRECISIONS = {
    "fp16": "fp16",
    "bf16": "bf16",
    "amp_bf16": "bf16",
    "fp8": "fp8",
    "fp8-cs": "fp8",
    "amp_fp8": "fp8",
    "mxfp8": "mxfp8",
    "fp8-mx": "mxfp8",
    "nvfp4": "nvfp4",
}
_MEGATRON_2021 = Plan(
    sequence=2048,
    zero=0,
    recompute="full",
    precision="fp16",
    flash=0,
    dropout=True,
    sequence_parallel=False,
    overlap_tensor=False,
    overlap_pipeline=False,
    overlap_data=False,
)


def cluster_of(catalog: Catalog, name: object) -> tuple[Gpu, Cluster]:
    """Return the card and cluster that a row's hardware names begin with."""
    words = str(name or "").partition(",")[0]
    cluster: Cluster | None = find(catalog.clusters, words)
    if cluster is None:
        gpu = find(catalog.gpus, words)
        cluster = next((c for c in catalog.clusters.values() if gpu and c.gpu == gpu.id), None)
    if cluster is None:
        raise CannotPredict("unknown_gpu")
    return catalog.gpus[cluster.gpu], cluster


def precision_of(row: Row) -> str:
    """Return the training precision of a row."""
    known = _PRECISIONS.get(str(row.get("precision")).lower())
    if known is None:
        raise CannotPredict("missing_field")
    return known


def _replicas(gpus: int, *others: int) -> int:
    ranks = 1
    for other in others:
        ranks *= other
    if gpus % ranks:
        raise CannotPredict("missing_field")
    return gpus // ranks


def _megatron_flops(model: Model, batch: float, sequence: float, passes: int) -> float:
    """Operations of a step as Megatron's papers count them: ``passes`` of the layers, three of the output layer."""
    output = 2 * model.vocab * model.hidden
    layers = forward_flops(count(model), sequence, causal=False) - output
    return batch * sequence * (passes * layers + 3 * output)


def sc21_table1(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("hardware"))
    model, sequence = gpt(row), whole(row, "seq", 2048)
    plan = replace(
        _MEGATRON_2021,
        tensor=whole(row, "tp"),
        pipeline=whole(row, "pp"),
        data=_replicas(whole(row, "gpus"), whole(row, "tp"), whole(row, "pp")),
        micro_batch=whole(row, "mbs", 1),
        global_batch=whole(row, "batch"),
        interleave=whole(row, "vpp", 1),
        sequence=sequence,
    )
    flops = _megatron_flops(model, plan.global_batch, sequence, 4) / plan.ranks / 1e12
    return Case(
        model=model, gpu=gpu, cluster=cluster, plans=(plan,), metric="tflops_per_gpu", per_second=flops
    )


def sc21_table2(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("hardware"))
    model, _ = published_model(catalog, f"{required(row, 'params_b'):g}B")
    gpus, sequence = whole(row, "gpus"), whole(row, "seq", 2048)
    common = replace(
        _MEGATRON_2021, micro_batch=whole(row, "mbs"), global_batch=whole(row, "batch"), sequence=sequence
    )
    if str(row.get("scheme")).lower().startswith("zero"):
        plan = replace(common, data=gpus, zero=3, overlap_data=True, single_rail=True, optimizer="adam-mixed")
    else:
        parallel = whole(row, "model_parallel")
        tensor = min(8, parallel)
        plan = replace(
            common, tensor=tensor, pipeline=_replicas(parallel, tensor), data=_replicas(gpus, parallel)
        )
    flops = _megatron_flops(model, plan.global_batch, sequence, 4) / plan.ranks / 1e12
    return Case(
        model=model, gpu=gpu, cluster=cluster, plans=(plan,), metric="tflops_per_gpu", per_second=flops
    )


def korthikanti_table5(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("hardware"))
    mode = str(row.get("mode"))
    tensor, pipeline = whole(row, "tp"), whole(row, "pp")
    plan = replace(
        _MEGATRON_2021,
        tensor=tensor,
        pipeline=pipeline,
        data=_replicas(whole(row, "gpus"), tensor, pipeline),
        micro_batch=whole(row, "mbs"),
        global_batch=whole(row, "batch"),
        interleave=whole(row, "vpp", 1),
        sequence=whole(row, "seq", 2048),
        sequence_parallel="sequence_parallel" in mode,
        recompute="selective" if "selective" in mode else "full" if "full" in mode else "none",
    )
    return Case(model=gpt(row), gpu=gpu, cluster=cluster, plans=(plan,), metric="iter_s", per_second=0.0)


def megatron_core(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("hardware"))
    model, sequence = gpt(row, tied=0), whole(row, "seq", 4096)
    tensor, pipeline = whole(row, "tp"), whole(row, "pp")
    data = _replicas(whole(row, "gpus"), tensor, pipeline)
    batch = whole(row, "batch")
    base = Plan(
        tensor=tensor,
        pipeline=pipeline,
        data=data,
        global_batch=batch,
        sequence=sequence,
        precision=precision_of(row),
        overlap_expert=True,
    )
    plans = tuple(
        replace(base, micro_batch=micro, interleave=chunks, recompute=recompute)
        for micro, chunks, recompute in product(
            (1, 2, 4), _chunk_counts(model, pipeline), ("none", "selective", "full")
        )
        if batch % (data * micro) == 0
    )
    if not plans:
        raise CannotPredict("missing_field")
    flops = _megatron_flops(model, batch, sequence, 3) / base.ranks / 1e12
    return Case(model=model, gpu=gpu, cluster=cluster, plans=plans, metric="tflops_per_gpu", per_second=flops)


def _chunk_counts(model: Model, pipeline: int) -> tuple[int, ...]:
    if pipeline == 1:
        return (1,)
    most = (model.layers + 2) // pipeline
    return tuple(v for v in (1, 2, 3, 4, 5, 6, 8, 10, 12) if v <= most)


def llama3(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("hardware"))
    model = catalogue_model(catalog, row.get("model") or f"llama-3.1-{required(row, 'params_b'):g}b")
    tensor, context, pipeline = whole(row, "tp"), whole(row, "cp", 1), whole(row, "pp")
    data = whole(row, "dp", _replicas(whole(row, "gpus"), tensor, context, pipeline))
    base = Plan(
        tensor=tensor,
        context=context,
        pipeline=pipeline,
        data=data,
        global_batch=data * whole(row, "batch_per_dp"),
        sequence=whole(row, "seq"),
        precision=precision_of(row),
    )
    # The paper gives no chunk count: one layer a chunk, with two slots for the ends.
    plan = replace(base, interleave=max((model.layers + 2) // pipeline, 1))
    tokens = base.global_batch * base.sequence
    flops = 3 * forward_flops(count(model), base.sequence) * tokens / base.ranks / 1e12
    return Case(
        model=model, gpu=gpu, cluster=cluster, plans=(plan,), metric="tflops_per_gpu", per_second=flops
    )


def framework(catalog: Catalog, row: Row) -> Case:
    """NeMo's and Megatron Bridge's performance summaries."""
    gpu, cluster = cluster_of(catalog, row.get("system") or row.get("hardware"))
    name = str(row.get("model"))
    model = catalogue_model(catalog, name.partition(" (")[0])
    if "w/o MTP" in name:
        model = replace(model, predict_layers=0)
    tensor, pipeline, context = whole(row, "tp"), whole(row, "pp"), whole(row, "cp", 1)
    task = str(row.get("task") or "").lower()
    sharded = row.get("fsdp")
    plan = Plan(
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        data=_replicas(whole(row, "gpus"), tensor, pipeline, context),
        expert=whole(row, "ep", 1),
        micro_batch=whole(row, "mbs"),
        global_batch=whole(row, "gbs"),
        sequence=whole(row, "seq"),
        interleave=whole(row, "vp", 1),
        precision=precision_of(row),
        zero=3 if isinstance(sharded, int) and sharded > 1 else 1,
        optimizer="adam-mixed",
        lora_rank=32 if "lora" in task else 0,
        attention_span=PACKED_SPAN if task in {"sft", "lora"} else 0,
        cuda_graphs=_release(row) >= (26, 6),
        # Megatron overlaps the all-to-all of one chunk with the compute of another.
        overlap_expert=whole(row, "vp", 1) > 1,
    )
    tokens = plan.global_batch * plan.sequence / plan.ranks
    return Case(
        model=model, gpu=gpu, cluster=cluster, plans=(plan,), metric="tokens_s_gpu", per_second=tokens
    )


def _release(row: Row) -> tuple[int, ...]:
    parts = str(row.get("release") or "0").split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def mpt(catalog: Catalog, row: Row) -> Case:
    gpu, cluster = cluster_of(catalog, row.get("gpu"))
    sequence = whole(row, "seq")
    model = gpt(row, vocab=50368, biases=0, positions=sequence)
    full = str(row.get("sharding")) == "FULL_SHARD"
    plan = Plan(
        data=whole(row, "gpus"),
        micro_batch=whole(row, "mbs"),
        global_batch=whole(row, "gbs"),
        sequence=sequence,
        precision=precision_of(row),
        zero=3 if full else 2,
        recompute="full" if row.get("act_ckpt") else "none",
        optimizer="adam-mixed",
        fused=False,
        flash=1,
    )
    tokens = plan.global_batch * sequence / plan.ranks
    return Case(
        model=model, gpu=gpu, cluster=cluster, plans=(plan,), metric="tokens_s_gpu", per_second=tokens
    )


CASES: dict[str, Callable[[Catalog, Row], Case]] = {
    "megatron_sc21_table1": sc21_table1,
    "megatron_sc21_table2": sc21_table2,
    "megatron_core_h100_weak_scaling": megatron_core,
    "korthikanti_table5_iteration_time": korthikanti_table5,
    "llama3_405b_pretraining": llama3,
    "nemo_24_07_pretrain_h100_fp8": framework,
    "nemo_24_07_finetune_h100_fp8": framework,
    "megatron_bridge_perf_archive": framework,
    "mpt_fsdp": mpt,
}
_METRICS = {
    "korthikanti_table5_iteration_time": "iter_s",
    "nemo_24_07_pretrain_h100_fp8": "tokens_s_gpu",
    "nemo_24_07_finetune_h100_fp8": "tokens_s_gpu",
    "megatron_bridge_perf_archive": "tokens_s_gpu",
    "mpt_fsdp": "tokens_s_gpu",
}


def _predict(catalog: Catalog, row: Row) -> tuple[Mapping[str, float], str]:
    try:
        case = CASES[row.table](catalog, row)
        step = float(seconds([case], {case.gpu.id: fitted(catalog, case.gpu)})[0])
    except NoSuchPeak as error:
        raise CannotPredict("missing_field") from error
    if isnan(step):
        raise CannotPredict("does_not_fit")
    return {case.metric: metric(case, step)}, case.kind


FAMILIES = {
    table: Family(metrics=(_METRICS.get(table, "tflops_per_gpu"),), predict=_predict) for table in CASES
}
