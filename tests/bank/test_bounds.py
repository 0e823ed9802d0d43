from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from burnin.bank.bounds import Z95, Excess, over_chance, paired


def test_the_quantile_is_the_one_sided_95_percent_one() -> None:
    assert pytest.approx(NormalDist().inv_cdf(0.95), abs=1e-12) == Z95


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 8), (17, 40), (90, 224), (40, 40)])
def test_wilsons_bound_is_the_rate_that_the_data_just_do_not_refute(hits: int, n: int) -> None:
    found = over_chance([1.0] * hits + [0.0] * (n - hits), [0.25] * n)
    rate = found.lower95 + 0.25
    assert found.rate == pytest.approx(hits / n)
    # Wilson's definition, solved by nobody's formula: z of the observed share under that rate.
    assert hits / n - rate == pytest.approx(Z95 * math.sqrt(rate * (1 - rate) / n), abs=1e-9)


def test_unequal_chances_are_averaged() -> None:
    assert over_chance([1, 0, 0, 1], [0.25, 0.25, 0.4, 0.5]).chance == pytest.approx(0.35)


@pytest.mark.parametrize("chance", [0.25, 0.283, 0.4])
def test_a_bank_at_chance_is_condemned_about_one_time_in_twenty(chance: float) -> None:
    n = 224
    alarms = sum(
        math.comb(n, k) * chance**k * (1 - chance) ** (n - k)
        for k in range(n + 1)
        if not over_chance([1.0] * k + [0.0] * (n - k), [chance] * n).holds
    )
    assert 0.03 <= alarms <= 0.06


@pytest.mark.parametrize(("more", "less"), [(0.05, 0.05), (0.2, 0.1), (0.02, 0.01), (0.3, 0.3)])
def test_the_paired_bound_covers_the_true_difference(more: float, less: float) -> None:
    n, covered = 60, 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            c = n - a - b
            found = paired([1.0] * a + [0.0] * (b + c), [0.0] * a + [1.0] * b + [0.0] * c)
            if found.lower95 <= more - less:
                ways = math.comb(n, a) * math.comb(n - a, b)
                covered += ways * more**a * less**b * (1 - more - less) ** c
    assert covered >= 0.93


def test_two_items_prove_nothing_and_none_hold() -> None:
    assert paired([1.0, 1.0], [0.0, 0.0]).holds
    assert over_chance([], []).holds
    assert paired([], []).holds


def test_a_sure_excess_under_three_points_holds() -> None:
    assert Excess(rate=0.279, chance=0.25, lower95=0.02).holds
    assert not Excess(rate=0.281, chance=0.25, lower95=0.001).holds
    assert Excess(rate=0.9, chance=0.25, lower95=0.0).holds
