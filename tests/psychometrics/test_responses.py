from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.responses import Responses


def test_collapsing_keeps_every_person() -> None:
    chance = np.random.default_rng(4)
    rows = chance.integers(-1, 2, (500, 11))
    counts = chance.integers(0, 4, 500)
    found = Responses.of(rows, counts)
    assert (found.patterns[found.person_pattern] == rows).all()
    assert found.persons == counts.sum()
    assert len(np.unique(found.patterns, axis=0)) == len(found.patterns)
    for j in range(11):
        right = counts[rows[:, j] == 1].sum()
        assert found.counts @ found.right[:, j] == right
        assert found.proportion[j] == pytest.approx(right / counts[rows[:, j] >= 0].sum())


def test_nan_is_missing() -> None:
    assert Responses.of([[1.0, np.nan]]).patterns.tolist() == [[1, -1]]


def test_columns_keep_people_in_order() -> None:
    rows = np.array([[0, 1, 1], [1, 0, 1], [0, 1, 0]])
    part = Responses.of(rows).columns(np.array([0, 1]))
    assert (part.patterns[part.person_pattern] == rows[:, :2]).all()
    assert sorted(part.counts) == [1.0, 2.0]


@pytest.mark.parametrize(
    ("rows", "counts", "says"),
    [
        ([[2, 0]], None, "0, 1 or missing"),
        ([1, 0], None, "one row a person"),
        ([[1, 0]], [-1], "zero or more"),
        ([[1, 0]], [1, 2], "each row"),
    ],
)
def test_refuses(rows: list[object], counts: list[int] | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Responses.of(rows, counts)
