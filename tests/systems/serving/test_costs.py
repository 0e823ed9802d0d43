"""Costs of a serving step against sums by hand, limits, and simulation of routing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.serving.bars import replica
from burnin.systems.serving.coefficients import BOUNDS, NAMES, ServingCoefficients, serving_coefficients
from burnin.systems.serving.costs import CannotServe, Setup, distinct_experts, step_costs, work
from burnin.systems.serving.engine import engine
from burnin.systems.serving.step_time import step_seconds
from tests.systems.shapes import gpu, model


def setup(name: str = "llama-3.1-70b", card: str = "h100-sxm5-80gb", **more: object) -> Setup:
    given = {"weights": "fp8", "tensor": 2, **more}
    return Setup(model=model(name), gpu=gpu(card), engine=engine("vllm"), **given)  # type: ignore[arg-type]


def test_bytes_and_operations_of_llama_70b_by_hand() -> None:
    w = work(setup())
    attention = 80 * (2 * 8192 * 8192 + 2 * 8192 * 1024)
    mlp = 80 * 3 * 8192 * 28672
    head = 128256 * 8192
    assert w.shared_bytes == (attention + mlp) / 2 + 2 * head / 2
    assert w.shared_flops == attention + mlp
    assert w.kv_bytes == 80 * 2 * 4 * 128 * 2  # four of eight KV heads a rank, 16 bits
    assert w.pair_flops == 2 * 80 * 64 * 2 * 128 / 2
    assert w.reduces == 160
    assert w.reduce_bytes == 160 * 2 * (1 / 2) * 8192 * 2
    assert w.expert_bytes == 0


def test_cache_is_what_weights_and_workspace_leave() -> None:
    shape = setup()
    weights = (80 * (2 * 8192 * 8192 + 2 * 8192 * 1024 + 3 * 8192 * 28672) + 2 * 2 * 128256 * 8192) / 2
    room = 0.9 * gpu("h100-sxm5-80gb").memory_bytes - weights - 2 * 2**30
    assert replica(shape).kv_capacity_tokens == int(room / (80 * 2 * 4 * 128 * 2))


def test_no_step_beats_the_weight_stream_of_the_data_sheet() -> None:
    perfect = ServingCoefficients(
        **{n: BOUNDS[n][0 if n.endswith(("_us", "_ms")) or n == "lockstep" else 1] for n in NAMES}
    )
    for shape in (setup(), setup("mixtral-8x7b"), setup("gpt-oss-120b", "b200-sxm", weights="fp4")):
        w = work(shape)
        costs = step_costs(w, perfect, 1)
        read = w.shared_bytes + w.expert_bytes * w.experts_active / w.experts
        assert step_seconds(costs, decode_requests=1, kv_tokens=100) >= read / w.memory_s


def test_tensor_parallelism_halves_the_weight_stream_and_keeps_the_launches() -> None:
    two, four = (step_costs(work(setup(tensor=t)), ServingCoefficients()) for t in (2, 4))
    assert two.weights_s == pytest.approx(2 * four.weights_s)
    assert two.fixed_s == four.fixed_s
    assert two.per_kv_token_s == pytest.approx(2 * four.per_kv_token_s)


def test_pipeline_stages_do_not_shorten_a_single_request() -> None:
    one, two = (work(setup(pipeline=p)) for p in (1, 2))
    first, second = (step_costs(w, ServingCoefficients()) for w in (one, two))
    assert first.weights_s == second.weights_s
    assert first.fixed_s == second.fixed_s
    assert second.per_decode_token_s == pytest.approx(first.per_decode_token_s / 2)
    assert two.kv_capacity > 2 * one.kv_capacity  # half the weights, half the layers a card


@pytest.mark.parametrize(("experts", "active", "tokens"), [(8, 2, 3), (128, 8, 16), (128, 4, 64)])
def test_experts_hit_equal_a_simulation_of_uniform_routing(experts: int, active: int, tokens: int) -> None:
    chance = np.random.default_rng(7)
    hits = [
        len({int(e) for _ in range(tokens) for e in chance.choice(experts, active, replace=False)})
        for _ in range(400)
    ]
    assert distinct_experts(experts, active, tokens) == pytest.approx(np.mean(hits), rel=0.02)


def test_four_bits_that_a_card_cannot_compute_in_are_only_stored() -> None:
    hopper, blackwell = setup(weights="fp4"), setup(card="b200-sxm", weights="fp4")
    assert work(hopper).shared_halvings == 0
    assert work(blackwell).shared_halvings == 2
    assert work(hopper).shared_bytes < work(setup()).shared_bytes


def test_sliding_windows_shrink_the_stream_only_where_layers_differ() -> None:
    short, long = (work(setup("gpt-oss-120b", weights="fp4", context=c)).kv_bytes for c in (128, 12800))
    assert short == pytest.approx(long / (18 + 18 / 100) * 36)
    everywhere = work(setup("mistral-7b-v0.1", context=20000)).kv_bytes
    assert everywhere == 32 * 2 * 4 * 128 * 2


def test_setups_that_do_not_exist_are_refused() -> None:
    with pytest.raises(CannotServe, match="no room"):
        replica(setup(tensor=1, weights="bf16"))
    with pytest.raises(CannotServe, match="state-space"):
        work(setup("nemotron-3-nano"))
    with pytest.raises(CannotServe, match="at least 1"):
        work(setup(tensor=0))
    with pytest.raises(ValueError, match="requests"):
        replica(setup(), requests=0)


def test_bars_add_up_to_the_step() -> None:
    found = replica(setup(), requests=32, context=2000)
    step = step_seconds(found.costs, decode_requests=32, kv_tokens=64000)
    assert sum(term.value for term in found.terms) == pytest.approx(step)
    assert found.why.startswith("weight stream")


@given(
    st.floats(1, 512),
    st.floats(16, 30000),
    st.sampled_from(["h100-sxm5-80gb", "l40s", "b200-sxm", "a100-pcie-80gb"]),
)
def test_steps_grow_with_requests_and_context(requests: float, context: float, card: str) -> None:
    w = work(setup("mixtral-8x7b", card, weights="bf16", tensor=4))
    now, more, longer = (
        step_seconds(step_costs(w, ServingCoefficients(), n), decode_requests=n, kv_tokens=n * c)
        for n, c in ((requests, context), (requests + 1, context), (requests, context + 1))
    )
    assert now < more
    assert now < longer


def test_eager_launches_cost_more() -> None:
    graphs, eager = (work(setup(cuda_graphs=on)).kernels for on in (True, False))
    assert eager == 4 * graphs


def test_coefficients_out_of_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="out of"):
        serving_coefficients({"weights": 1.2})
    with pytest.raises(ValueError, match="no coefficient"):
        serving_coefficients({"speed": 1.0})
    assert serving_coefficients({"kv": 0.5}) == replace(ServingCoefficients(), kv=0.5)
    assert len(NAMES) == 12


def test_engines_by_any_spelling() -> None:
    assert engine("TensorRT-LLM", "1.2.0rc6.post1").id == "trtllm-1.2"
    assert engine("vLLM", "").id == "vllm"
    with pytest.raises(ValueError, match="no engine"):
        engine("abacus")
