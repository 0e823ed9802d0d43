"""Made-up banks: one that gives nothing away, and the same with one kind of flaw planted.

The words are nonsense built from syllables, so nothing but form can tell the key. A neutral
item draws its options from one frame with the key at a random place; stems and options share
no keyword. Counts follow the built-in bank's mix: three in four are choose 1 of 4.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from burnin.domain.item import Citation, Item, Option

SIZE = 224

_ONSETS = (
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "t",
    "tr",
    "v",
    "w",
)
_RIMES = (
    "ab",
    "ack",
    "ail",
    "am",
    "and",
    "ar",
    "eb",
    "eck",
    "el",
    "en",
    "erm",
    "ick",
    "il",
    "im",
    "in",
    "ob",
    "ock",
    "ol",
    "om",
    "or",
    "ub",
    "uck",
    "ul",
    "um",
    "un",
)

_FRAMES: tuple[Callable[[Callable[[], str]], str], ...] = (
    lambda w: f"{w().capitalize()} the {w()} {w()} before the {w()} is {w()}",
    lambda w: f"The {w()} {w()}, which {w()} each {w()} by {w()}",
    lambda w: f"A {w()} of {w()} {w()} in place of the {w()}",
    lambda w: f"It {w()} {w()} from {w()} and {w()} to {w()}",
    lambda w: f"{w().capitalize()} and {w()} under a {w()} {w()}",
    lambda w: f"More {w()} for the {w()}, so that {w()} {w()} at {w()}",
)
_STEMS: tuple[Callable[[Callable[[], str]], str], ...] = (
    lambda w: (
        f"A {w()} {w()} has {w()} and {w()}, and its {w()} may not {w()} the {w()}. "
        f"At night the {w()} of {w()} is {w()}. Which {w()} does it take?"
    ),
    lambda w: (
        f"Under {w()} the {w()} shows {w()} where {w()} was {w()}. {w().capitalize()} and {w()} are the same. "
        f"What explains the {w()} {w()}?"
    ),
    lambda w: (
        f"Why does {w()} in the {w()} of a {w()} {w()} need {w()} after {w()}? Both {w()} and {w()} have {w()}."
    ),
)


def word(chance: random.Random) -> str:
    return "".join(chance.choice(_ONSETS) + chance.choice(_RIMES) for _ in range(chance.choice((1, 2, 2, 3))))


def neutral(seed: int, size: int = SIZE) -> list[Item]:
    """A bank whose options give nothing away: the key is drawn after the options are written."""
    chance = random.Random(seed)
    vocabulary = sorted({word(chance) for _ in range(6000)})
    half = chance.sample(vocabulary, len(vocabulary))
    for_stems, for_options = half[::2], half[1::2]
    items = []
    for number in range(size):
        choose, count = (2, 5) if number % 4 == 3 else (1, 4)
        frame = chance.choice(_FRAMES)
        texts = [frame(lambda: chance.choice(for_options)) for _ in range(count)]
        key = chance.sample(range(count), choose)
        items.append(
            Item(
                id=f"made-{number:04d}",
                version=1,
                exam="TST-ONE" if number % 2 else "TST-TWO",
                objective="alpha/one",
                official="1.1",
                choose=choose,
                stem=chance.choice(_STEMS)(lambda: chance.choice(for_stems)),
                options=tuple(
                    Option(id=f"o{place}", text=text, reason="Because it is so.", correct=place in key)
                    for place, text in enumerate(texts)
                ),
                sources=(Citation(source="paper-one", locator="section 1"),),
                as_of="2026-01-01",
                exhibit=f"shown-{number // 3}" if number % 9 < 3 else None,
                family=f"family-{number // 2}" if number % 20 < 2 else None,
            )
        )
    return items


def rewrite(item: Item, change: Callable[[Option], str]) -> Item:
    """The item with each option's text replaced by what ``change`` makes of it."""
    return replace(item, options=tuple(replace(option, text=change(option)) for option in item.options))


def planted(
    seed: int, share: float, change: Callable[[Option, random.Random], str], size: int = SIZE
) -> list[Item]:
    """A neutral bank with ``change`` applied to every option of a share of its items."""
    chance = random.Random(seed + 1000)
    return [
        rewrite(item, lambda option: change(option, chance)) if chance.random() < share else item
        for item in neutral(seed, size)
    ]


def long_key(option: Option, chance: random.Random) -> str:
    return f"{option.text} with {word(chance)} {word(chance)}" if option.correct else option.text


def short_key(option: Option, chance: random.Random) -> str:
    return option.text if option.correct else f"{option.text} with {word(chance)} {word(chance)}"


def hedged_key(option: Option, chance: random.Random) -> str:
    hedge, padding = chance.choice(("usually", "often", "typically", "may")), word(chance)
    return _inserted(option.text, hedge if option.correct else padding)


def absolute_wrong(option: Option, chance: random.Random) -> str:
    absolute, padding = chance.choice(("always", "never", "only", "completely")), word(chance)
    return _inserted(option.text, padding if option.correct or chance.random() < 0.4 else absolute)


def branded_key(option: Option, chance: random.Random) -> str:
    product, padding = chance.choice(("TensorRT", "NeMo", "Triton", "Riva")), word(chance)
    return _inserted(option.text, product if option.correct else padding)


def specific_key(option: Option, chance: random.Random) -> str:
    figure, padding = str(chance.randrange(2, 900)), word(chance)
    return _inserted(option.text, figure if option.correct else padding)


def worded_key(option: Option, chance: random.Random) -> str:
    """A new word in every option; those of right options all end on the same letters."""
    return _inserted(option.text, word(chance) + ("oshque" if option.correct else word(chance)))


def off_form_key(option: Option, chance: random.Random) -> str:
    """The right option alone starts with a gerund."""
    return f"{word(chance).capitalize()}{'ing' if option.correct else 'el'} {option.text.lower()}"


def _inserted(text: str, added: str) -> str:
    words = text.split()
    return " ".join([*words[:2], added, *words[2:]])


def reworded(item: Item, seed: int, share: float, new_id: str) -> Item:
    """A twin: a share of the words replaced, sentences and options in another order, same key."""
    chance = random.Random(seed)

    def other(text: str) -> str:
        return " ".join(word(chance) if chance.random() < share else old for old in text.split())

    sentences = [part for part in item.stem.split(". ") if part]
    options = [replace(option, text=other(option.text)) for option in item.options]
    return replace(
        item,
        id=new_id,
        stem=other(". ".join(chance.sample(sentences, len(sentences)))),
        options=tuple(chance.sample(options, len(options))),
        exhibit=None,
        family=None,
    )


def converging_key(item: Item, chance: random.Random) -> Item:
    """Each wrong option becomes the right one with one part replaced: the right one shares most with all."""
    right = next(option for option in item.options if option.correct).text.split()

    def change(option: Option) -> str:
        if option.correct:
            return option.text
        words = list(right)
        for place in chance.sample([i for i, old in enumerate(words) if len(old) > 3], 2):
            words[place] = word(chance)
        return " ".join(words)

    return rewrite(item, change) if item.choose == 1 else item


def converging(seed: int, share: float) -> list[Item]:
    chance = random.Random(seed + 1000)
    return [converging_key(item, chance) if chance.random() < share else item for item in neutral(seed)]


def key_drawn_anew(items: list[Item], seed: int) -> list[Item]:
    """The same texts with a key drawn at random: neutral whatever the texts are."""
    chance = random.Random(seed)
    drawn = []
    for item in items:
        key = set(chance.sample([option.id for option in item.options], item.choose))
        options = tuple(replace(option, correct=option.id in key) for option in item.options)
        drawn.append(replace(item, options=options))
    return drawn
