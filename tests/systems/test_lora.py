"""Adapters against the papers' counts."""

from __future__ import annotations

import pytest

from burnin.systems.lora import BASES, adapter_params, adapters

from .shapes import model


def test_gpt_3_with_rank_4_on_query_and_value_trains_the_papers_parameters() -> None:
    """LoRA, arXiv 2106.09685, table 4: 4.7M is r_v = 2 and 37.7M r_q = r_v = 8 on GPT-3 175B."""
    assert adapter_params(model("gpt-3-175b"), 8, ("q", "v")) == pytest.approx(37.7e6, rel=0.002)
    assert adapter_params(model("gpt-3-175b"), 2, ("v",)) == pytest.approx(4.7e6, rel=0.01)


def test_double_quantization_takes_the_papers_bits() -> None:
    """QLoRA, section 3: 0.5 bits of constants become 0.127."""
    assert BASES["nf4"][0] * 8 == 4.5
    assert BASES["nf4-double"][0] * 8 == pytest.approx(4.127, abs=5e-4)


def test_a_65b_model_fits_48_gb_only_quantised() -> None:
    """QLoRA, abstract: from more than 780 GB to less than 48 GB."""
    quantised = adapters(model("llama-1-65b"), rank=64, targets=("q", "k", "v", "o"), base="nf4-double")
    assert quantised.bytes_total < 48e9
    assert adapters(model("llama-1-65b"), rank=64, base="bf16").bytes_total > 130e9


def test_a_grouped_model_counts_its_narrow_keys() -> None:
    llama = model("llama-3.1-8b")
    assert adapter_params(llama, 16, ("k",)) == 32 * 16 * (4096 + 1024)
    with pytest.raises(ValueError, match="no projection 'w'"):
        adapter_params(llama, 16, ("w",))
