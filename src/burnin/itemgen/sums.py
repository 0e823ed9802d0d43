"""What a sum is: parameters to draw, a right answer, and named ways to get it wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TypeVar

Number = int | Fraction
Facts = Mapping[str, Number]
"""The numbers a question states, by the name its words use."""

Rule = Callable[[Facts], Fraction]

T = TypeVar("T")


class Draw:
    """Choices from a seed that are the same in every version of Python."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311  # a draw that can be repeated, not a secret

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[int(self._random.random() * len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in a drawn order."""
        return sorted(values, key=lambda _: self._random.random())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """A model's answer to one kind of question, and what misconceptions make of the same numbers.

    ``answer`` calls ``systems``. ``slips`` maps a misconception's id to the value that who
    holds it arrives at. ``knobs`` gives, for facts that a flip may change, the values that
    each may take beside the others. ``parts`` are further numbers that the words show.
    ``fits`` says whether drawn facts can be worked in the head.
    """

    version: int
    draw: Callable[[Draw], Facts]
    answer: Rule
    slips: Mapping[str, Rule]
    knobs: Mapping[str, Callable[[Facts], Sequence[Number]]] = field(default_factory=dict)
    parts: Mapping[str, Rule] = field(default_factory=dict)
    fits: Callable[[Facts], bool] = lambda facts: True


def doubling(first: int, last: int) -> tuple[int, ...]:
    """Return first, 2 first, 4 first … up to last.

    >>> doubling(2, 16)
    (2, 4, 8, 16)
    """
    values = []
    while first <= last:
        values.append(first)
        first *= 2
    return tuple(values)


def simple(value: float) -> Fraction:
    """Return the simple fraction that a model computed in floating point.

    >>> simple(40 / 3)
    Fraction(40, 3)
    """
    return Fraction(value).limit_denominator(10**6)


def integer(facts: Facts, name: str) -> int:
    """Return a fact that counts things."""
    return int(facts[name])


def believing(hand: Rule, **changes: Number | Rule) -> Rule:
    """Return ``hand`` done with some facts believed otherwise, each a number or a rule on the facts.

    >>> believing(lambda facts: Fraction(facts["a"] * facts["b"]), b=3)({"a": 2, "b": 5})
    Fraction(6, 1)
    """

    def rule(facts: Facts) -> Fraction:
        believed = {name: change(facts) if callable(change) else change for name, change in changes.items()}
        return hand({**facts, **believed})

    return rule
