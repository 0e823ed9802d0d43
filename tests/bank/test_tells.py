from __future__ import annotations

from burnin.bank.tells import tells
from tests.bank import planted


def test_a_planted_cue_is_named_with_its_items() -> None:
    bank = planted.planted(9, 0.3, planted.specific_key, size=80)
    numerals = next(tell for tell in tells(bank) if tell.cue == "numerals")
    planted_in = {item.id for item in bank if any(c.isdigit() for o in item.options for c in o.text)}
    assert set(numerals.more_in_right) == planted_in
    assert numerals.less_in_right == ()
    assert numerals.z > 3


def test_a_cue_of_wrong_options_has_the_other_sign() -> None:
    loudest = {tell.cue: tell.z for tell in tells(planted.planted(9, 0.5, planted.absolute_wrong))}
    assert loudest["absolutes"] < -3


def test_a_neutral_bank_is_quiet() -> None:
    assert sum(len(tells(planted.neutral(seed, size=100))) for seed in range(5)) <= 5


def test_too_few_items_tell_nothing() -> None:
    assert tells([]) == []
    assert tells(planted.neutral(1, size=1)) == []
