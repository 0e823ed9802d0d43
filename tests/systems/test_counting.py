"""Counts against publishers' totals, published formulas and a count by another road."""

from __future__ import annotations

import pytest

from burnin.systems.counting import count, forward_flops, mean_context

from .shapes import catalog, model

EXACT = {
    # Sums of the configurations, with norms, as the publishers' checkpoints hold them.
    "llama-3.1-8b": 8_030_261_248,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.1-405b": 405_853_388_800,
    "llama-2-7b": 6_738_415_616,
    "mistral-7b-v0.1": 7_241_732_096,
    "qwen3-8b": 8_190_726_144,
    "mixtral-8x7b": 46_702_792_704,
    "qwen3-235b-a22b": 235_093_610_496,
}


@pytest.mark.parametrize(("name", "params"), EXACT.items())
def test_totals_equal_the_checkpoints(name: str, params: int) -> None:
    assert count(model(name)).total == params


def test_every_model_comes_within_a_percent_and_a_half_of_its_publishers_count() -> None:
    for entry in catalog().models.values():
        assert entry.published_params is not None
        assert count(entry).total == pytest.approx(entry.published_params, rel=0.015), entry.id


@pytest.mark.parametrize("name", ["gpt-3-175b", "mt-nlg-530b", "megatron-1t"])
def test_gpt_totals_equal_megatrons_formula(name: str) -> None:
    """arXiv 2104.04473, equation 2: P = 12 l h^2 (1 + 13/(12 h) + (V + s)/(12 l h))."""
    m = model(name)
    l, h, v, s = m.layers, m.hidden, m.vocab, m.learned_positions  # noqa: E741
    formula = 12 * l * h**2 * (1 + 13 / (12 * h) + (v + s) / (12 * l * h))
    assert count(m).total == pytest.approx(formula, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "active"), [("mixtral-8x7b", 12.88e9), ("qwen3-235b-a22b", 22.19e9), ("deepseek-v3", 37.5e9)]
)
def test_active_parameters_of_mixtures(name: str, active: float) -> None:
    assert count(model(name)).active == pytest.approx(active, rel=0.01)


@pytest.mark.parametrize("name", ["gpt-3-175b", "mt-nlg-530b", "megatron-1t"])
def test_forward_operations_equal_megatrons_formula(name: str) -> None:
    """Equation 3 counts four passes: 96 B s l h^2 (1 + s/(6 h) + V/(16 l h)), and three of them for the output layer."""
    m, s = model(name), 2048
    l, h, v = m.layers, m.hidden, m.vocab  # noqa: E741
    published = 96 * l * h**2 * (1 + s / (6 * h) + v / (16 * l * h))
    whole = forward_flops(count(m), s, causal=False)
    output_layer = 2 * v * h
    assert 4 * (whole - output_layer) + 3 * output_layer == pytest.approx(published, rel=1e-12)


def test_causal_attention_does_half_the_work_and_a_window_bounds_it() -> None:
    assert mean_context(4096, 0) == 2048
    by_hand = sum(min(i + 0.5, 128) for i in range(4096)) / 4096
    assert mean_context(4096, 128) == pytest.approx(by_hand, rel=1e-3)
    assert mean_context(64, 128) == mean_context(64, 0)


@pytest.mark.parametrize(
    ("name", "sequence", "published_gflop"),
    [
        # Model TFLOP/s over tokens/s of the same run: Megatron Bridge performance summary, archive.
        ("llama-3.1-70b", 8192, 1892e3 / 4224),
        ("llama-3.1-405b", 8192, 2129e3 / 843),
        ("qwen3-30b-a3b", 4096, 937e3 / 40960),
        ("qwen3-235b-a22b", 4096, 1333e3 / 9008),
        ("deepseek-v3", 4096, 1280e3 / 4928),
        ("kimi-k2", 4096, 1099e3 / 5372),
        ("gpt-oss-120b", 4096, 661e3 / 20288),
    ],
)
def test_training_operations_a_token_are_those_that_published_runs_state(
    name: str, sequence: int, published_gflop: float
) -> None:
    ours = 3 * forward_flops(count(model(name)), sequence) / 1e9
    assert ours == pytest.approx(published_gflop, rel=0.03)
