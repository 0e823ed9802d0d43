from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.item_analysis import classical, distractor_curve, rank_groups
from burnin.psychometrics.responses import Responses
from tests.psychometrics import published


def test_lsat6_by_hand() -> None:
    """Against NumPy on the raw rows: sum of the others, Pearson's r, Cronbach's alpha."""
    rows = published.LSAT6.rows.astype(float)
    found = classical(Responses.of(published.LSAT6.patterns, published.LSAT6.counts))
    total = rows.sum(axis=1)
    assert found.p == pytest.approx([0.924, 0.709, 0.553, 0.763, 0.870])
    for j in range(5):
        assert found.item_rest_r[j] == pytest.approx(np.corrcoef(rows[:, j], total - rows[:, j])[0, 1])
    # Rizopoulos (2006) prints 0.295 for the five items.
    assert found.alpha == pytest.approx(0.295, abs=0.0005)


def test_lsat7_alpha() -> None:
    found = classical(Responses.of(published.LSAT7.rows))
    assert found.p == pytest.approx([0.828, 0.658, 0.772, 0.606, 0.843])
    assert found.alpha == pytest.approx(0.4534, abs=0.0005)


def test_constant_items_have_no_correlation() -> None:
    found = classical(Responses.of([[1, 0, 1], [1, 1, 0], [1, 1, 1]]))
    assert np.isnan(found.item_rest_r[0])


def test_missing_answers_leave_difficulty_to_those_who_answered() -> None:
    found = classical(Responses.of([[1, -1, 1], [0, 1, 0], [-1, 0, 1]]))
    assert found.p == pytest.approx([0.5, 0.5, 2 / 3])
    assert np.isnan(found.alpha)


def test_distractor_shares_add_up_and_key_rises() -> None:
    chance = np.random.default_rng(3)
    score = chance.normal(size=2000)
    right = chance.random(2000) < 1 / (1 + np.exp(-score))
    choice = np.where(right, 2, chance.integers(0, 2, 2000))
    curve = distractor_curve(choice, 3, score, np.ones(2000))
    assert curve.share.sum(axis=1) == pytest.approx(1.0)
    assert curve.size.sum() == 2000
    assert (np.diff(curve.share[:, 2]) > 0).all()
    assert curve.rest_r[2] > 0.3
    assert (curve.rest_r[:2] < 0).all()


def test_groups_keep_ties_together() -> None:
    score = np.array([1.0, 1.0, 1.0, 2.0, 3.0, 3.0])
    group = rank_groups(score, np.ones(6), 3)
    assert len(set(group[:3])) == 1
    assert group[4] == group[5]
    assert (np.diff(group) >= 0).all()
