from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.itemgen.showing import decimals, displayed, filled, names, number, rounded

EXACT = st.fractions(Fraction(1, 1000), 10**6, max_denominator=10**4)


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        ("2240", 3, "2,240"),
        ("35/2", 3, "17.5"),
        ("1/3", 2, "0.33"),
        ("2/3", 2, "0.67"),
        ("1/200", 2, "0.005"),
        ("999/10", 2, "100"),
        ("0", 3, "0"),
        ("-5/2", 3, "-2.5"),
    ],
)
def test_numbers_are_written_short(value, digits, written):
    assert number(Fraction(value), digits) == written


def test_shares_are_whole_percents_and_halves_go_up():
    assert displayed(Fraction(1, 8), "percent", 2) == "13"
    assert displayed(Fraction(3, 11), "percent", 2) == "27"


@given(EXACT, st.integers(1, 6))
def test_rounding_errs_by_half_a_digit_at_most(value, digits):
    off = abs(rounded(value, digits) - value)
    assert off <= value / 10 ** (digits - 1) / 2


@given(EXACT)
def test_rounding_twice_changes_nothing_more(value):
    once = rounded(value, 3)
    assert rounded(once, 3) == once
    assert Fraction(number(value, 3).replace(",", "")) == once


def test_decimals_are_counted():
    assert [decimals(Fraction(text)) for text in ("4", "0.5", "0.125", "33.5")] == [0, 1, 3, 1]


def test_only_plain_names_are_filled():
    assert filled("{a} of {b}", {"a": "1", "b": "2"}) == "1 of 2"
    assert names("{a} {a.__class__} {0} {b_2}") == {"a", "b_2"}
    assert filled("{a.__class__} {{a}}", {"a": "1"}) == "{a.__class__} {1}"
    with pytest.raises(KeyError):
        filled("{missing}", {})
