"""Training plans, collectives and rooflines answered in numbers and one sentence each."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate.names import cluster_of, gpu_of, model_of
from burnin.app.simulate.plain import plain_plan, plain_terms, sizes
from burnin.app.simulate.predicting.training_case import fitted
from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.systems.collectives import (
    all_to_all,
    hierarchical_all_reduce,
    ring_all_gather,
    ring_all_reduce,
    tree_all_reduce,
)
from burnin.systems.machine import NoSuchPeak
from burnin.systems.memory import BadPlan
from burnin.systems.placement import groups
from burnin.systems.plan import Plan
from burnin.systems.roofline import layer_roofline, ridge
from burnin.systems.sweep import plan_space, sweep
from burnin.systems.training import TrainingStep, better_plans, train_step


def train(
    catalog: Catalog,
    *,
    model: str,
    cluster: str,
    plan: Plan,
    price_usd_hour: float | None = None,
    tdp_w: float | None = None,
    steps: int | None = None,
) -> dict[str, Any]:
    """Return time, memory, money, energy and the why of one plan, with the best single changes.

    Raises BadRequest for names or plans that do not work.
    """
    shape = model_of(catalog, model)
    where, card = _machine(catalog, cluster, price_usd_hour, tdp_w)
    coefficients = fitted(catalog, card)
    try:
        step = train_step(shape, card, where, plan, coefficients)
        better = better_plans(shape, card, where, plan, coefficients)
    except (BadPlan, NoSuchPeak) as error:
        raise BadRequest(str(error)) from error
    result = {
        "model": shape.id,
        "cluster": where.id,
        "plan": plain_plan(plan),
        **plain_step(step),
        "groups": [{**asdict(g), "inside_nvlink": g.inside} for g in groups(plan, where)],
        "better": [{"words": b.words, "speedup": b.speedup} for b in better],
        "answer": f"{step.tokens_s_gpu:,.0f} tokens/s a GPU, {step.seconds:.3g} s a step, "
        f"MFU {100 * step.mfu:.1f} %, {step.usd_million_tokens:.3g} USD a million tokens. {step.why}",
    }
    if steps is not None:
        result["run"] = {
            "steps": steps,
            "days": steps * step.seconds / 86400,
            "usd": steps * step.usd_step,
            "mwh": steps * step.joules_step / 3.6e9,
        }
    return result


def plain_step(step: TrainingStep) -> dict[str, Any]:
    """Return a step as plain data."""
    return {
        "seconds": step.seconds,
        "tokens_s": step.tokens_s,
        "tokens_s_gpu": step.tokens_s_gpu,
        "tflops_per_gpu": step.tflops_per_gpu,
        "mfu": step.mfu,
        "hfu": step.hfu,
        "usd_step": step.usd_step,
        "usd_million_tokens": step.usd_million_tokens,
        "joules_token": step.joules_token,
        "terms": plain_terms(step.terms),
        "memory": {
            "fits": step.memory.fits,
            "total": sizes(step.memory.total),
            "capacity": sizes(step.memory.capacity),
            "terms": plain_terms(step.memory.terms),
        },
        "binds": step.binds,
        "why": step.why,
        "flips": [asdict(flip) for flip in step.flips],
    }


def search(
    catalog: Catalog, *, model: str, cluster: str, ranks: int, plan: Plan, number: int = 5
) -> dict[str, Any]:
    """Return the fastest plans of ``ranks`` GPUs that fit, and the front of speed against memory."""
    shape = model_of(catalog, model)
    where, card = _machine(catalog, cluster, None, None)
    coefficients = fitted(catalog, card)
    space = plan_space(shape, ranks, plan)
    if not len(space):
        raise BadRequest(f"no plan of {ranks} GPUs divides a batch of {plan.global_batch} sequences")
    try:
        found = sweep(shape, card, where, space, coefficients)
    except NoSuchPeak as error:
        raise BadRequest(str(error)) from error

    def row(index: int) -> dict[str, Any]:
        return {
            "plan": plain_plan(space.plan(index)),
            "tokens_s_gpu": float(found.tokens_s_gpu[index]),
            "mfu": float(found.mfu[index]),
            "memory_gib": float(found.bytes_held[index]) / 2**30,
        }

    best = [row(i) for i in found.best(number)]
    answer = f"{len(space):,} plans, {int(found.fits.sum()):,} fit."
    if best:
        p = best[0]["plan"]
        answer += (
            f" Fastest: TP {p['tensor']} x PP {p['pipeline']} x DP {p['data']} x CP {p['context']} x EP "
            f"{p['expert']}, micro-batch {p['micro_batch']}, recomputation {p['recompute']}: "
            f"{best[0]['tokens_s_gpu']:,.0f} tokens/s a GPU."
        )
    return {
        "model": shape.id,
        "cluster": where.id,
        "plans": len(space),
        "fit": int(found.fits.sum()),
        "best": best,
        "pareto": [row(i) for i in found.pareto()],
        "answer": answer,
    }


def collective(
    catalog: Catalog, *, operation: str, size_mb: float, ranks: int, cluster: str
) -> dict[str, Any]:
    """Return the seconds of a collective by algorithm on a cluster's sheet rates.

    ``size_mb`` is in 10^6 bytes: the whole tensor for an all-reduce, the gathered
    whole for an all-gather, what a rank sends for an all-to-all.
    """
    where, card = _machine(catalog, cluster, None, None)
    if ranks < 1 or size_mb <= 0:
        raise BadRequest("ranks must be at least 1 and the size positive")
    size = size_mb * 1e6
    domain = max(where.nvlink_domain, 1)
    inside = card.nvlink_gb_s if where.nvlink_domain > 1 and card.nvlink_gb_s else card.pcie_gb_s
    near, far = inside * 1e9, where.network_gb_s * 1e9
    near_latency, far_latency = where.nvlink_latency_us * 1e-6, where.network_latency_us * 1e-6
    crosses = ranks > domain
    rate, latency = (far, far_latency) if crosses else (near, near_latency)
    algorithms: dict[str, float] = {}
    if operation == "all-reduce":
        algorithms["ring"] = float(ring_all_reduce(size, ranks, rate, latency))
        algorithms["tree"] = float(tree_all_reduce(size, ranks, rate, latency))
        if crosses and ranks % domain == 0 and domain > 1:
            algorithms["hierarchical"] = float(
                hierarchical_all_reduce(size, domain, ranks // domain, near, far, near_latency, far_latency)
            )
        bus_factor = 2 * (ranks - 1) / ranks
    elif operation in {"all-gather", "reduce-scatter"}:
        algorithms["ring"] = float(ring_all_gather(size, ranks, rate, latency))
        bus_factor = (ranks - 1) / ranks
    elif operation == "all-to-all":
        algorithms["direct"] = float(all_to_all(size, ranks, rate, latency))
        bus_factor = (ranks - 1) / ranks
    else:
        raise BadRequest(
            f"no collective {operation!r}; known: all-reduce, all-gather, reduce-scatter, all-to-all"
        )
    best = min(algorithms, key=algorithms.__getitem__)
    seconds = algorithms[best]
    return {
        "operation": operation,
        "cluster": where.id,
        "ranks": ranks,
        "bytes": size,
        "crosses_network": crosses,
        "algorithms": [
            {"name": name, "seconds": value, "bus_gb_s": size * bus_factor / value / 1e9 if value else 0.0}
            for name, value in algorithms.items()
        ],
        "best": best,
        "answer": f"{operation} of {size_mb:g} MB over {ranks} ranks: {1e3 * seconds:.3g} ms ({best}), "
        f"{'across the network' if crosses else 'inside one NVLink domain'}.",
    }


def roofline(
    catalog: Catalog, *, model: str, gpu: str, tokens: int, context: int, batch: int, precision: str
) -> dict[str, Any]:
    """Return each kernel of a layer under the card's roof."""
    shape, card = model_of(catalog, model), gpu_of(catalog, gpu)
    try:
        points = layer_roofline(shape, card, tokens=tokens, context=context, batch=batch, precision=precision)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    turn = ridge(card.dense_tflops[precision], card.memory_gb_s)
    bound = [p.name for p in points if p.bound == "memory"]
    return {
        "model": shape.id,
        "gpu": card.id,
        "precision": precision,
        "ridge_flops_per_byte": turn,
        "peak_tflops": card.dense_tflops[precision],
        "memory_gb_s": card.memory_gb_s,
        "points": [asdict(p) for p in points],
        "layer_seconds": sum(p.seconds for p in points),
        "answer": f"{card.name} turns from memory-bound to compute-bound at {turn:.0f} operations a byte in "
        f"{precision}; {len(bound)} of {len(points)} kernels are memory-bound.",
    }


def _machine(
    catalog: Catalog, name: str, price_usd_hour: float | None, tdp_w: float | None
) -> tuple[Cluster, Gpu]:
    where = cluster_of(catalog, name)
    card = catalog.gpus[where.gpu]
    if price_usd_hour is not None:
        card = replace(card, price_usd_hour=price_usd_hour)
    if tdp_w is not None:
        card = replace(card, tdp_w=tdp_w)
    return where, card
