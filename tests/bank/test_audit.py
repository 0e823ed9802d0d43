"""Positive controls: a neutral bank passes, and each planted flaw is caught by its own bar."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from statistics import mean

import pytest

from burnin.bank.audit import audit
from burnin.bank.options_only import options_only
from burnin.catalog import load
from burnin.domain.item import Item
from tests.bank import planted

SEED = 100


def failing(items: list[Item]) -> set[str]:
    measured = audit(items)
    assert measured["passed"] == all(measured["bars"].values())
    return {name for name, holds in measured["bars"].items() if not holds}


def test_neutral_banks_pass_but_for_what_a_95_percent_bound_gives_away() -> None:
    alarms = [failing(planted.neutral(seed)) for seed in range(200, 204)]
    # Three bars at one in twenty each: about one bank in eight may fail one of them by chance.
    assert sum(bool(failed) for failed in alarms) <= 2
    assert set().union(*alarms) <= {"longest_correct", "options_only", "brand"}


def test_real_wording_with_a_key_drawn_at_random_is_told_no_better_than_by_chance() -> None:
    items = list(load(None).items.values())
    drawn = [options_only(planted.key_drawn_anew(items, seed)).accuracy for seed in range(8)]
    assert abs(mean(found.rate - found.chance for found in drawn)) < 0.03
    # One in twenty is what a 95 % bound gives away; three of eight has odds of about one in 170.
    assert sum(not found.holds for found in drawn) <= 2


@pytest.mark.parametrize(
    ("share", "flaw", "bars"),
    [
        (0.35, planted.long_key, {"longest_correct", "options_only"}),
        (0.35, planted.short_key, {"options_only"}),
        (0.35, planted.hedged_key, {"options_only"}),
        (0.5, planted.absolute_wrong, {"options_only"}),
        (0.35, planted.branded_key, {"brand", "options_only"}),
        (0.35, planted.specific_key, {"options_only"}),
        (0.35, planted.worded_key, {"options_only"}),
        (0.35, planted.off_form_key, {"options_only"}),
    ],
)
def test_a_cue_in_a_share_of_the_keys_is_caught(
    share: float, flaw: Callable[..., str], bars: set[str]
) -> None:
    assert failing(planted.planted(SEED, share, flaw)) == bars


def test_a_key_that_shares_most_with_its_siblings_is_caught() -> None:
    assert failing(planted.converging(SEED, 0.35)) == {"options_only"}


def test_paraphrased_twins_are_caught() -> None:
    bank = planted.neutral(SEED)
    twins = [planted.reworded(bank[n], n, 0.3, f"twin-{n}") for n in (10, 50, 90)]
    measured = audit([*bank, *twins])
    assert not measured["passed"]
    assert sorted(pair[:2] for pair in measured["near_duplicates"]) == [
        [f"made-{n:04d}", f"twin-{n}"] for n in (10, 50, 90)
    ]
    # Twins share their wrong options' words only in part; nothing else is blamed.
    assert failing([*bank, *twins]) <= {"near_duplicates", "distractor_reuse_max"}


def test_stems_that_leak_are_caught() -> None:
    bank = planted.neutral(SEED)
    for place in (4, 40, 80):
        keyword = max(bank[place].stem.split(), key=len).strip(".?")
        bank[place] = planted.rewrite(
            bank[place], lambda o, keyword=keyword: f"{o.text} {keyword}" if o.correct else o.text
        )
    assert audit(bank)["stem_leak"] == ["made-0004", "made-0040", "made-0080"]
    assert "stem_leak" in failing(bank)


def test_a_wrong_option_used_three_times_is_caught() -> None:
    bank = planted.neutral(SEED)
    for place in (4, 40, 80):
        wrong = next(option.id for option in bank[place].options if not option.correct)
        bank[place] = planted.rewrite(
            bank[place], lambda o, wrong=wrong: "Raise the learning rate twofold" if o.id == wrong else o.text
        )
    measured = audit(bank)
    assert measured["distractor_reuse_max"] == 3
    assert failing(bank) == {"distractor_reuse_max"}


def test_missing_reasons_and_sources_are_counted() -> None:
    bank = planted.neutral(SEED)
    bank[3] = replace(bank[3], options=tuple(replace(option, reason="  ") for option in bank[3].options))
    bank[8] = replace(bank[8], sources=())
    measured = audit(bank)
    assert measured["options_without_reason"] == 5
    assert measured["items_without_source"] == 1
    assert failing(bank) == {"options_without_reason", "items_without_source"}


def test_an_empty_bank_does_not_pass() -> None:
    assert not audit([])["passed"]


def test_the_report_is_plain_and_the_same_each_time() -> None:
    bank = planted.planted(SEED, 0.3, planted.long_key, size=60)
    first = json.dumps(audit(bank))
    assert first == json.dumps(audit(list(reversed(bank))))
    assert set(json.loads(first)) >= {
        "items",
        "options_without_reason",
        "items_without_source",
        "longest_correct",
        "options_only",
        "brand",
        "near_duplicates",
        "distractor_reuse_max",
        "stem_leak",
        "passed",
    }
