"""Flip points: where a changed fact makes a wrong option right, found by running the model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from burnin.domain.generator import FlipWords, GeneratorWords
from burnin.itemgen.showing import shown_value
from burnin.itemgen.sums import Facts, Number, Sum


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """Where a wrong option becomes right: ``knob`` at ``at``; one value nearer, ``before``, it is not."""

    knob: str
    at: Number
    before: Number


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
