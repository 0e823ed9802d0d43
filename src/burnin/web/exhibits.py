"""Exhibits as markup: tables, code, charts with the table behind them."""

from __future__ import annotations

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
