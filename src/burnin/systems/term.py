"""A number with the formula it came from, in symbols and filled in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

GB = 10**9
GIB = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One summand. ``value`` is in ``unit``; ``filled`` is ``formula`` with its numbers.

    >>> Term(name="weights", value=14e9, unit="bytes", formula="2 P", filled="2 x 7e9").gb
    14.0
    """

    name: str
    value: float
    unit: str
    formula: str
    filled: str
    source: str = ""

    @property
    def gb(self) -> float:
        """The value in 10^9 of its unit."""
        return self.value / GB

    @property
    def gib(self) -> float:
        """The value in 2^30 of its unit."""
        return self.value / GIB


def total(terms: Iterable[Term]) -> float:
    """Add up terms of one unit; ValueError where units differ."""
    terms = tuple(terms)
    if len({term.unit for term in terms}) > 1:
        raise ValueError("terms of different units cannot be added")
    return sum(term.value for term in terms)


def show(number: float) -> str:
    """Write a number for a filled-in formula: short, and exact where that is short.

    >>> show(7_500_000_000), show(64), show(0.516)
    ('7.5e9', '64', '0.516')
    """
    if number == 0:
        return "0"
    if abs(number) >= 1e6:
        mantissa, _, exponent = f"{number:.6e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    if number == int(number):
        return str(int(number))
    return f"{number:.6g}"
