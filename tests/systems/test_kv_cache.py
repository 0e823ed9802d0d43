"""Cache sizes against published figures, and pages against a count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.kv_cache import bytes_per_token, kv_cache

from .shapes import model


@pytest.mark.parametrize(
    ("name", "precision", "size"),
    [
        ("opt-13b", "fp16", 819_200),  # vLLM, arXiv 2309.06180, section 3: 800 KB a token
        ("llama-3.1-8b", "bf16", 131_072),
        ("llama-3.1-70b", "fp16", 327_680),
        ("llama-3.1-70b", "fp8", 163_840),
        ("llama-2-7b", "fp16", 524_288),
        ("gpt-3-175b", "fp16", 4_718_592),
        ("falcon-7b", "fp16", 2 * 32 * 64 * 2),  # one KV head
        ("deepseek-v3", "bf16", 61 * 576 * 2),  # a latent of 512 and a rotary key of 64
    ],
)
def test_bytes_a_token(name: str, precision: str, size: int) -> None:
    assert bytes_per_token(model(name), precision) == size


def test_heads_are_stored_again_when_ranks_outnumber_them_and_latents_always() -> None:
    assert bytes_per_token(model("llama-3.1-70b"), tensor=8) == 327_680 / 8
    assert bytes_per_token(model("llama-3.1-70b"), tensor=16) == 327_680 / 8
    assert bytes_per_token(model("deepseek-v3"), tensor=8) == bytes_per_token(model("deepseek-v3"))


def test_a_window_bounds_its_layers_and_leaves_the_others() -> None:
    gemma = model("gemma-3-27b")
    long = kv_cache(gemma, tokens=100_000, batch=1)
    each = 2 * 16 * 128 * 2
    assert long.bytes_used == each * (10 * 100_000 + 52 * 1024)
    mistral = model("mistral-7b-v0.1")
    assert (
        kv_cache(mistral, tokens=50_000, batch=3).bytes_used
        == kv_cache(mistral, tokens=4096, batch=3).bytes_used
    )


@given(tokens=st.integers(0, 5000), batch=st.integers(0, 9), block=st.sampled_from([1, 16, 64, 128]))
def test_paging_wastes_less_than_a_block_a_sequence(tokens: int, batch: int, block: int) -> None:
    cache = kv_cache(model("llama-3.1-8b"), tokens=tokens, batch=batch, block=block)
    assert cache.bytes_used == batch * tokens * 131_072
    assert 0 <= cache.bytes_total - cache.bytes_used < max(batch, 1) * block * 131_072
    assert cache.bytes_total == sum(t.value for t in cache.terms)


def test_reserving_the_maximum_length_wastes_what_the_paper_found() -> None:
    """OPT-13B reserves up to 1.6 GB for a request of 2,048 tokens (arXiv 2309.06180, section 3)."""
    cache = kv_cache(model("opt-13b"), tokens=500, batch=1, precision="fp16", block=0, reserve=2048)
    assert cache.bytes_total == pytest.approx(1.6e9, rel=0.05)
    assert cache.waste == pytest.approx(1 - 500 / 2048)


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="no precision 'fp7'"):
        kv_cache(model("opt-13b"), tokens=1, batch=1, precision="fp7")
    with pytest.raises(ValueError, match="negative"):
        kv_cache(model("opt-13b"), tokens=-1, batch=1)
