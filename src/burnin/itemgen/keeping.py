"""A generator's candidates as plain lists, to be kept on disk: working them out costs up to a second."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from burnin.domain.generator import GeneratorWords
from burnin.itemgen.choosing import Candidate, Groups
from burnin.itemgen.sums import Number

Plain = list[list[list[list[Any]]]]
"""group → place → candidate → [facts, right, wrong, place]; a fraction is [numerator, denominator]"""


def packed(found: Groups, words: GeneratorWords) -> Plain:
    """Return lists, strings and integers that ``unpacked`` makes the same groups of."""
    number = {slip: place for place, slip in enumerate(words.slips)}
    return [
        [
            [
                [
                    [[name, _plain(value)] for name, value in candidate.facts],
                    _plain(candidate.right),
                    [[number[slip], _plain(value)] for slip, value in candidate.wrong],
                    candidate.place,
                ]
                for candidate in cell
            ]
            for cell in cells
        ]
        for cells in found
    ]


def unpacked(plain: Plain, words: GeneratorWords) -> Groups:
    """Return the groups that ``packed`` was given.

    ``ValueError``, ``TypeError`` or ``IndexError`` for anything else than its lists.
    """
    return tuple(
        tuple(tuple(_candidate(entry, words) for entry in cell) for cell in cells) for cells in plain
    )


def _candidate(entry: list[Any], words: GeneratorWords) -> Candidate:
    facts, right, wrong, place = entry
    return Candidate(
        facts=tuple((name, _number(value)) for name, value in facts),
        right=Fraction(*right),
        wrong=tuple((words.slips[slip], Fraction(*value)) for slip, value in wrong),
        place=place,
    )


def _plain(value: Number) -> int | list[int]:
    return value if isinstance(value, int) else [value.numerator, value.denominator]


def _number(value: int | list[int]) -> Number:
    return value if isinstance(value, int) else Fraction(*value)
