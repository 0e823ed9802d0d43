"""A serving step: what it costs on a card and engine, what clients see, and how many fit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate.names import gpu_of, model_of
from burnin.app.simulate.plain import plain_terms
from burnin.app.simulate.predicting.serving_case import ServingCase as Case
from burnin.app.simulate.predicting.serving_case import prepare_serving, serving_fitted
from burnin.catalog import Catalog
from burnin.systems.precision import BYTES
from burnin.systems.serving.bars import replica
from burnin.systems.serving.costs import CannotServe, Setup
from burnin.systems.serving.engine import engine as engine_of


def serve_step(
    catalog: Catalog,
    *,
    model: str,
    gpu: str,
    engine: str = "vllm",
    version: str = "",
    precision: str = "bf16",
    kv: str = "",
    tensor: int = 1,
    pipeline: int = 1,
    attention_data: int = 1,
    expert_parallel: int = 1,
    clients: int = 16,
    prompt: int = 1024,
    output: int = 256,
    cuda_graphs: bool = True,
) -> dict[str, Any]:
    """Return a decode step's bars, the cache's tokens, and what ``clients`` in a closed loop see.

    BadRequest for names and numbers that do not work, and for weights that leave no room.
    """
    for name in filter(None, (precision, kv)):
        if name not in BYTES:
            raise BadRequest(f"no precision {name!r}; known: {', '.join(BYTES)}")
    shape, card = model_of(catalog, model), gpu_of(catalog, gpu)
    try:
        served_by = engine_of(engine, version)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    ranks = tensor * attention_data
    if ranks % expert_parallel:
        raise BadRequest(f"{ranks} cards of a stage do not divide into {expert_parallel} groups of experts")
    setup = Setup(
        model=shape,
        gpu=card,
        engine=served_by,
        weights=precision,
        kv=kv,
        tensor=tensor,
        pipeline=pipeline,
        attention_data=attention_data,
        expert_tensor=ranks // expert_parallel,
        expert_parallel=expert_parallel,
        nvlink_domain=next((c.nvlink_domain for c in catalog.clusters.values() if c.gpu == card.id), 8),
        context=prompt + output / 2,
        cuda_graphs=cuda_graphs,
    )
    fitted = serving_fitted(catalog, card, served_by)
    loop, full = (
        Case(setup=setup, kind="closed", prompt=prompt, output=output, load=clients),
        Case(setup=setup, kind="queued", prompt=prompt, output=output),
    )
    try:
        found = replica(setup, fitted, requests=clients)
        metrics = prepare_serving([loop, full]).metrics(fitted)
    except CannotServe as error:
        raise BadRequest(str(error)) from error
    if found.kv_capacity_tokens < prompt + output:
        raise BadRequest(
            f"the cache holds {found.kv_capacity_tokens} tokens: not one request of {prompt} + {output}"
        )
    seen = {name: float(metrics[name][0]) for name in ("ttft_ms", "tpot_ms", "out_tok_s")}
    most = float(metrics["out_tok_s"][1])
    return {
        "model": shape.id,
        "gpu": card.id,
        "engine": served_by.id,
        "cards": ranks * pipeline,
        "kv": setup.kv_format,
        "kv_capacity_tokens": found.kv_capacity_tokens,
        "costs": {
            name: value if isinstance(value, str) else float(value)
            for name, value in asdict(found.costs).items()
        },
        "terms": plain_terms(found.terms),
        "step_ms": 1e3 * sum(term.value for term in found.terms),
        **seen,
        "max_out_tok_s": most,
        "coefficients": {name: float(value) for name, value in asdict(fitted).items()},
        "why": found.why,
        "answer": f"{clients} clients see the first token after {seen['ttft_ms']:.4g} ms and one more every "
        f"{seen['tpot_ms']:.4g} ms. Together {seen['out_tok_s']:.4g} tokens/s; at most {most:.4g} "
        f"with all requests queued. {found.why[0].upper()}{found.why[1:]}.",
    }
