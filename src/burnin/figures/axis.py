"""Round ticks and linear scales."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence


def round_ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Return ticks at 1, 2 or 5 times a power of ten that enclose ``low`` and ``high``."""
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError("an axis needs finite ends")
    if low > high:
        low, high = high, low
    if low == high:
        low, high = (0.0, 1.0) if low == 0 else (min(0.0, low), max(0.0, low))
    rough = (high - low) / max(1, about - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= rough * (1 - 1e-9))
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    decimals = max(0, -math.floor(math.log10(step)))
    return tuple(round(count * step, decimals) for count in range(first, last + 1))


def linear(domain: tuple[float, float], span: tuple[float, float]) -> Callable[[float], float]:
    """Return a function that maps ``domain`` onto ``span``."""
    low, high = domain
    start, end = span
    width = high - low
    return lambda value: start if width == 0 else start + (value - low) / width * (end - start)


def label(value: float) -> str:
    """Write a tick's or cell's value: no exponent below a million, no needless zeros."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.6g}" if abs(value) >= 1e-4 else f"{value:.3g}"


def places(values: Sequence[str]) -> tuple[float, ...]:
    """Return where the x values stand between 0 and 1.

    Rising numbers stand where their value puts them; words, and numbers that grow
    by a constant factor (1, 2, 4, 8 …), stand at equal distances.
    """
    count = len(values)
    equal = tuple(index / (count - 1) if count > 1 else 0.5 for index in range(count))
    try:
        numbers = [float(value.replace(",", "")) for value in values]
    except ValueError:
        return equal
    rising = all(b > a for a, b in itertools.pairwise(numbers))
    if count < 3 or not rising or not all(math.isfinite(n) for n in numbers):
        return equal
    if numbers[0] > 0:
        ratios = [b / a for a, b in itertools.pairwise(numbers)]
        if min(ratios) >= 1.5 and max(ratios) - min(ratios) < 0.01 * max(ratios):
            return equal
    scale = linear((numbers[0], numbers[-1]), (0.0, 1.0))
    return tuple(scale(value) for value in numbers)
