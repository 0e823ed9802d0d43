"""Every generator, two hundred questions each."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from burnin.bank.options_only import options_only
from burnin.catalog import load
from burnin.catalog.rules import item_faults, link_faults
from burnin.domain.generator import FlipWords
from burnin.exam.render import render
from burnin.itemgen import SUMS, CannotMake, make, wording_faults, work_out
from burnin.itemgen.showing import displayed
from tests.itemgen.test_sums import RIGHT

CATALOG = load()
GENERATORS = tuple(CATALOG.generators.values())
SAMPLE = 200

every_generator = pytest.mark.parametrize("words", GENERATORS, ids=lambda words: words.id)


@cache
def sampled(words):
    return tuple(work_out(words, seed) for seed in range(SAMPLE))


def shown(text):
    """The number in an option's text, as a reader sees it."""
    return Fraction(next(word for word in text.replace(",", "").split() if word[0].isdigit()))


@every_generator
def test_options_are_distinct_and_a_quarter_apart_as_shown(words):
    for made in sampled(words):
        values = sorted(shown(option.text) for option in made.item.options)
        assert len(values) == 4
        assert all(high >= low * Fraction(5, 4) for low, high in itertools.pairwise(values))
        template = {option.text.replace(option.text.split()[0], "", 1) for option in made.item.options}
        assert len(template) <= 1 or words.option.startswith("About")


@every_generator
def test_the_right_answer_is_what_paper_gives(words):
    for made in sampled(words):
        (right,) = [option for option in made.item.options if option.correct]
        paper = Fraction(RIGHT[words.sum](**made.facts))
        assert made.right == paper
        assert displayed(paper, words.show, words.digits) in right.text


@every_generator
def test_each_wrong_option_is_its_misconceptions_value(words):
    for made in sampled(words):
        options = {option.id: option for option in made.item.options if not option.correct}
        assert set(options) == {wrong.slip.misconception for wrong in made.wrong}
        for wrong in made.wrong:
            option = options[wrong.slip.misconception]
            assert option.misconception == wrong.slip.misconception
            value = SUMS[words.sum].slips[option.misconception](made.facts)
            assert wrong.value == value
            assert shown(option.text) == Fraction(displayed(value, words.show, words.digits).replace(",", ""))


@every_generator
def test_flip_points_hold_on_one_side_and_not_on_the_other(words):
    def read(facts):
        return displayed(SUMS[words.sum].answer(facts), words.show, words.digits)

    for made in sampled(words):
        assert any(wrong.flip for wrong in made.wrong)
        for wrong in made.wrong:
            option = next(o for o in made.item.options if o.id == wrong.slip.misconception)
            assert (option.flip is None) == (wrong.flip is None)
            if wrong.flip is None:
                continue
            wanted = displayed(wrong.value, words.show, words.digits)
            knob = wrong.flip.knob
            assert read(made.facts) != wanted
            assert read({**made.facts, knob: wrong.flip.before}) != wanted
            assert read({**made.facts, knob: wrong.flip.at}) == wanted
            towards = sorted((made.facts[knob], wrong.flip.at))
            assert towards[0] <= wrong.flip.before <= towards[1]


@every_generator
def test_questions_are_sound_items_that_render(words):
    blueprint = CATALOG.blueprints[words.exam]
    for made in sampled(words)[:50]:
        item = made.item
        assert not list(item_faults(item, CATALOG.blueprints))
        assert not list(link_faults(item, CATALOG.misconceptions, CATALOG.sources, CATALOG.exhibits))
        rendered = render(item, blueprint, CATALOG)
        assert rendered.provenance["generator"] == words.id
        assert rendered.provenance["seed"] in item.id
        texts = [item.stem, *(part for o in item.options for part in (o.text, o.reason, o.flip or ""))]
        assert not any("{" in text for text in texts)


@every_generator
def test_a_seed_gives_the_same_question_and_seeds_differ(words):
    assert make(words, 7) == sampled(words)[7].item
    assert len({made.item.stem for made in sampled(words)}) >= SAMPLE / 4


@every_generator
def test_the_right_value_is_no_place_more_often_than_another(words):
    places = Counter(
        sorted([made.right, *(w.value for w in made.wrong)]).index(made.right) for made in sampled(words)
    )
    assert max(places.values()) <= 0.45 * SAMPLE
    assert len(places) >= 3


@every_generator
def test_words_fit_their_sum(words):
    assert wording_faults(words) == []


def test_options_alone_give_nothing_away():
    """The audit's bar: the lower 95 % bound is not above zero, or the excess is under three points."""
    items = [made.item for words in GENERATORS for made in sampled(words)]
    assert options_only(items).accuracy.holds


def test_words_that_do_not_fit_are_told():
    words = GENERATORS[0]
    flipped = replace(words.slips[0], flip=FlipWords(knob="moon", text="Right with {at} of {mass}."))
    wrong = {
        "no sum 'none'": replace(words, sum="none"),
        "no slip 'unheard'": replace(words, slips=(replace(words.slips[0], misconception="unheard"),)),
        "no knob 'moon'": replace(words, slips=(flipped,)),
        "no number 'planets'": replace(words, reason="{planets}"),
        "a stem cannot show": replace(words, stems=("{value}?",)),
    }
    for said, broken in wrong.items():
        assert said in " ".join(wording_faults(broken))
        with pytest.raises(CannotMake, match=f"generator {words.id}: .*"):
            make(broken, 1)


def test_numbers_that_never_come_apart_are_told():
    words = replace(GENERATORS[0], slips=GENERATORS[0].slips[:2])
    with pytest.raises(CannotMake, match="a quarter apart"):
        make(words, 1)
