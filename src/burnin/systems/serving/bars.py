"""A replica's step as bars: each cost with its formula filled in."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.systems.serving.coefficients import ServingCoefficients
from burnin.systems.serving.costs import CannotServe, Setup, Work, step_costs, work
from burnin.systems.serving.step_time import StepCosts
from burnin.systems.term import Term, show

_ROOF = "Williams, Waterman and Patterson, CACM 52(4), 2009"
_RING = "Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005, section 4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One engine replica: costs of a step, tokens of KV cache, the bars of a decode step, and what binds it."""

    costs: StepCosts
    kv_capacity_tokens: int
    terms: tuple[Term, ...]
    why: str


def replica(
    setup: Setup,
    coefficients: ServingCoefficients | None = None,
    *,
    requests: int = 1,
    context: float | None = None,
) -> Replica:
    """Return what a replica's steps cost and how many tokens its cache holds.

    >>> r = replica(Setup(model=llama_3_1_8b, gpu=h100, engine=engine("vllm")), requests=32)
    >>> r.costs.weights_s, r.kv_capacity_tokens, [term.name for term in r.terms]

    Bars are those of one decode step of ``requests`` at ``context`` tokens each, in
    seconds; ``requests`` also decides how many experts' weights ``costs`` streams.
    Raises CannotServe where ranks do not fit the model or weights leave no room.
    """
    if requests < 1:
        raise ValueError("requests must be at least 1")
    w, k = work(setup), coefficients or ServingCoefficients()
    if w.kv_capacity < 1:
        raise CannotServe(
            f"{setup.model.name} in {setup.weights} leaves no room for a cache on {setup.ranks} x {setup.gpu.name}"
        )
    costs = step_costs(w, k, requests)
    span = setup.context if context is None else context
    terms = _terms(costs, w, k, requests, span)
    longest = max(terms, key=lambda term: term.value)
    return Replica(
        costs=costs,
        kv_capacity_tokens=int(w.kv_capacity),
        terms=terms,
        why=f"{longest.name} takes {100 * longest.value / sum(t.value for t in terms):.0f} % of a decode step",
    )


def _terms(
    costs: StepCosts, w: Work, k: ServingCoefficients, requests: int, context: float
) -> tuple[Term, ...]:
    weights = float(costs.weights_s * w.memory_s * k.weights)
    token = float(costs.per_decode_token_s)
    return (
        Term(
            name="weight stream",
            value=float(costs.weights_s),
            unit="s",
            formula="bytes of weights / (bandwidth x share)",
            filled=f"{show(weights)} / ({show(w.memory_s)} x {show(k.weights)})",
            source=_ROOF,
        ),
        Term(
            name="linear layers",
            value=token * requests,
            unit="s",
            formula="requests x seconds a token",
            filled=f"{requests} x {show(token)}",
            source=_ROOF,
        ),
        Term(
            name="KV stream",
            value=float(costs.per_kv_token_s * requests * context),
            unit="s",
            formula="requests x context x bytes a token / (replicas x stages x bandwidth x share)",
            filled=f"{requests} x {show(context)} x {show(w.kv_bytes)} / "
            f"({w.replicas} x {w.pipeline} x {show(w.memory_s)} x {show(k.kv)})",
            source="keys and values are read once a step; Pope et al., arXiv 2211.05102, section 3.3",
        ),
        Term(
            name="launches",
            value=w.kernels * k.launch_us * 1e-6,
            unit="s",
            formula="kernels x launch",
            filled=f"{show(w.kernels)} x {show(k.launch_us)} us",
        ),
        Term(
            name="collective latency",
            value=w.reduces * k.collective_us * 1e-6,
            unit="s",
            formula="all-reduces x latency",
            filled=f"{show(w.reduces)} x {show(k.collective_us)} us",
            source=_RING,
        ),
        Term(
            name="host work",
            value=requests * k.request_us * 1e-6,
            unit="s",
            formula="requests x host time",
            filled=f"{requests} x {show(k.request_us)} us",
        ),
    )
