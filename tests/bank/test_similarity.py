from __future__ import annotations

import pytest

from burnin.bank.similarity import near_duplicates
from burnin.catalog import load
from burnin.domain.item import Item, Option
from tests.bank import planted
from tests.bank.twins import CALIBRATION, HELD_OUT, Text


def item(item_id: str, text: Text) -> Item:
    stem, options = text
    return Item(
        id=item_id,
        version=1,
        exam="TST-ONE",
        objective="alpha/one",
        official="1.1",
        choose=1,
        stem=stem,
        options=tuple(
            Option(id=f"o{n}", text=option, reason="So.", correct=n == 0) for n, option in enumerate(options)
        ),
        sources=(),
        as_of="2026-01-01",
    )


def found(twins: dict[str, tuple[Text, Text]]) -> set[str]:
    """Names of the twins that stand out among the built-in items, whose words set the weights."""
    pairs = [item(f"~{name}~{n}", text) for name, both in twins.items() for n, text in enumerate(both)]
    return {
        first.split("~")[1]
        for first, second, _ in near_duplicates([*load(None).items.values(), *pairs])
        if first.startswith("~") and first[:-1] == second[:-1]
    }


def test_twins_rewritten_by_hand_are_found_more_often_than_not() -> None:
    # On the bank this was written beside: 6 of 7 that set the threshold, 5 of 7 held out. The
    # weights move with the bank, so two may be lost before this speaks up.
    assert len(found(CALIBRATION)) + len(found(HELD_OUT)) >= 9


def test_a_copy_and_a_light_rewording_are_found_and_no_unrelated_pair() -> None:
    bank = planted.neutral(4, size=120)
    twins = [planted.reworded(bank[n], n, 0.25, f"twin-{n:04d}") for n in range(0, 120, 12)]
    pairs = near_duplicates([*bank, *twins])
    assert {(a, b) for a, b, _ in pairs} == {(f"made-{n:04d}", f"twin-{n:04d}") for n in range(0, 120, 12)}
    assert [alike for _, _, alike in pairs] == sorted((alike for _, _, alike in pairs), reverse=True)


def test_an_item_is_wholly_like_its_copy() -> None:
    bank = planted.neutral(4, size=20)
    copy = planted.reworded(bank[3], 0, 0.0, "twin")
    [(first, second, alike)] = near_duplicates([*bank, copy])
    assert (first, second) == ("made-0003", "twin")
    assert alike == pytest.approx(1.0)


def test_same_stem_with_other_options_is_no_twin() -> None:
    first, second = (both[0] for both in list(CALIBRATION.values())[:2])
    assert near_duplicates([item("a", first), item("b", (first[0], second[1]))]) == []


def test_few_items() -> None:
    assert near_duplicates([]) == []
    assert near_duplicates(planted.neutral(1, size=1)) == []
    text = CALIBRATION["ring-time"][0]
    assert [pair[:2] for pair in near_duplicates([item("a", text), item("b", text)])] == [("a", "b")]
