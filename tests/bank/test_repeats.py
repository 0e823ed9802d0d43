from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.bank.repeats import chance, reused_distractors, stem_leaks, stem_overlap, top_is_right
from burnin.domain.item import Item
from tests.bank import planted


def with_texts(item: Item, stem: str, right: str, wrong: str) -> Item:
    return planted.rewrite(
        replace(item, stem=stem), lambda o: (right if o.correct else wrong) + f" {o.text.split()[-1]}"
    )


@pytest.fixture
def bank() -> list[Item]:
    return planted.neutral(2, size=40)


def test_a_keyword_in_the_right_option_alone_leaks(bank: list[Item]) -> None:
    bank[0] = with_texts(bank[0], "Gradients overflow in FP16.", "Overflowing is masked", "Nothing is masked")
    assert stem_leaks(bank) == {bank[0].id: ["overflow"]}


def test_it_does_not_where_a_wrong_option_repeats_a_keyword_too(bank: list[Item]) -> None:
    bank[0] = with_texts(bank[0], "Gradients overflow.", "Overflowing is masked", "A gradient is masked")
    assert stem_leaks(bank) == {}


def test_nor_where_the_word_is_common_in_the_bank(bank: list[Item]) -> None:
    bank[0] = with_texts(bank[0], "Gradients overflow in FP16.", "Overflowing is masked", "Nothing is masked")
    for place in range(1, 4):
        bank[place] = replace(bank[place], stem=bank[place].stem + " Overflow?")
    assert stem_leaks(bank) == {}


def test_overlap_breaks_ties_evenly(bank: list[Item]) -> None:
    excess, hits = stem_overlap(bank)
    assert excess.rate == pytest.approx(excess.chance)
    assert set(hits.values()) == {0.25, 0.4}
    leaking = [with_texts(item, "Gradients overflow.", "Overflowing", "Nothing") for item in bank]
    assert stem_overlap(leaking)[0].rate == 1.0


def test_chance_is_the_share_of_right_options(bank: list[Item]) -> None:
    assert {chance(item) for item in bank} == {0.25, 0.4}
    right = [float(option.correct) for option in bank[0].options]
    assert top_is_right(bank[0], right) == 1.0
    assert top_is_right(bank[0], [1.0] * 4) == 0.25


def test_a_wrong_option_used_again_is_found_whatever_its_word_order(bank: list[Item]) -> None:
    for place, text in (
        (0, "Raise the batch size at once"),
        (5, "At once, raise the batch sizes"),
        (9, "Raise a batch size"),
    ):
        options = list(bank[place].options)
        spot = next(i for i, option in enumerate(options) if not option.correct)
        options[spot] = replace(options[spot], text=text)
        bank[place] = replace(bank[place], options=tuple(options))
    assert list(reused_distractors(bank).values()) == [[bank[0].id, bank[5].id, bank[9].id]]


def test_bare_terms_and_right_options_may_come_back(bank: list[Item]) -> None:
    same = [planted.rewrite(item, lambda o: f"{8 * int(o.id[1:])} GB of BLEU") for item in bank]
    assert reused_distractors(same) == {}
    right = [
        planted.rewrite(item, lambda o: "Raise the batch size" if o.correct else o.text) for item in bank
    ]
    assert reused_distractors(right) == {}
