"""Numbers as a question shows them, and the filling of its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

_NAME = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def rounded(value: Fraction, digits: int) -> Fraction:
    """Round to so many significant digits, halves up; whole numbers of more digits stay exact."""
    # Whole numbers throughout: fractions cost ten times as much, and generators round by the million.
    above, below = value.numerator, value.denominator
    if above == 0:
        return Fraction(0)
    scale, bound = 1, 10 ** (digits - 1) * below
    while abs(above) * scale < bound:
        scale *= 10
    return Fraction((2 * above * scale + below) // (2 * below), scale)


def number(value: Fraction | int, digits: int = 12) -> str:
    """Write a number with so many significant digits, thousands apart, no needless zeros.

    >>> number(Fraction(2240)), number(Fraction(35, 2)), number(Fraction(1, 3), 2)
    ('2,240', '17.5', '0.33')
    """
    exact = rounded(Fraction(value), digits)
    whole, rest = divmod(abs(exact), 1)
    places = ""
    while rest:
        digit, rest = divmod(rest * 10, 1)
        places += str(int(digit))
        if len(places) > 24:
            break
    sign = "-" if exact < 0 else ""
    return f"{sign}{int(whole):,}" + (f".{places}" if places else "")


def decimals(value: Fraction) -> int:
    """Return how many places a terminating decimal takes behind its point."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return places


def shown_value(value: Fraction, show: str, digits: int) -> Fraction:
    """Return the number that ``displayed`` writes."""
    if show == "percent":
        return Fraction((value * 100 + Fraction(1, 2)).__floor__())
    return rounded(value, digits)


def displayed(value: Fraction, show: str, digits: int) -> str:
    """Write an option's value as its generator wants it: a number, or the whole percents of a share."""
    return number(shown_value(value, show, digits))


def names(template: str) -> set[str]:
    """Return the names that a template uses."""
    return set(_NAME.findall(template))


def filled(template: str, values: Mapping[str, str]) -> str:
    """Put values in the place of ``{name}``; ``KeyError`` for a name without a value."""
    return _NAME.sub(lambda match: values[match[1]], template)
