from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from burnin.bank import options_only as room
from burnin.bank.options_only import folds, options_only
from tests.bank import planted


def penalised(table: room._Table, weights: np.ndarray) -> float:
    """The penalised log-likelihood, item by item, as the textbook has it."""
    total = -0.5 * sum(w * w for w in weights)
    for index in range(len(table.starts) - 1):
        rows = table.rows(index)
        scores = [float(row @ weights) for row in table.x[rows]]
        top = max(scores)
        log_sum = top + math.log(sum(math.exp(s - top) for s in scores))
        total += sum(share * (s - log_sum) for share, s in zip(table.share[rows], scores, strict=True))
    return total


def test_the_fit_is_the_maximum_of_the_penalised_likelihood() -> None:
    table = room._Table.of(planted.planted(5, 0.5, planted.long_key, size=40))
    weights = room._fitted(table, np.ones(40, dtype=bool))
    best = penalised(table, weights)
    chance = np.random.default_rng(0)
    for _ in range(20):
        direction = chance.normal(size=weights.size)
        direction /= np.linalg.norm(direction)
        slope = (
            penalised(table, weights + 1e-4 * direction) - penalised(table, weights - 1e-4 * direction)
        ) / 2e-4
        assert abs(slope) < 0.01
        assert penalised(table, weights + 0.05 * direction) < best


def test_items_that_share_an_exhibit_or_family_share_a_fold() -> None:
    items = planted.neutral(3)
    place = dict(zip((item.id for item in items), folds(items, seed=0), strict=True))
    ties: dict[str, set[int]] = {}
    for item in items:
        for tie in (item.exhibit, item.family):
            if tie:
                ties.setdefault(tie, set()).add(int(place[item.id]))
    assert ties
    assert all(len(where) == 1 for where in ties.values())
    sizes = np.bincount(list(place.values()), minlength=room.FOLDS)
    assert sizes.max() - sizes.min() <= 3


def test_a_chain_of_exhibit_and_family_holds_together() -> None:
    items = planted.neutral(3, size=30)
    items = [replace(item, exhibit=None, family=None) for item in items]
    items[0] = replace(items[0], exhibit="e")
    items[1] = replace(items[1], exhibit="e", family="f")
    items[2] = replace(items[2], family="f")
    place = folds(items, seed=1)
    assert place[0] == place[1] == place[2]


def test_the_stem_is_never_seen_and_order_does_not_matter() -> None:
    items = planted.planted(7, 0.4, planted.hedged_key, size=60)
    chance = random.Random(1)
    shuffled = [
        replace(item, stem="?", options=tuple(chance.sample(item.options, len(item.options))))
        for item in chance.sample(items, len(items))
    ]
    first, second = options_only(items).accuracy, options_only(shuffled).accuracy
    assert first.rate == pytest.approx(second.rate)
    assert first.lower95 == pytest.approx(second.lower95)


def test_it_names_the_cue_it_found() -> None:
    found = options_only(planted.planted(11, 0.5, planted.hedged_key))
    worth = dict(found.cues)
    assert max(worth["hedges"], worth["hedges against siblings"]) == max(abs(w) for w in worth.values())


def test_a_bank_too_small_to_learn_from_is_not_condemned() -> None:
    assert options_only([]).accuracy.holds
    assert options_only(planted.neutral(1, size=1)).accuracy.holds
    assert options_only(planted.neutral(1, size=3)).accuracy.holds
