"""Rooflines at their ridge, and kernels against a count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.roofline import attainable, layer_roofline, ridge

from .shapes import gpu, model

H100 = "h100-sxm5-80gb"


def test_the_h100_turns_at_295_operations_a_byte() -> None:
    assert ridge(989, 3350) == pytest.approx(295, abs=0.5)


@given(intensity=st.floats(1e-3, 1e5))
def test_below_the_ridge_memory_and_above_it_the_peak(intensity: float) -> None:
    reach = attainable(intensity, 989, 3350)
    assert reach <= 989
    assert reach == pytest.approx(min(989, intensity * 3.35))


def test_decoding_one_sequence_streams_its_weights() -> None:
    points = {p.name: p for p in layer_roofline(model("llama-3.1-8b"), gpu(H100), tokens=1, context=1024)}
    assert all(p.bound == "memory" for p in points.values())
    up = points["up"]
    assert up.bytes_moved == 2 * (4096 * 14336 + 4096 + 14336)
    assert up.seconds == pytest.approx(up.bytes_moved / 3350e9)
    cache = points["attention"]
    assert cache.bytes_moved == 2 * (1024 * 2 * 8 * 128 + 2 * 4096)


def test_a_long_prefill_is_compute_bound_and_a_batch_crosses_the_ridge() -> None:
    prefill = layer_roofline(model("llama-3.1-8b"), gpu(H100), tokens=4096, context=4096)
    assert all(p.bound == "compute" for p in prefill if p.name != "attention")
    small, large = (
        {
            p.name: p.bound
            for p in layer_roofline(model("llama-3.1-70b"), gpu(H100), tokens=1, context=512, batch=b)
        }
        for b in (64, 512)
    )
    assert small["up"] == "memory"
    assert large["up"] == "compute"
    # Grouped queries share a cache: attention stays below the ridge at any batch.
    assert large["attention"] == "memory"


def test_the_experts_of_a_small_batch_are_read_once_each() -> None:
    points = {
        p.name: p for p in layer_roofline(model("mixtral-8x7b"), gpu(H100), tokens=1, context=64, batch=1)
    }
    assert points["experts"].flops == 2 * 2 * 3 * 4096 * 14336


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="has no fp4 peak"):
        layer_roofline(model("llama-3.1-8b"), gpu(H100), tokens=1, context=1, precision="fp4")
    with pytest.raises(ValueError, match="no less than tokens"):
        layer_roofline(model("llama-3.1-8b"), gpu(H100), tokens=8, context=4)
