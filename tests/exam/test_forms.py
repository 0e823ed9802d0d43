from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.exam.forms import minutes_for, quotas

from .builders import GENL, GENM, blueprint


def hamilton_by_search(weights: dict[str, int], total: int) -> dict[str, int]:
    """Hand out one seat at a time to the largest claim left over: no floors, no remainders."""
    whole = sum(weights.values())
    seats = dict.fromkeys(weights, 0)
    # Seats that a claim covers in full come first; only then do partial claims compete.
    for _ in range(total):
        claims = {n: Fraction(w * total, whole) - seats[n] for n, w in weights.items()}
        best = max(claims.values())
        seats[next(n for n in weights if claims[n] == best)] += 1
    return seats


class TestQuotas:
    @pytest.mark.parametrize("weights", [GENL, GENM], ids=["NCP-GENL", "NCA-GENM"])
    @pytest.mark.parametrize("size", range(10, 71))
    def test_agrees_with_a_search_for_both_exams(self, weights: dict[str, int], size: int) -> None:
        assert quotas(weights, size) == hamilton_by_search(weights, size)
        assert list(quotas(weights, size)) == list(weights)

    def test_a_genl_form_of_65_as_computed_by_hand(self) -> None:
        # 65 x weight %: 11.05 9.10 8.45 8.45 5.85 5.85 4.55 4.55 3.90 3.25; floors sum to 60.
        # Largest remainders: .90, .85, .85, then .55 and .55.
        assert list(quotas(GENL, 65).values()) == [11, 9, 8, 8, 6, 6, 5, 5, 4, 3]

    def test_ties_go_by_blueprint_order(self) -> None:
        assert quotas({"late": 1, "early": 1, "last": 1}, 2) == {"late": 1, "early": 1, "last": 0}

    def test_float_arithmetic_would_break_this_tie(self) -> None:
        # 3 x 9/27 is exactly 1, and all three remainders are 0.
        assert quotas({"a": 9, "b": 9, "c": 9}, 3) == {"a": 1, "b": 1, "c": 1}
        # 1/3 each of 10: remainders are equal, so the extra seat goes to the first.
        assert quotas({"a": 10, "b": 10, "c": 10}, 10) == {"a": 4, "b": 3, "c": 3}

    @given(
        st.dictionaries(
            st.text("abcdef", min_size=1, max_size=3), st.integers(0, 60), min_size=1, max_size=9
        ),
        st.integers(0, 90),
    )
    def test_every_quota_is_a_neighbour_of_the_exact_share(self, weights: dict[str, int], total: int) -> None:
        whole = sum(weights.values())
        if whole == 0:
            return
        shares = quotas(weights, total)
        assert sum(shares.values()) == total
        for name, weight in weights.items():
            assert abs(shares[name] - Fraction(weight * total, whole)) < 1
        assert shares == hamilton_by_search(weights, total)

    @pytest.mark.parametrize(
        ("weights", "total"), [({"a": -1, "b": 2}, 3), ({"a": 1}, -1), ({"a": 0}, 1), ({}, 1)]
    )
    def test_nonsense_is_refused(self, weights: dict[str, int], total: int) -> None:
        with pytest.raises(ValueError):
            quotas(weights, total)


def test_a_full_form_has_the_exam_minutes_and_a_short_one_its_pace() -> None:
    exam = blueprint()
    assert [minutes_for(exam, n) for n in (60, 65, 70)] == [120, 120, 120]
    assert minutes_for(exam, 10) == 20
    assert minutes_for(exam, 140) == 240
