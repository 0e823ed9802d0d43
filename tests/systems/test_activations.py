"""Activations against the paper's figures, and stages against the schedule's own count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.activations import in_flight_layers, layer_activations, layer_bytes
from burnin.systems.counting import count

from .shapes import model

GIB = 2**30
FIGURE_1 = [
    # model, micro-batch, t, p, v, none, sequence parallel + selective: arXiv 2205.05198, figure 1, GiB.
    ("megatron-22b", 4, 8, 1, 1, 59.25, 9.5625),
    ("gpt-3-175b", 1, 8, 8, 3, 66.84375, 12.3515625),
    ("mt-nlg-530b", 1, 8, 35, 3, 114.0234375, 23.076171875),
    ("megatron-1t", 1, 8, 64, 1, 131.25, 26.5625),
]


def stage_gib(name: str, b: int, t: int, p: int, v: int, *, sp: bool, recompute: int) -> float:
    counts = count(model(name))
    layer = layer_activations(counts, 2048, dropout=True, flash=False)
    held = in_flight_layers(counts.layers, p, v, 512, 0)
    one = layer_bytes(layer, b * 2048, tensor=t, sequence_parallel=sp, recompute=recompute, flash=False)
    return float(held * one) / GIB


@pytest.mark.parametrize(("name", "b", "t", "p", "v", "none", "both"), FIGURE_1)
def test_figure_1_within_a_thousandth(
    name: str, b: int, t: int, p: int, v: int, none: float, both: float
) -> None:
    assert stage_gib(name, b, t, p, v, sp=False, recompute=0) == pytest.approx(none, rel=1e-3)
    assert stage_gib(name, b, t, p, v, sp=True, recompute=1) == pytest.approx(both, rel=1e-3)


@given(a=st.integers(1, 128), d=st.integers(1, 32), t=st.sampled_from([1, 2, 4, 8]), s=st.integers(1, 8192))
def test_a_gpt_layer_equals_table_2(a: int, d: int, t: int, s: int) -> None:
    """sbh(10 + 24/t + 5as/(ht)), sbh/t(34 + 5as/h), sbh(10 + 24/t), 34 sbh/t and 2 sbh."""
    from dataclasses import replace

    h = a * d * 8
    shape = replace(
        model("gpt-3-175b"), hidden=h, ffn=4 * h, heads=a, kv_heads=a, head_dim=d * 8, learned_positions=s
    )
    layer = layer_activations(count(shape), s, dropout=True, flash=False)

    def per_token(sp: bool, recompute: int) -> float:
        return float(layer_bytes(layer, 1, tensor=t, sequence_parallel=sp, recompute=recompute, flash=False))

    core = 5 * a * s / h
    assert per_token(False, 0) == pytest.approx(h * (10 + 24 / t + core / t))
    assert per_token(True, 0) == pytest.approx(h / t * (34 + core))
    assert per_token(False, 1) == pytest.approx(h * (10 + 24 / t))
    assert per_token(True, 1) == pytest.approx(34 * h / t)
    assert per_token(False, 2) == pytest.approx(2 * h)


@given(p=st.integers(1, 64), v=st.integers(1, 8), m=st.integers(1, 256))
def test_the_first_stage_holds_most_and_never_more_than_all(p: int, v: int, m: int) -> None:
    if v > 1 and m % p:
        m = p * max(1, m // p)
    held = [float(in_flight_layers(96, p, v, m, stage)) for stage in range(p)]
    assert held == sorted(held, reverse=True)
    assert held[0] <= 96 / p * m * (1 + 1e-12)
    if v == 1 and m >= p:
        assert held[0] == pytest.approx(96)
        assert held[-1] == pytest.approx(96 / p)


def test_flash_attention_stores_no_score_matrix() -> None:
    layer = layer_activations(count(model("llama-3.1-8b")), 65536, dropout=False, flash=True)
    assert float(layer.core) == 4 * 32
