import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.figures.axis import label, linear, places, round_ticks


@given(
    st.floats(-1e6, 1e6, allow_nan=False),
    st.floats(-1e6, 1e6, allow_nan=False),
)
def test_ticks_enclose_the_values_and_stay_few(a, b):
    if abs(a - b) < 1e-3:
        return
    ticks = round_ticks(a, b)
    slack = 1e-6 * (ticks[-1] - ticks[0])
    assert ticks[0] <= min(a, b) + slack
    assert ticks[-1] >= max(a, b) - slack
    assert 2 <= len(ticks) <= 8


def test_ticks_are_round():
    assert round_ticks(0, 97) == (0, 50, 100)
    assert round_ticks(0, 1.9) == (0, 0.5, 1.0, 1.5, 2.0)
    assert round_ticks(0, 0) == round_ticks(0, 1)


def test_words_and_doubling_numbers_stand_at_equal_distances():
    assert places(("a", "b", "c")) == (0, 0.5, 1)
    assert places(("1", "2", "4", "8", "16")) == (0, 0.25, 0.5, 0.75, 1)


def test_uneven_numbers_stand_where_their_value_is():
    assert places(("0", "10", "100")) == pytest.approx((0, 0.1, 1))


def test_one_value_stands_in_the_middle():
    assert places(("only",)) == (0.5,)


def test_labels_are_short():
    assert [label(v) for v in (1200.0, 0.5, 2.0, 1e-6)] == ["1,200", "0.5", "2", "1e-06"]


def test_linear_maps_ends_to_ends():
    scale = linear((2, 4), (100, 0))
    assert (scale(2), scale(3), scale(4)) == (100, 50, 0)
    assert linear((1, 1), (5, 9))(1) == 5
