"""Collectives against a step-by-step count of messages, and as limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.collectives import (
    all_to_all,
    all_to_all_seconds,
    group_bytes_s,
    hierarchical_all_reduce,
    ring_all_gather,
    ring_all_reduce,
    tree_all_reduce,
)

ranks = st.integers(1, 64)
sizes = st.floats(1e3, 1e10)


def walk_ring(ranks: int, chunk_bytes: float, rate: float, latency: float) -> float:
    """All-reduce on a ring, message by message: every rank sends a chunk to its neighbour in each step."""
    sums = [[{rank} for _ in range(ranks)] for rank in range(ranks)]
    seconds = 0.0
    for step in range(ranks - 1):
        sent = [
            (rank, (rank - step) % ranks, set(sums[rank][(rank - step) % ranks])) for rank in range(ranks)
        ]
        for rank, chunk, parts in sent:
            sums[(rank + 1) % ranks][chunk] |= parts
        seconds += chunk_bytes / rate + latency
    for step in range(ranks - 1):
        sent = [
            (rank, (rank + 1 - step) % ranks, set(sums[rank][(rank + 1 - step) % ranks]))
            for rank in range(ranks)
        ]
        for rank, chunk, parts in sent:
            sums[(rank + 1) % ranks][chunk] |= parts
        seconds += chunk_bytes / rate + latency
    assert all(len(parts) == ranks for row in sums for parts in row)
    return seconds


@given(n=st.integers(1, 12), size=sizes)
def test_the_ring_formula_is_what_a_ring_takes(n: int, size: float) -> None:
    assert float(ring_all_reduce(size, n, 1e11, 1e-6)) == pytest.approx(walk_ring(n, size / n, 1e11, 1e-6))


@given(n=ranks, size=sizes)
def test_one_rank_moves_nothing_and_an_all_reduce_is_two_halves(n: int, size: float) -> None:
    whole = float(ring_all_reduce(size, n, 1e11, 2e-6))
    assert whole == pytest.approx(2 * float(ring_all_gather(size, n, 1e11, 2e-6)))
    for collective in (ring_all_reduce, ring_all_gather, tree_all_reduce, all_to_all):
        assert float(collective(size, 1, 1e11, 2e-6)) == 0


def test_the_tree_wins_where_latency_counts_and_the_ring_where_bytes_do() -> None:
    assert float(tree_all_reduce(1e3, 512, 25e9, 6e-6)) < float(ring_all_reduce(1e3, 512, 25e9, 6e-6))
    assert float(ring_all_reduce(1e10, 4, 25e9, 6e-6)) < float(tree_all_reduce(1e10, 4, 25e9, 6e-6))


@given(inner=st.sampled_from([2, 4, 8]), outer=st.sampled_from([2, 8, 64]), size=st.floats(1e8, 1e10))
def test_the_hierarchy_beats_one_flat_ring_over_the_slow_network(inner: int, outer: int, size: float) -> None:
    flat = float(ring_all_reduce(size, inner * outer, 25e9, 0.0))
    assert float(hierarchical_all_reduce(size, inner, outer, 450e9, 25e9, 0.0, 0.0)) < flat


def test_a_group_inside_a_domain_runs_at_nvlink_and_a_wide_one_on_its_ports() -> None:
    assert float(group_bytes_s(8, 8, 450e9, 50e9)) == 450e9
    assert float(group_bytes_s(8, 64, 450e9, 50e9)) == 400e9
    assert float(group_bytes_s(1, 64, 450e9, 50e9)) == 50e9


def test_experts_behind_the_network_cost_more_and_a_token_crosses_to_a_domain_once() -> None:
    inside = float(all_to_all_seconds(1e9, 8, 8, 8, 450e9, 50e9, 0.0, 0.0))
    across = float(all_to_all_seconds(1e9, 8, 64, 8, 450e9, 50e9, 0.0, 0.0))
    assert inside == pytest.approx(1e9 * 7 / 8 / 450e9)
    hit = 8 * (1 - (7 / 8) ** 8)
    assert across == pytest.approx(1e9 / 8 * hit * 7 / 8 / 50e9)
    assert across > inside
