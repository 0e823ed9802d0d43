"""Readiness over time as a chart with its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnin.domain.item import Exhibit, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from burnin.app.ready import Point


def history_chart(points: Sequence[Point]) -> Exhibit:
    """Return the chance to pass, in percent, after each day of study."""
    first, last = points[0], points[-1]
    return Exhibit(
        id="readiness-history",
        title="Chance to pass, had you sat that day",
        kind="chart",
        chart="line",
        x_label="Day",
        x_values=tuple(point.day.isoformat() for point in points),
        y_label="Percent",
        series=(
            Series(name="Chance to pass", values=tuple(round(100 * p.p_pass, 1) for p in points)),
            Series(name="Expected score", values=tuple(round(p.score_mean, 1) for p in points)),
        ),
        summary=f"The chance to pass went from {first.p_pass:.0%} to {last.p_pass:.0%}.",
    )
