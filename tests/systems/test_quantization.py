"""Quantization: bytes against published sizes, the roof against sums on paper, verdicts against their reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.quantization import Load, alike, choose, judge, weight_bytes

from .shapes import catalog, gpu, model

METHODS = tuple(catalog().methods)
LOAD = Load(batch=1, context=2048, tensor=2)


def test_bits_a_weight_count_the_scales() -> None:
    """NVFP4: a block of 16 values shares an FP8 scale; AWQ: 128 weights share a 16-bit one."""
    bits = {name: method.bits for name, method in catalog().methods.items()}
    assert bits["nvfp4"] == 4.5
    assert bits["int4-awq"] == 4.125
    assert (bits["bf16"], bits["fp8"], bits["int8-smoothquant"]) == (16, 8, 8)


def test_a_70b_checkpoint_in_nvfp4_has_the_published_size() -> None:
    """A public NVFP4 checkpoint of Llama 3.3 70B with a 16-bit output layer is about 40 GB, from about 141 GB."""
    shape = model("llama-3.1-70b")
    assert sum(weight_bytes(shape, 16)) == pytest.approx(141e9, rel=0.01)
    assert sum(weight_bytes(shape, catalog().methods["nvfp4"].bits)) == pytest.approx(42e9, rel=0.05)


def test_the_step_of_a_dense_model_by_hand() -> None:
    """Llama 3.1 70B, two H100: all matrices and the output layer over 3.35 TB/s each, and the cache."""
    made = judge(model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), catalog().methods["fp8"], LOAD, ())
    layer = 8192 * (8192 * 2 + 1024 * 2 + 3 * 28672)
    read = (80 * layer * 1 + 2 * 8192 * 128256) / 2 + 2048 * 80 * 2 * 4 * 128 * 2
    assert made.step_seconds == pytest.approx(read / 3.35e12, rel=1e-3)
    assert made.bound == "memory"


@given(st.sampled_from(METHODS), st.integers(1, 4096), st.sampled_from(("llama-3.1-8b", "mixtral-8x7b")))
def test_more_sequences_never_make_a_step_shorter(method: str, batch: int, name: str) -> None:
    def step(count: int) -> float:
        load = Load(batch=count, context=1000)
        return judge(model(name), gpu("b200-sxm"), catalog().methods[method], load, ()).step_seconds

    assert step(batch) <= step(batch + 1)


def test_four_bits_win_at_batch_one_and_eight_bit_products_at_a_large_batch() -> None:
    """The rule of NVIDIA's guide: weight-only up to about 4, weights and activations from about 16 on."""
    shape, card = model("llama-3.1-8b"), gpu("h100-sxm5-80gb")

    def step(method: str, batch: int) -> float:
        return judge(shape, card, catalog().methods[method], Load(batch=batch, context=128), ()).step_seconds

    assert step("int4-awq", 1) < step("fp8", 1)
    assert step("fp8", 1024) < step("int4-awq", 1024)


def test_each_reason_against_is_told() -> None:
    shape, published = model("llama-3.1-70b"), catalog().accuracy.values()
    awq, fp8, nvfp4 = (catalog().methods[name] for name in ("int4-awq", "fp8", "nvfp4"))
    on_a100 = judge(shape, gpu("a100-sxm4-80gb"), fp8, LOAD, published)
    assert on_a100.why_not == ("A100 SXM4 80 GB has no FP8 Tensor Cores",)
    alone = judge(shape, gpu("l40s"), fp8, replace(LOAD, tensor=1), published)
    assert "do not fit into" in alone.why_not[0]
    slow = judge(shape, gpu("h100-sxm5-80gb"), awq, LOAD, published, slower_than=1e-3)
    assert slow.why_not[0].startswith("too slow: the memory roof is")
    strict = judge(shape, gpu("h100-sxm5-80gb"), awq, LOAD, published, keep_percent=99)
    assert strict.why_not == ("a model of this size kept 98.7 % at worst",)
    unknown = judge(shape, gpu("b200-sxm"), nvfp4, LOAD, published, keep_percent=95)
    assert unknown.why_not == ("no accuracy was published for a model of this size",)


def test_like_models_speak_for_a_model_and_others_do_not() -> None:
    names = {entry.model for entry in alike(catalog().accuracy.values(), "int4-awq", 70.6)}
    assert names == {"Falcon-40B", "Llama 2 70B", "Llama 3 70B"}


def test_who_stands_and_keeps_most_is_taken_and_then_the_fastest() -> None:
    shape, card, published = model("llama-3.1-70b"), gpu("b200-sxm"), catalog().accuracy.values()
    made = [
        judge(shape, card, method, LOAD, published, keep_percent=95) for method in catalog().methods.values()
    ]
    taken = choose(made)
    assert taken is not None
    assert taken.stands
    # Nothing keeps more than 16 bits; what is within half a point of that and faster would be taken.
    near = [one for one in made if one.stands and (one.kept_percent or 0) >= 99.5]
    assert taken.step_seconds == min(one.step_seconds for one in near)
    assert choose([judge(shape, card, catalog().methods["nvfp4"], LOAD, published, keep_percent=99)]) is None


def test_a_load_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Load(batch=0, context=1)
