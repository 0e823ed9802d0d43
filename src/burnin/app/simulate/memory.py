"""Memory questions answered in numbers and one sentence each."""

from __future__ import annotations

from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate.names import gpu_of, model_of
from burnin.app.simulate.plain import plain_plan, plain_term, plain_terms, sizes
from burnin.catalog import Catalog
from burnin.systems.footprint import ASSUMED, Assumptions
from burnin.systems.kv_cache import kv_cache
from burnin.systems.lora import adapters
from burnin.systems.memory import BadPlan, offload, smallest_change, training_memory
from burnin.systems.plan import Plan
from burnin.systems.states import OPTIMIZERS, state_terms, step_traffic_bytes
from burnin.systems.term import GB, GIB

_SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}


def parameters(text: str) -> float:
    """Return a number such as 7.5B, 350M or 7500000000; BadRequest for another text."""
    body = text.strip().lower()
    scale = _SCALE.get(body[-1:], 1.0)
    try:
        value = float(body[:-1] if body[-1:] in _SCALE else body) * scale
    except ValueError:
        value = -1.0
    if not 0 < value < 1e16:
        raise BadRequest(f"{text!r} is no number of parameters; write 7.5B, 350M or 1T")
    return value


def assumptions(context_gib: float | None, fragmentation: float | None) -> Assumptions:
    """Return the default assumptions with those that were given."""
    return Assumptions(
        context_gib=ASSUMED.context_gib if context_gib is None else context_gib,
        fragmentation=ASSUMED.fragmentation if fragmentation is None else fragmentation,
    )


def zero(
    catalog: Catalog, *, params: float | None, model: str | None, ranks: int, optimizer: str
) -> dict[str, Any]:
    """Return weights, gradients and optimizer states a rank for ZeRO stages 0 to 3.

    Raises BadRequest where neither or both of ``params`` and ``model`` are given.
    """
    if (params is None) == (model is None):
        raise BadRequest("give either --params or --model")
    if ranks < 1:
        raise BadRequest("ranks must be at least 1")
    if params is None:
        from burnin.systems.counting import count

        params = count(model_of(catalog, model or "")).total
    chosen = _optimizer(optimizer)
    stages: list[dict[str, Any]] = []
    for stage in range(4):
        terms = state_terms(params, chosen, stage, ranks)
        total = sum(term.value for term in terms)
        stages.append(
            {
                "stage": stage,
                "terms": plain_terms(terms),
                "total": sizes(total),
                "traffic": sizes(step_traffic_bytes(params, stage, ranks, chosen.weight)),
            }
        )
    first, last = (stages[i]["total"]["gb"] for i in (0, 3))
    return {
        "params": params,
        "ranks": ranks,
        "optimizer": {"name": optimizer, "bytes_a_parameter": chosen.total, "words": chosen.words},
        "stages": stages,
        "answer": f"{params / 1e9:.4g}B parameters take {first:.4g} GB a rank without ZeRO "
        f"and {last:.4g} GB with stage 3 on {ranks} ranks.",
    }


def memory(
    catalog: Catalog,
    *,
    model: str,
    gpu: str,
    plan: Plan,
    assumed: Assumptions = ASSUMED,
    offload_states: bool = False,
    offload_weights: bool = False,
    offload_gb_s: float | None = None,
) -> dict[str, Any]:
    """Return what fills the fullest rank, as a waterfall, and the smallest change that makes it fit.

    Raises BadRequest for names or plans that do not work.
    """
    shape, card = model_of(catalog, model), gpu_of(catalog, gpu)
    try:
        held = training_memory(shape, plan, card, assumed)
        change = smallest_change(shape, plan, card, assumed)
        off = None
        if offload_states or offload_weights:
            off = offload(
                shape,
                plan,
                states=offload_states,
                weights=offload_weights,
                link_gb_s=offload_gb_s or card.pcie_gb_s,
                micro_batches=plan.micro_batches,
            )
    except (BadPlan, ValueError) as error:
        raise BadRequest(str(error)) from error
    total = held.total - (off.saved if off else 0.0)
    fits = total <= held.capacity
    gap = abs(total - held.capacity) / GIB
    answer = (
        f"{shape.name} {'fits' if fits else 'does not fit'} on {card.name}: "
        f"{total / GIB:.1f} of {held.capacity / GIB:.1f} GiB, {gap:.1f} GiB {'free' if fits else 'short'}."
    )
    if change is not None and not fits:
        answer += f" Smallest change that fits: {change.words} ({change.cost})."
    elif not fits:
        answer += " No single change makes it fit: combine them or take more cards."
    return {
        "model": shape.id,
        "gpu": card.id,
        "plan": plain_plan(plan),
        "stage": held.stage,
        "waterfall": [{**plain_term(term), "running_gib": running / GIB} for term, running in held.waterfall],
        "total": sizes(total),
        "capacity": sizes(held.capacity),
        "fits": fits,
        "offload": None
        if off is None
        else {"terms": plain_terms(off.terms), "saved": sizes(off.saved), "seconds_a_step": off.seconds},
        "smallest_change": None
        if change is None or fits
        else {"words": change.words, "cost": change.cost, "total": sizes(change.total)},
        "answer": answer,
    }


def kv(
    catalog: Catalog,
    *,
    model: str,
    tokens: int,
    batch: int,
    precision: str,
    tensor: int,
    block: int,
    reserve: int,
    gpu: str | None,
) -> dict[str, Any]:
    """Return the cache of a batch on one rank; with a card, how many sequences fit beside 16-bit weights."""
    shape = model_of(catalog, model)
    try:
        cache = kv_cache(
            shape,
            tokens=tokens,
            batch=batch,
            precision=precision,
            tensor=tensor,
            block=block,
            reserve=reserve,
        )
        one = kv_cache(
            shape, tokens=tokens, batch=1, precision=precision, tensor=tensor, block=block, reserve=reserve
        )
    except ValueError as error:
        raise BadRequest(str(error)) from error
    answer = (
        f"{shape.name} ({shape.attention.upper()}) caches {cache.bytes_per_token:,.0f} bytes a token and rank: "
        f"{cache.bytes_total / GB:.3g} GB for {batch} x {tokens} tokens in {precision}."
    )
    room = None
    if gpu is not None:
        from burnin.systems.counting import count

        card = gpu_of(catalog, gpu)
        free = card.memory_bytes * (1 - ASSUMED.fragmentation) - ASSUMED.context_gib * GIB
        free -= 2 * count(shape).total / tensor
        room = int(free // one.bytes_total) if one.bytes_total and free > 0 else 0
        answer += f" Beside 16-bit weights {room} sequences fit on {card.name}."
    return {
        "model": shape.id,
        "attention": shape.attention,
        "bytes_per_token": cache.bytes_per_token,
        "terms": plain_terms(cache.terms),
        "total": sizes(cache.bytes_total),
        "used": sizes(cache.bytes_used),
        "waste_share": cache.waste,
        "sequences_that_fit": room,
        "answer": answer,
    }


def lora(
    catalog: Catalog, *, model: str, rank: int, targets: tuple[str, ...], base: str, optimizer: str
) -> dict[str, Any]:
    """Return trainable parameters and memory of LoRA or QLoRA, beside full fine-tuning."""
    shape, chosen = model_of(catalog, model), _optimizer(optimizer)
    try:
        sized = adapters(shape, rank=rank, targets=targets, base=base, optimizer=chosen)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    from burnin.systems.counting import count

    full = chosen.total * count(shape).total
    return {
        "model": shape.id,
        "rank": rank,
        "targets": list(targets),
        "base": base,
        "trainable": sized.trainable,
        "trainable_percent": 100 * sized.share,
        "terms": plain_terms(sized.terms),
        "total": sizes(sized.bytes_total),
        "full_fine_tuning": sizes(full),
        "answer": f"{sized.trainable / 1e6:.4g}M trainable parameters ({100 * sized.share:.3g} %); "
        f"{sized.bytes_total / GB:.4g} GB before activations, against {full / GB:.4g} GB for full fine-tuning.",
    }


def _optimizer(name: str) -> Any:
    if name not in OPTIMIZERS:
        raise BadRequest(f"no optimizer {name!r}; known: {', '.join(OPTIMIZERS)}")
    return OPTIMIZERS[name]
