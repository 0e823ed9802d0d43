"""ZeRO against the paper's figure and table, and as conservation laws."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.states import OPTIMIZERS, state_bytes, state_terms, step_traffic_bytes

ADAM = OPTIMIZERS["adam-mixed"]


@pytest.mark.parametrize(("stage", "gb"), [(0, 120), (1, 31.4), (2, 16.6), (3, 1.88)])
def test_figure_1_of_zero(stage: int, gb: float) -> None:
    """7.5 billion parameters, 64 ranks: 120, 31.4, 16.6 and 1.88 GB (arXiv 1910.02054, figure 1)."""
    assert sum(float(x) for x in state_bytes(7.5e9, ADAM, stage, 64)) / 1e9 == pytest.approx(gb, rel=0.004)


@pytest.mark.parametrize(
    ("params", "ranks", "one", "two", "three"),
    [
        (7.5e9, 1024, 30.1, 15.1, 0.12),
        (128e9, 16, 608, 368, 128),
        (1e12, 256, 4046, 2054, 62.5),
        (1e12, 1024, 4011, 2013, 15.6),
    ],
)
def test_cells_of_table_1_of_zero(params: float, ranks: int, one: float, two: float, three: float) -> None:
    for stage, gb in ((1, one), (2, two), (3, three)):
        ours = sum(float(x) for x in state_bytes(params, ADAM, stage, ranks)) / 1e9
        assert ours == pytest.approx(gb, abs=0.5 * 10 ** -(len(str(gb).partition(".")[2])) + 0.9)


@given(
    params=st.floats(1e6, 1e13),
    ranks=st.integers(1, 4096),
    name=st.sampled_from(sorted(OPTIMIZERS)),
)
def test_a_higher_stage_never_needs_more_and_sharding_loses_no_byte(
    params: float, ranks: int, name: str
) -> None:
    optimizer = OPTIMIZERS[name]
    totals = [sum(float(x) for x in state_bytes(params, optimizer, stage, ranks)) for stage in range(4)]
    assert all(a >= b * (1 - 1e-12) for a, b in itertools.pairwise(totals))
    assert totals[3] * ranks == pytest.approx(optimizer.total * params, rel=1e-9)
    _, _, states = state_bytes(params, optimizer, 1, ranks)
    assert float(states) * ranks == pytest.approx(optimizer.states * params, rel=1e-9)


def test_terms_carry_their_formula_with_the_numbers() -> None:
    weights, gradients, states = state_terms(7.5e9, ADAM, 2, 64)
    assert (weights.formula, weights.filled) == ("2 P", "2 x 7.5e9")
    assert (gradients.formula, gradients.filled) == ("2 P / N", "2 x 7.5e9 / 64")
    assert states.filled == "12 x 7.5e9 / 64"
    for term in (weights, gradients, states):
        assert eval(term.filled.replace(" x ", "*")) == pytest.approx(term.value)


def test_traffic_is_two_or_three_times_the_parameters() -> None:
    """ZeRO, section 7: 2 P for stages 0 to 2, 3 P for stage 3."""
    assert step_traffic_bytes(1e9, 2, 10**6) == pytest.approx(2 * 2e9, rel=1e-5)
    assert step_traffic_bytes(1e9, 3, 10**6) == pytest.approx(3 * 2e9, rel=1e-5)
    assert step_traffic_bytes(1e9, 3, 1) == 0
