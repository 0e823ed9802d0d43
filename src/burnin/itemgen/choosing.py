"""Which numbers and which wrong options make a question that its options do not give away."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, permutations

from burnin.domain.generator import GeneratorWords, SlipWords
from burnin.itemgen.registry import SUMS
from burnin.itemgen.showing import decimals, number, rounded, shown_value
from burnin.itemgen.sums import Draw, Facts, Number

OPTIONS = 4

APART = Fraction(5, 4)
"""Any two options differ by at least a quarter of the smaller, so they can be told apart in the head."""

TOGETHER = 4
"""Neighbouring options differ by at most this factor, so that none is discarded at sight."""

DRAWS = 1500
"""How many draws of facts are looked through, once for each generator and process."""

MANY, FEW = 80, 40
"""How many different facts should be left to draw from, and how many must be."""

CELL = 4
"""How few candidates a place may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Facts with the right value and three slips. ``place`` is the right one's among the values."""

    facts: tuple[tuple[str, Number], ...]
    right: Fraction
    wrong: tuple[tuple[SlipWords, Fraction], ...]
    place: int


Cell = tuple[Candidate, ...]
Groups = tuple[tuple[Cell, ...], ...]


@lru_cache(maxsize=256)
def groups(words: GeneratorWords) -> Groups:
    """Return candidates in groups that look alike, each group split by the right value's place.

    Slips err by factors, so a right answer has looks of its own: not the extreme, not the
    longest. Within a group all candidates look the same, and a question draws the place
    first. So somebody who sees only the options learns nothing about which is right. The
    finest of ``_LOOKS`` is taken that leaves enough to choose from, with every place where
    the slips allow it and with three of four where they do not.
    """
    candidates = {candidate: _shown(words, candidate) for candidate in _candidates(words)}
    looks: dict[object, list[Hashable]] = {}
    for places, enough in ((OPTIONS, MANY), (OPTIONS, FEW), (OPTIONS - 1, FEW), (1, 1)):
        for look in _LOOKS:
            if look not in looks:
                looks[look] = [look(shown) for shown in candidates.values()]
            found = _grouped(candidates, looks[look], places)
            if len({c.facts for cells in found for cell in cells for c in cell}) >= enough:
                return found
    return ()


def _grouped(
    candidates: Iterable[Candidate],
    looks: Sequence[Hashable],
    places: int,
) -> Groups:
    split: dict[Hashable, tuple[list[Candidate], ...]] = {}
    for candidate, look in zip(candidates, looks, strict=True):
        cells = split.setdefault(look, tuple([] for _ in range(OPTIONS)))
        cells[candidate.place].append(candidate)
    least = 1 if places == 1 else CELL
    kept = [[tuple(cell) for cell in cells if len(cell) >= least] for cells in split.values()]
    return tuple(tuple(cells) for cells in kept if len(cells) >= places)


def _candidates(words: GeneratorWords) -> Iterator[Candidate]:
    model = SUMS[words.sum]
    draw = Draw(f"{words.id} candidates")
    for facts in dict.fromkeys(tuple(model.draw(draw).items()) for _ in range(DRAWS)):
        if model.fits(dict(facts)):
            yield from _of_facts(words, dict(facts))


def _of_facts(words: GeneratorWords, facts: Facts) -> Iterator[Candidate]:
    model = SUMS[words.sum]
    right = model.answer(facts)
    if right <= 0 or not _exact(right, words):
        return
    slips = ((slip, model.slips[slip.misconception](facts)) for slip in words.slips)
    fit = [(s, v) for s, v in slips if v > 0 and _exact(v, words) and _apart(right, v)]
    read = {value: shown_value(value, words.show, words.digits) for value in (right, *(v for _, v in fit))}
    looks = {value: (decimals(shown), shown >= 1000) for value, shown in read.items()}
    fit = [(slip, value) for slip, value in fit if looks[value] == looks[right]]
    steps = {
        (low, high): _apart(low, high) and _apart(read[low], read[high]) and _near(read[low], read[high])
        for low, high in permutations(read, 2)
        if low < high and looks[low] == looks[high]
    }
    for chosen in combinations(fit, OPTIONS - 1):
        options = sorted((right, *(value for _, value in chosen)))
        if all(steps.get(step, False) for step in pairwise(options)):
            yield Candidate(facts=tuple(facts.items()), right=right, wrong=chosen, place=options.index(right))


def _shown(words: GeneratorWords, candidate: Candidate) -> list[Fraction]:
    values = (candidate.right, *(value for _, value in candidate.wrong))
    return sorted(shown_value(value, words.show, words.digits) for value in values)


def _lengths(values: Sequence[Fraction]) -> tuple[int, ...]:
    return tuple(map(_length, values))


@lru_cache(maxsize=1 << 16)
def _length(value: Fraction) -> int:
    return len(number(value))


def _round(values: Sequence[Fraction]) -> tuple[bool, ...]:
    return tuple(value % 10 == 0 for value in values)


_LOOKS: tuple[Callable[[Sequence[Fraction]], Hashable], ...] = (
    tuple,
    lambda values: (_lengths(values), _round(values), tuple(value / values[0] for value in values)),
    lambda values: (_lengths(values), _round(values)),
    _lengths,
)
"""What can be seen of four sorted values, from all of it to their lengths."""


def _apart(one: Fraction, other: Fraction) -> bool:
    low, high = sorted((one, other))
    return high >= low * APART


def _near(low: Fraction, high: Fraction) -> bool:
    """Say whether the higher value does not stand out far from the lower."""
    return high <= low * TOGETHER


def _exact(value: Fraction, words: GeneratorWords) -> bool:
    """Say whether a value can be shown as it is: shares are rounded, counts whole, numbers short."""
    if words.show == "percent":
        return Fraction(1, 100) <= value <= 1
    if words.show == "count":
        return value.denominator == 1
    return rounded(value, words.digits) == value
