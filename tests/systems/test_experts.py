"""Mixtures in round numbers against published sizes and the model counted part by part."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.counting import count
from burnin.systems.experts import distinct_experts, expert_params

from .shapes import model


def test_mixtral_counted_part_by_part_has_the_published_sizes() -> None:
    """arXiv 2401.04088, section 2.1: 47B stored, 13B active."""
    mixtral = model("mixtral-8x7b")
    counts = count(mixtral)
    routed = counts.moe_layers * counts.routed_params
    sizes = expert_params(shared=counts.total - routed, expert=routed / 8, experts=8, active=2)
    assert sizes.stored == pytest.approx(47e9, rel=0.01)
    assert sizes.active == pytest.approx(13e9, rel=0.01)


@given(st.integers(1, 50), st.integers(1, 50), st.sampled_from((8, 16, 64)), st.sampled_from((1, 2, 4, 8)))
def test_all_ranks_together_repeat_only_what_is_shared(
    shared: int, expert: int, experts: int, ranks: int
) -> None:
    sizes = expert_params(shared=shared, expert=expert, experts=experts, active=2, ranks=ranks)
    assert ranks * sizes.rank - sizes.stored == (ranks - 1) * shared
    assert sizes.active < sizes.stored


def test_experts_that_do_not_divide_are_told() -> None:
    with pytest.raises(ValueError, match="8 experts do not divide over 3 ranks"):
        expert_params(shared=1, expert=1, experts=8, active=2, ranks=3)
    with pytest.raises(ValueError, match="active must be from 1 to 8"):
        expert_params(shared=1, expert=1, experts=8, active=9)


def test_distinct_experts_are_those_that_drawing_gives() -> None:
    rng, trials = Random(1), 4000
    for experts, active, tokens in ((8, 2, 4), (128, 8, 32)):
        drawn = [
            len({e for _ in range(tokens) for e in rng.sample(range(experts), active)}) for _ in range(trials)
        ]
        assert distinct_experts(experts, active, tokens) == pytest.approx(sum(drawn) / trials, rel=0.01)
    with pytest.raises(ValueError, match="active must be from 1 to 8"):
        distinct_experts(8, 9, 1)
