"""Whether a generator's words fit the sum that they name."""

from __future__ import annotations

from collections.abc import Iterable

from burnin.domain.generator import GeneratorWords
from burnin.itemgen.registry import SUMS
from burnin.itemgen.showing import names
from burnin.itemgen.sums import Draw


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
    faults += [
        f"explore: no number {name!r}; known: {', '.join(sorted(shown - {'value'}))}"
        for name in sorted(names(words.explore or "") - shown | names(words.explore or "") & {"value"})
    ]
    if any("value" in names(stem) for stem in words.stems):
        faults.append("a stem cannot show {value}")
    return faults


def usable(generators: Iterable[GeneratorWords]) -> list[GeneratorWords]:
    """Return the generators whose words fit a sum that there is."""
    return [words for words in generators if not wording_faults(words)]
