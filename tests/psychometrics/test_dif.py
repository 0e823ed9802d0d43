from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.dif import differential_functioning, mantel_haenszel
from tests.psychometrics.simulated import table

# Admissions to Berkeley in 1973, six departments: rows men and women, columns admitted and rejected
# (Bickel, Hammel and O'Connell, 1975, Science 187). R's mantelhaen.test prints for it
# X-squared = 1.4269, p = 0.2323, common odds ratio 0.9046968 (0.7719074 to 1.0603298).
BERKELEY = np.array(
    [
        [[512, 313], [89, 19]],
        [[353, 207], [17, 8]],
        [[120, 205], [202, 391]],
        [[138, 279], [131, 244]],
        [[53, 138], [94, 299]],
        [[22, 351], [24, 317]],
    ]
)


def test_berkeley_admissions() -> None:
    found = mantel_haenszel(BERKELEY)
    assert found.odds_ratio == pytest.approx(0.9046968, abs=5e-8)
    assert found.chi_squared == pytest.approx(1.4269, abs=5e-5)
    assert found.p_value == pytest.approx(0.2323, abs=5e-5)
    low, high = np.exp(np.log(found.odds_ratio) + np.array([-1, 1]) * 1.959964 * found.se_log)
    assert (low, high) == pytest.approx((0.7719074, 1.0603298), abs=1e-6)


def test_swapping_groups_inverts_the_ratio() -> None:
    assert mantel_haenszel(BERKELEY[:, ::-1]).odds_ratio == pytest.approx(1 / 0.9046968, abs=1e-6)


def test_strata_that_tell_nothing_change_nothing() -> None:
    more = np.concatenate([BERKELEY, [[[10, 5], [0, 0]], [[0, 7], [0, 9]]]])
    assert mantel_haenszel(more) == mantel_haenszel(BERKELEY)
    assert np.isnan(mantel_haenszel(np.zeros((2, 2, 2))).odds_ratio)


def test_finds_the_item_that_treats_equals_differently() -> None:
    """The focal group is weaker on the whole, and item 6 is one logit harder for it besides."""
    chance = np.random.default_rng(12)
    a, b = np.full(30, 1.0), chance.normal(0, 1, 30)
    focal = np.arange(3000) % 3 == 0
    theta = chance.normal(size=3000) - 0.5 * focal
    rows = table(chance, a, b, theta)
    harder = b.copy()
    harder[6] += 1.0
    rows[focal] = table(chance, a, harder, theta[focal])
    found = differential_functioning(rows, focal)
    assert found[6].size == "C"
    # Under the Rasch model delta is -2.35 times the difference in difficulty (Holland and Thayer 1988).
    assert found[6].delta == pytest.approx(-2.35, abs=3 * found[6].se)
    others = [entry for entry in found if entry.item != 6]
    assert sum(entry.size != "A" for entry in others) <= 1
    assert np.std([e.delta / e.se for e in others]) == pytest.approx(1.0, abs=0.35)


def test_missing_answers_and_empty_groups() -> None:
    rows = np.array([[1, 0, -1], [0, 1, 1], [1, 1, 0], [0, 0, -1]], dtype=np.int8)
    found = differential_functioning(rows, np.array([False, False, False, False]))
    assert [entry.size for entry in found] == ["?", "?", "?"]
