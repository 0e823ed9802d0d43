"""From words and a seed to a question: draw, compute, choose wrong options, solve flip points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

from burnin.domain.generator import FlipWords, GeneratorWords, SlipWords
from burnin.domain.item import Item, Option
from burnin.itemgen.registry import SUMS
from burnin.itemgen.showing import displayed, filled, names, number, shown_value
from burnin.itemgen.sums import Draw, Facts, Number, Sum

OPTIONS = 4
APART = Fraction(5, 4)
"""Any two options differ by at least a quarter of the smaller, so they can be told apart in the head."""

TRIES = 400
RIGHT = "computed"


class CannotMake(ValueError):
    """The words name no sum, or its numbers never give options that are far enough apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """Where a wrong option becomes right: ``knob`` at ``at``; one value nearer, ``before``, it is not."""

    knob: str
    at: Number
    before: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A wrong option: the slip, its value, and its flip point where the model has one."""

    slip: SlipWords
    value: Fraction
    flip: Flip | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A question with everything it was made from."""

    item: Item
    facts: Facts
    right: Fraction
    wrong: tuple[Wrong, ...]


def make(words: GeneratorWords, seed: int) -> Item:
    """Return the question of a seed; the same words, seed and models give the same question.

    ``CannotMake`` as ``work_out``.
    """
    return work_out(words, seed).item


def work_out(words: GeneratorWords, seed: int) -> Made:
    """Return the question of a seed with facts, values and flip points.

    The right answer's place among the values is drawn first, so that neither the middle nor
    an end is the better guess. ``CannotMake`` for an unknown sum or slip, a name in the words
    that the sum does not have, or numbers that never come far enough apart.
    """
    faults = wording_faults(words)
    if faults:
        raise CannotMake(f"generator {words.id}: {faults[0]}")
    model = SUMS[words.sum]
    draw = Draw(f"{words.id} {seed}")
    place = draw.pick(range(OPTIONS))
    for attempt in range(TRIES):
        facts = model.draw(draw)
        if not model.fits(facts):
            continue
        found = _options(words, model, facts, draw, place if attempt < TRIES // 2 else None)
        if found is not None:
            right, wrong = found
            return Made(
                item=_item(words, model, facts, right, wrong, seed, draw),
                facts=facts,
                right=right,
                wrong=wrong,
            )
    raise CannotMake(f"generator {words.id}: no numbers with four options a quarter apart in {TRIES} draws")


def wording_faults(words: GeneratorWords) -> list[str]:
    """Return what keeps words from being used with their sum; empty if nothing does."""
    model = SUMS.get(words.sum)
    if model is None:
        return [f"no sum {words.sum!r}; known: {', '.join(SUMS)}"]
    faults = [
        f"sum {words.sum} has no slip {slip.misconception!r}; known: {', '.join(model.slips)}"
        for slip in words.slips
        if slip.misconception not in model.slips
    ]
    faults += [
        f"sum {words.sum} has no knob {slip.flip.knob!r}; known: {', '.join(model.knobs)}"
        for slip in words.slips
        if slip.flip and slip.flip.knob not in model.knobs
    ]
    facts = set(model.draw(Draw("names")))
    shown = facts | set(model.parts) | {"value"}
    texts = [*words.stems, words.option, words.reason, *(slip.reason for slip in words.slips)]
    flips = [slip.flip.text for slip in words.slips if slip.flip]
    for text, known in [*((t, shown) for t in texts), *((t, shown | {"at"}) for t in flips)]:
        faults += [
            f"no number {name!r}; known: {', '.join(sorted(known))}" for name in sorted(names(text) - known)
        ]
    if any("value" in names(stem) for stem in words.stems):
        faults.append("a stem cannot show {value}")
    return faults


def _options(
    words: GeneratorWords, model: Sum, facts: Facts, draw: Draw, place: int | None
) -> tuple[Fraction, tuple[Wrong, ...]] | None:
    """Choose three slips whose values stand apart, with the right one in its place, or None."""
    right = model.answer(facts)
    if right <= 0 or not _exact(right, words):
        return None
    values = {}
    for slip in words.slips:
        value = model.slips[slip.misconception](facts)
        if value > 0 and _exact(value, words) and _apart((right, value)):
            values[slip] = value
    for chosen in draw.shuffled(list(combinations(values, OPTIONS - 1))):
        options = (right, *(values[slip] for slip in chosen))
        if not _apart(options) or (place is not None and sorted(options).index(right) != place):
            continue
        wrong = tuple(
            Wrong(
                slip=slip, value=values[slip], flip=solve_flip(words, model, facts, slip.flip, values[slip])
            )
            for slip in chosen
        )
        if any(option.flip for option in wrong):
            return right, wrong
    return None


def _apart(values: Sequence[Fraction]) -> bool:
    ordered = sorted(values)
    return all(high >= low * APART for low, high in pairwise(ordered))


def _exact(value: Fraction, words: GeneratorWords) -> bool:
    """Shares are rounded; other numbers must be short, or the long one would stand out."""
    if words.show == "percent":
        return Fraction(1, 100) <= value <= 1
    return Fraction(number(value, words.digits).replace(",", "")) == value


def solve_flip(
    words: GeneratorWords, model: Sum, facts: Facts, flip: FlipWords | None, value: Fraction
) -> Flip | None:
    """Return the nearest value of the knob at which the model's answer reads like ``value``.

    Bisects on both sides, since answers rise or fall with a knob; where one does neither, a
    flip may be missed, but none is returned that the model did not show.
    """
    if flip is None:
        return None
    knob, now = flip.knob, facts[flip.knob]
    settings = sorted({*model.knobs[knob](facts), now})
    middle = settings.index(now)
    wanted = shown_value(value, words.show, words.digits)

    @cache
    def read(index: int) -> Fraction:
        answer = model.answer({**facts, knob: settings[index]})
        return shown_value(answer, words.show, words.digits)

    side = 1 if wanted > read(middle) else -1
    found = []
    for indices in (range(middle, len(settings)), range(middle, -1, -1)):
        near, far = 0, len(indices)
        while far - near > 1:
            half = (near + far) // 2
            if (read(indices[half]) - wanted) * side >= 0:
                far = half
            else:
                near = half
        if far < len(indices) and read(indices[far]) == wanted:
            found.append((far, Flip(knob=knob, at=settings[indices[far]], before=settings[indices[near]])))
    return min(found, key=lambda entry: entry[0])[1] if found else None


def _item(
    words: GeneratorWords,
    model: Sum,
    facts: Facts,
    right: Fraction,
    wrong: Sequence[Wrong],
    seed: int,
    draw: Draw,
) -> Item:
    shown = {name: number(value) for name, value in facts.items()}
    shown |= {name: number(rule(facts), 4) for name, rule in model.parts.items()}

    def text(template: str, value: Fraction, more: Mapping[str, str] | None = None) -> str:
        own = {"value": displayed(value, words.show, words.digits)}
        return filled(template, {**shown, **own, **(more or {})})

    options = [
        Option(id=RIGHT, text=text(words.option, right), reason=text(words.reason, right), correct=True)
    ]
    for option in wrong:
        slip, flip = option.slip, None
        if option.flip is not None and slip.flip is not None:
            flip = text(slip.flip.text, option.value, {"at": number(option.flip.at)})
        options.append(
            Option(
                id=slip.misconception,
                text=text(words.option, option.value),
                reason=text(slip.reason, option.value),
                misconception=slip.misconception,
                flip=flip,
            )
        )
    return Item(
        id=f"{words.id}-{seed}",
        version=words.version,
        exam=words.exam,
        objective=words.objective,
        secondary=words.secondary,
        focus=words.focus,
        official=words.official,
        choose=1,
        stem=filled(draw.pick(words.stems), shown),
        options=tuple(draw.shuffled(options)),
        sources=words.sources,
        as_of=words.as_of,
        scenario=words.scenario,
        steps=words.steps,
        difficulty=words.difficulty,
        seconds=words.seconds,
        # Two questions of one generator never meet in a form: one would give the other away.
        family=words.family or words.id,
        guide_says=words.guide_says,
        provenance={
            "generator": words.id,
            "generator version": str(words.version),
            "seed": str(seed),
            "sum": words.sum,
            "sum version": str(model.version),
        },
    )
