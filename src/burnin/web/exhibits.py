"""Exhibits as markup: tables, code, charts with the table behind them."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup

from burnin.domain.item import Exhibit
from burnin.figures.chart import chart_svg, chart_table

KINDS = {"table": "Table", "code": "Text", "chart": "Chart"}


@lru_cache(maxsize=256)
def svg(exhibit: Exhibit, prefix: str) -> Markup | None:
    """The picture of a chart; None for one that cannot be drawn, whose table still stands."""
    try:
        return Markup(chart_svg(exhibit, prefix=prefix))  # noqa: S704 - escaped by the drawing
    except ValueError:
        return None


def table(exhibit: Exhibit) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Column heads and rows of a table exhibit, or of what a chart shows."""
    return chart_table(exhibit) if exhibit.kind == "chart" else (exhibit.columns, exhibit.rows)


def numeric(rows: tuple[tuple[str, ...], ...]) -> list[bool]:
    """Which columns hold figures, by their cells; these are set to the right. The first never is."""
    width = max((len(row) for row in rows), default=0)
    columns = [[row[index] for row in rows if index < len(row)] for index in range(width)]
    figures = [all(_FIGURE.match(cell.strip()) for cell in column) for column in columns]
    # A row may be longer in a broken table; what lies beyond is text.
    return [False, *figures[1:], *[False] * 64]


_FIGURE = re.compile(r"$|[-–—−+~≈<>≤≥×]?\s*[\d.,]+\b|[-–—]$|n/a$")
