"""Facts of the sums on time and traffic, as exact fractions."""

from __future__ import annotations

from fractions import Fraction

from burnin.itemgen.sums import Facts, integer


def q(facts: Facts, name: str) -> Fraction:
    """Return a fact as a fraction."""
    return Fraction(facts[name])


def share(facts: Facts, name: str = "percent") -> Fraction:
    """Return a fact in whole percents as a share.

    >>> share({"percent": 40})
    Fraction(2, 5)
    """
    return Fraction(integer(facts, name), 100)
