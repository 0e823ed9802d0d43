from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.key_alarm import scored, suspects
from tests.psychometrics.simulated import chosen, normal_table


@pytest.mark.parametrize("guess", [0.0, 0.25])
def test_finds_and_names_wrong_keys(guess: float) -> None:
    """600 people, 100 items, 3 % of the keys wrong; eight tables."""
    found = named = false = wrong_keys = 0
    for seed in range(7000, 7008):
        choices, true, stated, wrong = chosen(seed, 600, 100, flipped=0.03, guess=guess)
        alarms = {s.item: s for s in suspects(choices, [4] * 100, [frozenset({int(k)}) for k in stated])}
        wrong_keys += len(wrong)
        found += len(wrong & set(alarms))
        named += sum(alarms[j].likely == true[j] for j in wrong & set(alarms))
        false += len(set(alarms) - wrong)
    assert found / wrong_keys >= 0.90
    assert named / found >= 0.95
    assert false / (800 - wrong_keys) < 0.02


def test_wrong_keys_do_not_shield_each_other() -> None:
    choices, true, stated, wrong = chosen(71, 600, 40, flipped=0.2, guess=0.2)
    alarms = {s.item: s.likely for s in suspects(choices, [4] * 40, [frozenset({int(k)}) for k in stated])}
    assert len(wrong & set(alarms)) >= 7
    assert len(set(alarms) - wrong) == 0
    assert sum(alarms[j] == true[j] for j in wrong & set(alarms)) >= 7


def test_right_and_wrong_alone_show_a_reversed_item() -> None:
    rows = normal_table(5, 500, 12)[3].astype(np.int32)
    rows[:, 4] = 1 - rows[:, 4]
    alarms = suspects(rows, [2] * 12, [frozenset({1})] * 12)
    assert [(s.item, s.likely) for s in alarms] == [(4, 0)]
    assert alarms[0].likely_mean > alarms[0].key_mean


def test_few_people_raise_few_alarms() -> None:
    alarms = 0
    for seed in range(20):
        choices, true, _, _ = chosen(seed, 12, 20, flipped=0.0, guess=0.2)
        alarms += len(suspects(choices, [4] * 20, [frozenset({int(k)}) for k in true]))
    assert alarms / 400 < 0.04


def test_two_right_options_are_no_alarm() -> None:
    choices, true, _, _ = chosen(9, 600, 30, flipped=0.0, guess=0.2)
    keys = [frozenset({int(k)}) for k in true]
    split = np.random.default_rng(1).random(600) < 0.5
    hit = (choices[:, 3] == true[3]) & split
    other = (int(true[3]) + 1) % 4
    choices[hit, 3] = other
    keys[3] = frozenset({int(true[3]), other})
    assert suspects(choices, [4] * 30, keys) == []


def test_counts_stand_for_repeated_rows() -> None:
    choices, _, stated, _ = chosen(10, 80, 15, flipped=0.2, guess=0.2)
    keys = [frozenset({int(k)}) for k in stated]
    repeated = suspects(np.repeat(choices, 3, axis=0), [4] * 15, keys)
    counted = suspects(choices, [4] * 15, keys, np.full(80, 3.0))
    assert [(s.item, s.likely) for s in repeated] == [(s.item, s.likely) for s in counted]


def test_missing_answers_and_items_nobody_answered() -> None:
    choices, _, stated, wrong = chosen(11, 600, 40, flipped=0.05, guess=0.2)
    choices[np.random.default_rng(3).random(choices.shape) < 0.3] = -1
    choices[:, 0] = -1
    alarms = suspects(choices, [4] * 40, [frozenset({int(k)}) for k in stated])
    assert {s.item for s in alarms} - wrong == set()
    assert 0 not in {s.item for s in alarms}


def test_scoring() -> None:
    table = scored(np.array([[0, 2], [1, -1]]), [frozenset({0}), frozenset({1, 2})])
    assert table.tolist() == [[1, 1], [0, -1]]
