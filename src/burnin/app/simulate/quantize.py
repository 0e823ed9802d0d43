"""Which way to quantize a model on which card, answered in numbers, with what speaks against the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate.names import gpu_of, model_of
from burnin.catalog import Catalog
from burnin.domain.hardware import Gpu
from burnin.domain.model import Model
from burnin.systems.quantization import Choice, Load, choose, judge

CACHES = ("bf16", "fp8")
MOST_CARDS = 8


def quantize(
    catalog: Catalog,
    *,
    model: str,
    gpus: Sequence[str],
    tensor: int = 1,
    batch: int = 1,
    context: int = 2048,
    keep_percent: float = 0.0,
    from_ms: float | None = None,
    to_ms: float | None = None,
    from_gpu: str | None = None,
) -> dict[str, Any]:
    """Return every method and cache format on every card, the one to take, and why not the others.

    ``from_ms`` is the latency of a step measured in 16 bits on ``from_gpu`` (the first card
    by default) with the same tensor parallelism; it is scaled by the ratio of the roofs,
    which flatters every method alike: what does not shrink with the weights stays out.
    BadRequest for names and numbers that do not work.
    """
    shape = model_of(catalog, model)
    cards = [gpu_of(catalog, name) for name in gpus]
    if not cards:
        raise BadRequest("name a GPU")
    if (from_ms is None) != (to_ms is None):
        raise BadRequest("--from-ms and --to-ms go together")
    if from_ms is not None and to_ms is not None and not 0 < to_ms <= from_ms:
        raise BadRequest("--to-ms must be above 0 and no more than --from-ms")
    try:
        load = Load(batch=batch, context=context, tensor=tensor)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    base_card = gpu_of(catalog, from_gpu) if from_gpu else cards[0]
    base = judge(shape, base_card, catalog.methods["bf16"], load, ())
    ratio = None if from_ms is None or to_ms is None else to_ms / from_ms
    rows = []
    for card in cards:
        made = [
            _judged(catalog, shape, card, method_id, replace(load, kv=kv), keep_percent, base, ratio)
            for method_id in catalog.methods
            for kv in CACHES
        ]
        rows.append((card, made))
    best = [(card, taken) for card, made in rows if (taken := choose(made)) is not None]
    return {
        "model": shape.id,
        "tensor": tensor,
        "batch": batch,
        "context": context,
        "keep_percent": keep_percent,
        "baseline": {
            "gpu": base_card.id,
            "step_ms_at_the_roof": 1e3 * base.step_seconds,
            "measured_ms": from_ms,
            "wanted_ms": to_ms,
            "needed_speedup": None if ratio is None else 1 / ratio,
        },
        "cards": [
            {
                "gpu": card.id,
                "take": None if (taken := choose(made)) is None else _name(taken),
                "choices": [
                    _plain(choice, base, from_ms)
                    | {
                        "reaches_with_tensor": _more_cards(
                            catalog, shape, card, choice, load, keep_percent, base, ratio
                        )
                    }
                    for choice in made
                ],
            }
            for card, made in rows
        ],
        "answer": _answer(shape, best, rows, base, from_ms, to_ms, keep_percent),
    }


def _judged(
    catalog: Catalog,
    shape: Model,
    card: Gpu,
    method: str,
    load: Load,
    keep: float,
    base: Choice,
    ratio: float | None,
) -> Choice:
    return judge(
        shape,
        card,
        catalog.methods[method],
        load,
        catalog.accuracy.values(),
        keep_percent=keep,
        slower_than=None if ratio is None else base.step_seconds * ratio,
    )


def _more_cards(
    catalog: Catalog,
    shape: Model,
    card: Gpu,
    choice: Choice,
    load: Load,
    keep: float,
    base: Choice,
    ratio: float | None,
) -> int | None:
    """The smallest tensor parallelism, by doubling, with which a method that fails would stand."""
    tensor = load.tensor
    while not choice.stands and tensor < MOST_CARDS:
        tensor *= 2
        wider = replace(load, kv=choice.kv, tensor=tensor)
        if _judged(catalog, shape, card, choice.method.id, wider, keep, base, ratio).stands:
            return tensor
    return None


def _plain(choice: Choice, base: Choice, from_ms: float | None) -> dict[str, Any]:
    speedup = base.step_seconds / choice.step_seconds
    return {
        "method": choice.method.id,
        "name": choice.method.name,
        "kv": choice.kv,
        "weights_gb": choice.weight_bytes / 1e9,
        "kv_gb": choice.kv_bytes / 1e9,
        "room_gb": choice.room_bytes / 1e9,
        "step_ms_at_the_roof": 1e3 * choice.step_seconds,
        "speedup_at_most": speedup,
        "expected_ms_at_least": None if from_ms is None else from_ms / speedup,
        "bound": choice.bound,
        "kept_percent": choice.kept_percent,
        "evidence": [
            f"{entry.model}, {entry.benchmark}: {entry.kept_percent:.1f} %" for entry in choice.evidence
        ],
        "calibration": choice.method.calibration,
        "needs": choice.method.needs,
        "risk": choice.method.risk,
        "why_not": list(choice.why_not),
        "stands": choice.stands,
    }


def _name(choice: Choice) -> str:
    cache = "16-bit" if choice.kv == "bf16" else choice.kv.upper()
    return f"{choice.method.name} with a {cache} cache"


def _answer(
    shape: Model,
    best: Sequence[tuple[Gpu, Choice]],
    rows: Sequence[tuple[Gpu, Sequence[Choice]]],
    base: Choice,
    from_ms: float | None,
    to_ms: float | None,
    keep: float,
) -> str:
    wish = (
        ""
        if from_ms is None or to_ms is None
        else f" {from_ms:g} to {to_ms:g} ms asks for {from_ms / to_ms:.3g} times the speed."
    )
    if best:
        card, taken = min(best, key=lambda pair: (-(pair[1].kept_percent or 0.0), pair[1].step_seconds))
        kept = f", keeping {taken.kept_percent:.1f} % at worst" if taken.kept_percent is not None else ""
        return (
            f"{shape.name}: take {_name(taken)} on {card.name}: at most "
            f"{base.step_seconds / taken.step_seconds:.2f} times the speed{kept}.{wish}"
        )
    every = [choice for _, made in rows for choice in made]
    fastest = min(
        (c for c in every if not any("Tensor Cores" in why or "do not fit" in why for why in c.why_not)),
        key=lambda choice: choice.step_seconds,
        default=None,
    )
    if fastest is None:
        return f"{shape.name}: nothing fits; take more cards or a smaller model.{wish}"
    return (
        f"{shape.name}: no way of quantizing does it alone.{wish} {_name(fastest)} comes nearest with at most "
        f"{base.step_seconds / fastest.step_seconds:.2f} times: {'; '.join(fastest.why_not) or 'see the table'}."
    )
