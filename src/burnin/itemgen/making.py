"""From words and a seed to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from burnin.domain.generator import GeneratorWords, SlipWords
from burnin.domain.item import Item, Option
from burnin.itemgen import choosing
from burnin.itemgen.choosing import Candidate, Groups
from burnin.itemgen.flips import Flip, solve_flip
from burnin.itemgen.registry import SUMS
from burnin.itemgen.showing import displayed, filled, number
from burnin.itemgen.sums import Draw, Facts, Sum
from burnin.itemgen.wording import wording_faults

RIGHT = "computed"


class CannotMake(ValueError):
    """The words name no sum, or its numbers never give options that are far enough apart."""


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


GroupsOf = Callable[[GeneratorWords], Groups]


def make(words: GeneratorWords, seed: int, *, groups: GroupsOf = choosing.groups) -> Item:
    """Return the question of a seed; the same words, seed and models give the same question.

    ``CannotMake`` as ``work_out``.
    """
    return work_out(words, seed, groups=groups).item


def work_out(words: GeneratorWords, seed: int, *, groups: GroupsOf = choosing.groups) -> Made:
    """Return the question of a seed with facts, values and flip points.

    ``groups`` gives a generator's candidates, from wherever they are kept.
    At least one wrong option has a flip point. ``CannotMake`` for an unknown sum or slip, a
    name in the words that the sum does not have, or numbers that never come far enough apart.
    """
    faults = wording_faults(words)
    if faults:
        raise CannotMake(f"generator {words.id}: {faults[0]}")
    draw = Draw(f"{words.id} {seed}")
    for candidate in _drawn(groups(words), draw):
        wrong = _with_flips(words, candidate)
        if any(option.flip for option in wrong):
            facts = dict(candidate.facts)
            item = _item(words, SUMS[words.sum], facts, candidate.right, wrong, seed, draw)
            return Made(item=item, facts=facts, right=candidate.right, wrong=wrong)
    raise CannotMake(f"generator {words.id}: its numbers never give four options a quarter apart")


def _drawn(found: Groups, draw: Draw) -> list[Candidate]:
    """Draw a group by its size, then the place, then an order of the candidates there."""
    if not found:
        return []
    cells = draw.pick([cells for cells in found for cell in cells for _ in cell])
    return draw.shuffled(draw.pick(cells))


def _with_flips(words: GeneratorWords, candidate: Candidate) -> tuple[Wrong, ...]:
    model, facts = SUMS[words.sum], dict(candidate.facts)
    return tuple(
        Wrong(slip=slip, value=value, flip=solve_flip(words, model, facts, slip.flip, value))
        for slip, value in candidate.wrong
    )


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
        explore=filled(words.explore, _knobs(model, facts)) if words.explore else None,
        provenance={
            "generator": words.id,
            "generator version": str(words.version),
            "seed": str(seed),
            "sum": words.sum,
            "sum version": str(model.version),
        },
    )


def _knobs(model: Sum, facts: Facts) -> dict[str, str]:
    """Return the numbers as an address holds them: no commas, a point where they are no whole numbers."""
    values = {**facts, **{name: rule(facts) for name, rule in model.parts.items()}}
    return {name: f"{float(value):.12g}" for name, value in values.items()}
