"""Speculative decoding against the paper's figures and against drawing accepted tokens one by one."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.serving.speculative import best_length, speculation


def test_the_papers_figures() -> None:
    """Leviathan et al., arXiv 2211.17192, table 1: acceptance, drafted, operations, speed at negligible cost."""
    for acceptance, drafted, work, speed in (
        (0.6, 2, 1.53, 1.96),
        (0.7, 3, 1.58, 2.53),
        (0.8, 2, 1.23, 2.44),
        (0.8, 5, 1.63, 3.69),
        (0.9, 2, 1.11, 2.71),
        (0.9, 10, 1.60, 6.86),
    ):
        made = speculation(acceptance=acceptance, length=drafted, draft_cost=0)
        assert made.speedup == pytest.approx(speed, abs=0.005)
        assert made.work == pytest.approx(work, abs=0.005)


def test_tokens_a_pass_are_those_that_drawing_gives() -> None:
    rng, acceptance, length, passes = Random(3), 0.7, 4, 40_000
    taken = 0
    for _ in range(passes):
        run = 0
        while run < length and rng.random() < acceptance:
            run += 1
        taken += run + 1
    made = speculation(acceptance=acceptance, length=length, draft_cost=0.1)
    assert made.tokens_a_pass == pytest.approx(taken / passes, rel=0.01)


@given(st.floats(0, 1), st.floats(0, 2), st.one_of(st.none(), st.integers(1, 64)))
def test_the_best_length_is_no_worse_than_any(acceptance: float, cost: float, slots: int | None) -> None:
    best = best_length(acceptance=acceptance, draft_cost=cost, slots=slots)
    for length in range(33):
        verify = 1.0 if slots is None else max(1.0, (length + 1) / slots)
        other = speculation(acceptance=acceptance, length=length, draft_cost=cost, verify_cost=verify)
        assert other.speedup <= best.speedup
    assert best.speedup >= 1


def test_no_draft_pays_where_a_draft_costs_more_than_it_brings() -> None:
    # Theorem 3.8's corollary: a gain exists only where acceptance exceeds the draft's cost.
    assert best_length(acceptance=0.3, draft_cost=0.31).length == 0
    assert best_length(acceptance=0.3, draft_cost=0.29).length == 1


def test_a_full_card_takes_no_draft() -> None:
    assert best_length(acceptance=0.8, draft_cost=0.05, slots=1).length == 0


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="acceptance"):
        speculation(acceptance=1.1, length=1, draft_cost=0)
