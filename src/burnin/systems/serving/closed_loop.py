"""What requests of one length see in a steady state, in closed form; numbers or arrays of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.systems.serving.coefficients import ServingCoefficients
from burnin.systems.serving.costs import Work, step_costs
from burnin.systems.serving.step_time import StepCosts, step_seconds

Array = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """Seconds to the first token, seconds an output token after it, output tokens a second."""

    first_s: Any
    token_s: Any
    output_tokens_s: Any
    running: Any


def decode_step(w: Work, k: ServingCoefficients, requests: Array, context: Array) -> Array:
    """Return seconds of a pure decode step of ``requests`` at ``context`` tokens each."""
    costs = step_costs(w, k, requests)
    return step_seconds(costs, decode_requests=requests, kv_tokens=requests * context)


def marginal_prompt(costs: StepCosts, prompt: Array) -> Array:
    """Return seconds that one more prompt adds to steps that run anyhow."""
    return (
        costs.per_prefill_token_s * prompt
        + costs.per_prefill_pair_s * prompt * prompt / 2
        + costs.per_request_s
    )


def single_prompt(w: Work, k: ServingCoefficients, prompt: Array, batch: Array = 1) -> Array:
    """Return seconds of one step over the whole prompts of ``batch`` requests, nothing else running."""
    costs = step_costs(w, k, prompt * batch)
    return step_seconds(
        costs,
        prefill_tokens=prompt * batch,
        prefill_pairs=batch * prompt * prompt / 2,
        prefill_requests=batch,
    )


def steady(w: Work, k: ServingCoefficients, *, running: Array, prompt: Array, output: Array) -> Array:
    """Return seconds from one output token to the next with ``running`` requests always in flight.

    In ``output`` steps each request is replaced once, so a step carries on average
    ``running / output`` prompts beside its decoding requests (Sarathi-Serve, Agrawal et
    al., OSDI 2024, section 4: chunks ride on decode steps).
    """
    prompts = running / output
    costs = step_costs(w, k, running + prompts * prompt)
    return step_seconds(
        costs,
        prefill_tokens=prompts * prompt,
        prefill_pairs=prompts * prompt * prompt / 2,
        prefill_requests=prompts,
        decode_requests=running,
        kv_tokens=running * (prompt + output / 2),
    )


def closed_loop(
    w: Work,
    k: ServingCoefficients,
    *,
    clients: Array,
    prompt: Array,
    output: Array,
    max_requests: Array,
    reserved: Array = 1.0,
) -> Steady:
    """Return what ``clients`` see that each send the next request when the last one is done.

    As many run as memory and the engine's limit take, with ``reserved`` of the output's
    tokens set aside for each (1 where the engine admits only what surely fits, 1/2 where
    pages are taken as tokens come); the others wait, and by Little's
    law (Operations Research 9(3), 1961) clients = throughput x (wait + service). Clients
    in lockstep send their prompts at once: a prompt then waits for half of the others,
    and the decoding that follows is disturbed less.
    """
    fits = np.maximum(w.kv_capacity / (prompt + reserved * output), 1.0)
    running = np.minimum(np.minimum(clients, max_requests), fits)
    mixed = steady(w, k, running=running, prompt=prompt, output=output)
    pure = decode_step(w, k, running, prompt + output / 2)
    between = pure + (mixed - pure) * (1 - k.lockstep / 2)
    alone = single_prompt(w, k, prompt)
    marginal = marginal_prompt(step_costs(w, k, prompt), prompt)
    together = k.lockstep * (running - 1) / 2 * marginal
    prefill = k.first_ms * 1e-3 + alone + together + pure * np.minimum(running - 1, 1)
    service = prefill + (output - 1) * between
    waiting = np.maximum(clients / running - 1, 0.0) * output * mixed
    through = np.minimum(clients * output / service, running / mixed)
    return Steady(
        first_s=prefill + waiting,
        token_s=between,
        output_tokens_s=through,
        running=running,
    )


def queued(
    w: Work,
    k: ServingCoefficients,
    *,
    prompt: Array,
    output: Array,
    max_requests: Array,
    reserved: Array = 1.0,
) -> Steady:
    """Return the throughput with every request queued at once: memory or the engine's limit fill the batch."""
    fits = np.maximum(w.kv_capacity / (prompt + reserved * output), 1.0)
    running = np.minimum(max_requests, fits)
    between = steady(w, k, running=running, prompt=prompt, output=output)
    return Steady(first_s=np.nan, token_s=between, output_tokens_s=running / between, running=running)


def static_batch(w: Work, k: ServingCoefficients, *, batch: Array, prompt: Array, output: Array) -> Steady:
    """Return one batch from its prompts to its last token; every sequence runs to the end."""
    first = single_prompt(w, k, prompt, batch)
    token = decode_step(w, k, batch, prompt + output / 2)
    total = first + (output - 1) * token
    return Steady(first_s=first, token_s=token, output_tokens_s=batch * output / total, running=batch)
