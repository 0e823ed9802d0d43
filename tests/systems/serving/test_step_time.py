from dataclasses import replace
from typing import Any

import pytest

from burnin.systems.serving.step_time import StepCosts, prefill_pairs, run_seconds, step_seconds

COSTS = StepCosts(
    fixed_s=0.002,
    per_request_s=1e-5,
    per_prefill_token_s=2e-5,
    per_prefill_pair_s=1e-10,
    per_decode_token_s=3e-5,
    weights_s=0.005,
    per_kv_token_s=4e-8,
)


def test_each_term_counts_once() -> None:
    seconds = step_seconds(
        COSTS,
        prefill_tokens=512,
        prefill_pairs=prefill_pairs(512, 1024),
        prefill_requests=1,
        decode_requests=10,
        kv_tokens=20_000,
    )
    compute = 2e-5 * 512 + 3e-5 * 10
    assert seconds == pytest.approx(0.002 + 11e-5 + compute + 1e-10 * 512 * 1280 + 4e-8 * 20_000)


@pytest.mark.parametrize(("overlap", "bound"), [("max", 0.005), ("sum", 0.0053)])
def test_weights_hide_compute_or_not(overlap: Any, bound: float) -> None:
    costs = replace(COSTS, overlap=overlap, fixed_s=0.0, per_request_s=0.0)
    assert step_seconds(costs, decode_requests=10) == pytest.approx(bound)


def test_a_run_is_the_sum_of_its_steps() -> None:
    one_by_one = sum(step_seconds(COSTS, decode_requests=7, kv_tokens=3000 + 7 * step) for step in range(200))
    assert run_seconds(COSTS, steps=200, decode_requests=7, kv_tokens=3000) == pytest.approx(one_by_one)


def test_chunks_look_at_the_pairs_of_the_whole_prompt() -> None:
    chunks = sum(prefill_pairs(256, before) for before in range(0, 2048, 256))
    assert chunks == prefill_pairs(2048, 0) == 2048 * 1024
