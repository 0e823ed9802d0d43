"""Closed forms of a steady state against conservation laws and a published curve."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.systems.serving.closed_loop import closed_loop, queued, single_prompt, static_batch, steady
from burnin.systems.serving.coefficients import ServingCoefficients
from burnin.systems.serving.costs import Setup, step_costs, work
from burnin.systems.serving.engine import engine
from burnin.systems.serving.step_time import run_seconds
from tests.systems.shapes import gpu, model

K = ServingCoefficients(lockstep=0.0)
W = work(
    Setup(
        model=model("llama-3.1-70b"),
        gpu=gpu("h100-sxm5-80gb"),
        engine=engine("nim"),
        weights="fp8",
        tensor=2,
        context=5250,
    )
)


def curve(clients: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    loop = closed_loop(W, K, clients=np.array(clients), prompt=5000.0, output=500.0, max_requests=256.0)
    return loop.first_s, loop.token_s, loop.output_tokens_s


def test_littles_law_once_memory_is_full() -> None:
    clients = np.array([150.0, 200.0, 400.0])
    first, token, rate = curve(list(clients))
    latency = first + 499 * token
    assert np.allclose(clients, rate / 500 * latency, rtol=0.02)
    assert rate[0] == rate[2]
    assert token[0] == token[2]
    # The published curve adds 26.9 s to the first token for 50 clients more: 50 x 500 tokens / 920.5 a second.
    assert (first[1] - first[0]) == pytest.approx(50 * 500 / rate[0], rel=1e-6)


def test_knee_stands_between_the_published_steps() -> None:
    """NIM 1.8 serves 50 clients without a queue and queues 100 (first token 0.8 s, then 8 s)."""
    first, _, rate = curve([25, 50, 100])
    assert first[1] < 2.5
    assert first[2] > 4 * first[1]
    assert rate[2] < 1.6 * rate[1]


def test_more_clients_wait_longer_and_serve_more() -> None:
    first, token, rate = curve([1, 2, 4, 8, 16, 32, 64, 85])
    for values in (first, token, rate):
        assert (np.diff(values) >= 0).all()


def test_a_long_prompt_costs_its_pairs() -> None:
    costs = step_costs(W, K, 8000)
    by_hand = (
        costs.fixed_s
        + costs.per_request_s
        + costs.weights_s
        + costs.per_prefill_token_s * 8000
        + costs.per_prefill_pair_s * 32e6
    )
    assert single_prompt(W, K, 8000) == pytest.approx(by_hand)


def test_a_static_batch_is_a_prefill_and_a_run_of_decode_steps() -> None:
    batch = static_batch(W, K, batch=16, prompt=1000, output=401)
    costs = step_costs(W, K, 16)
    decode = run_seconds(costs, steps=400, decode_requests=16, kv_tokens=16 * 1000)
    seconds = float(batch.first_s) + decode
    assert batch.output_tokens_s == pytest.approx(16 * 401 / seconds, rel=0.005)


def test_queued_requests_fill_memory_and_conserve_tokens() -> None:
    full = queued(W, K, prompt=2000.0, output=1000.0, max_requests=10_000.0)
    assert full.running == pytest.approx(W.kv_capacity / 3000)
    assert full.output_tokens_s * full.token_s == pytest.approx(full.running)
    capped = queued(W, K, prompt=2000.0, output=1000.0, max_requests=8.0)
    assert capped.running == 8
    assert capped.output_tokens_s < full.output_tokens_s
    on_demand = queued(W, K, prompt=2000.0, output=1000.0, max_requests=10_000.0, reserved=0.5)
    assert on_demand.running == pytest.approx(W.kv_capacity / 2500)


def test_prompts_ride_on_decode_steps() -> None:
    """With no prompts to speak of, the steady state is a decode step at the mean context."""
    costs = step_costs(W, K, 32)
    mixed = steady(W, K, running=32, prompt=1, output=100_000)
    assert mixed == pytest.approx(
        float(run_seconds(costs, steps=1, decode_requests=32, kv_tokens=32 * 50_001)), rel=1e-3
    )


def test_lockstep_shifts_waiting_from_tokens_to_the_first() -> None:
    spread, together = (
        closed_loop(
            W,
            ServingCoefficients(lockstep=s),
            clients=32.0,
            prompt=2000.0,
            output=200.0,
            max_requests=256.0,
        )
        for s in (0.0, 1.0)
    )
    assert together.first_s > spread.first_s
    assert together.token_s < spread.token_s
