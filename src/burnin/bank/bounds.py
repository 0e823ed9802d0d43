"""One-sided lower 95 % bounds, so that a small bank is not condemned by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.6448536269514722
"""The standard normal's 95 % quantile."""

TOLERATED = 0.03
"""An excess under three points gives a test-wise reader nothing worth having."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """How much better than chance something went, and what of it is beyond chance."""

    rate: float
    chance: float
    lower95: float

    @property
    def holds(self) -> bool:
        """Whether the bar holds: no excess beyond chance, or one that is too small to matter."""
        return self.lower95 <= 0 or self.rate - self.chance < TOLERATED


def over_chance(hits: Sequence[float], chances: Sequence[float]) -> Excess:
    """``over_chance([1, 0, 0, 0], [.25] * 4)`` → rate .25, chance .25, lower95 -.19.

    ``hits`` are 0 or 1 an item, or a fraction where ties were broken evenly; ``chances``
    what guessing gives on it. The bound is Wilson's on the rate (Wilson 1927, JASA 22, p. 209)
    less the mean chance. Items with unequal chances vary a little less than the binomial
    that Wilson assumes, so the bound is on the lenient side by a hair.
    """
    n = len(hits)
    if n == 0:
        return Excess(rate=0.0, chance=0.0, lower95=0.0)
    rate = math.fsum(hits) / n
    chance = math.fsum(chances) / n
    centre = rate + Z95**2 / (2 * n)
    spread = Z95 * math.sqrt(rate * (1 - rate) / n + Z95**2 / (4 * n**2))
    return Excess(rate=rate, chance=chance, lower95=(centre - spread) / (1 + Z95**2 / n) - chance)


def paired(first: Sequence[float], second: Sequence[float]) -> Excess:
    """``paired`` shares of two kinds within each item; ``rate`` and ``chance`` are their means.

    The bound is on the mean difference, with half a pseudo-item for and half a one against
    (Agresti & Min 2005, Statistics in Medicine 24, p. 729), so that two items prove nothing.
    """
    n = len(first)
    if n == 0:
        return Excess(rate=0.0, chance=0.0, lower95=0.0)
    differences = [a - b for a, b in zip(first, second, strict=True)]
    mean = math.fsum(differences) / (n + 2)
    variance = (math.fsum(d * d for d in differences) + 1) / (n + 2) - mean**2
    return Excess(
        rate=math.fsum(first) / n,
        chance=math.fsum(second) / n,
        lower95=mean - Z95 * math.sqrt(variance / (n + 2)),
    )
