"""The flip point of a computed question's wrong option, with the model's answers on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from burnin.catalog import Catalog
from burnin.domain.form import RenderedItem

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """``rows`` are (value of the knob, right answer as it would read then, whether the option is it).

    ``now`` is the knob's value in the question, ``option`` how the wrong option reads.
    """

    knob: str
    now: str
    option: str
    rows: tuple[tuple[str, str, bool], ...]


MOST_ROWS = 24


def _some(settings: Sequence[T], places: tuple[int, int]) -> list[T]:
    """Keep what lies about the two places, as far again on either side, thinned evenly.

    The places and what is beside them always stay. Farther off the model may well give
    what nobody will ever meet, such as a utilisation of 800 %.
    """
    kept = {at + beside for at in places for beside in (-1, 0, 1)}
    span = max(3, abs(places[0] - places[1]))
    first, last = min(places) - span, max(places) + span
    step = max(1, -(-(last - first + 1) // (MOST_ROWS - len(kept))))
    return [
        value
        for at, value in enumerate(settings)
        if at in kept or (first <= at <= last and (at - first) % step == 0)
    ]


def turned(catalog: Catalog, item: RenderedItem, option_id: str) -> Turned | None:
    """Turn the knob that the option's flip names.

    None for any option without a solved one, and where the generator or its model has
    changed since, so that it would no longer ask the question as it was asked.
    """
    name, _, seed = item.id.rpartition("-")
    words = catalog.generators.get(name)
    if words is None or not seed.isdecimal():
        return None
    from burnin.app.computing import candidates
    from burnin.itemgen import SUMS, CannotMake, work_out
    from burnin.itemgen.showing import displayed, filled, number

    try:
        made = work_out(words, int(seed), groups=candidates)
    except CannotMake:
        return None
    wrong = next((w for w in made.wrong if w.slip.misconception == option_id), None)
    texts = {option.id: option.text for option in item.options}
    if made.item.stem != item.stem or {o.id: o.text for o in made.item.options} != texts:
        return None
    if wrong is None or wrong.flip is None or wrong.slip.flip is None:
        return None
    knob = wrong.slip.flip.knob
    model, facts = SUMS[words.sum], dict(made.facts)
    says = displayed(wrong.value, words.show, words.digits)
    plain = {key: number(value) for key, value in facts.items()}
    rows = []
    settings = sorted({*model.knobs[knob](facts), facts[knob], wrong.flip.at})
    for value in _some(settings, (settings.index(facts[knob]), settings.index(wrong.flip.at))):
        changed = {**facts, knob: value}
        try:
            right = model.answer(changed)
        except (ValueError, ZeroDivisionError):
            continue  # a value at which the model has no answer
        reads = displayed(right, words.show, words.digits)
        text = filled(words.option, {**plain, knob: number(value), "value": reads})
        rows.append((number(value), text, reads == says))
    return Turned(
        knob=knob,
        now=number(facts[knob]),
        option=filled(words.option, {**plain, "value": says}),
        rows=tuple(rows),
    )
