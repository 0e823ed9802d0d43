"""What a dashboard shows: a measure over time, a line a replica or a rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel. ``x`` are minutes (or ranks, or stages), each of ``series`` as long.

    ``metric`` is the name that a server's exporter would use.
    """

    id: str
    title: str
    unit: str
    metric: str
    x: tuple[float, ...]
    series: Mapping[str, tuple[float, ...]]
    x_label: str = "Minute"

    def mean(self, name: str, first: float, last: float) -> float:
        """Return the mean of a line from minute ``first`` up to ``last``."""
        line = [y for x, y in zip(self.x, self.series[name], strict=True) if first <= x < last]
        return sum(line) / len(line)
