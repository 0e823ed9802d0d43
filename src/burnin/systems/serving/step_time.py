"""Seconds of one engine step: the form that the closed formulas and the event simulation share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Overlap = Literal["max", "sum"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCosts:
    """What a step of one engine replica costs, in seconds unless named otherwise.

    >>> costs = StepCosts(fixed_s=0.002, per_request_s=1e-5, per_prefill_token_s=2e-5,
    ...     per_prefill_pair_s=1e-10, per_decode_token_s=2e-5, weights_s=0.005, per_kv_token_s=4e-8)
    >>> round(step_seconds(costs, decode_requests=1, kv_tokens=1000), 5)
    0.00705

    ``fixed_s`` is paid by every step (host, launches, collectives' latency),
    ``per_request_s`` by every request in it, decoding or with a chunk of prompt.
    ``weights_s`` streams the weights once. ``per_prefill_token_s`` and
    ``per_decode_token_s`` compute one token's linear layers. ``per_prefill_pair_s`` is
    attention of one prompt token to one token before it, ``per_kv_token_s`` reads one
    token of context for a decoding request.

    ``overlap`` says how the weight stream and the linear layers' compute share time:
    ``max`` where loads hide behind compute, as a roofline assumes (Williams, Waterman
    and Patterson, CACM 52(4), 2009), ``sum`` where they do not.

    All numbers may be arrays of one shape, an entry a case.
    """

    fixed_s: Any
    per_request_s: Any
    per_prefill_token_s: Any
    per_prefill_pair_s: Any
    per_decode_token_s: Any
    weights_s: Any
    per_kv_token_s: Any
    overlap: Overlap = "max"


def prefill_pairs(chunk_tokens: Any, context_before: Any) -> Any:
    """Return token pairs that causal attention of one chunk looks at: chunk x (before + chunk / 2).

    >>> prefill_pairs(512, 1024)
    655360.0

    Chunks of one prompt add up to the pairs of the whole prompt.
    """
    return chunk_tokens * (context_before + chunk_tokens / 2)


def step_seconds(
    costs: StepCosts,
    *,
    prefill_tokens: Any = 0,
    prefill_pairs: Any = 0,
    prefill_requests: Any = 0,
    decode_requests: Any = 0,
    kv_tokens: Any = 0,
) -> Any:
    """Return seconds of one step; numbers, or arrays of them.

    ``kv_tokens`` is the context of all decoding requests together. A step is linear in
    it, so a run of identical steps with growing contexts sums in closed form: see
    ``run_seconds``.
    """
    linear = costs.per_prefill_token_s * prefill_tokens + costs.per_decode_token_s * decode_requests
    streamed = costs.weights_s
    bound = linear + streamed if costs.overlap == "sum" else np.maximum(linear, streamed)
    return (
        costs.fixed_s
        + costs.per_request_s * (prefill_requests + decode_requests)
        + bound
        + costs.per_prefill_pair_s * prefill_pairs
        + costs.per_kv_token_s * kv_tokens
    )


def run_seconds(costs: StepCosts, *, steps: Any, decode_requests: Any, kv_tokens: Any) -> Any:
    """Return seconds of ``steps`` pure decode steps in a row, each request one token longer after each.

    >>> # equals the sum of step_seconds over kv_tokens, kv_tokens + n, kv_tokens + 2 n ...

    ``kv_tokens`` is the context of all requests in the first step.
    """
    first = step_seconds(costs, decode_requests=decode_requests, kv_tokens=kv_tokens)
    return steps * first + costs.per_kv_token_s * decode_requests * steps * (steps - 1) / 2
