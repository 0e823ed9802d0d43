"""Figures of explorers as markup: SVG, and beyond some 2,000 marks data for a canvas."""

from __future__ import annotations

import json
from functools import singledispatch
from typing import Any

from markupsafe import Markup

from burnin.figures.placement import Placement, placement_svg
from burnin.figures.scatter import Front, front_svg
from burnin.figures.timeline import Lanes, timeline_svg
from burnin.figures.waterfall import Waterfall, waterfall_svg

MARKS_MAX = 2000


@singledispatch
def draw(figure: Any, prefix: str) -> Markup:
    """Return a figure as SVG; ``prefix`` makes its ids unique on the page."""
    raise TypeError(f"no drawing for {type(figure).__name__}")


@draw.register
def _(figure: Waterfall, prefix: str) -> Markup:
    # The style sheet shows the one for which there is room.
    wide, narrow = (
        waterfall_svg(figure, prefix=prefix),
        waterfall_svg(figure, prefix=f"{prefix}n", narrow=True),
    )
    return _svg(wide + narrow)


@draw.register
def _(figure: Front, prefix: str) -> Markup:
    return _svg(front_svg(figure, prefix=prefix))


@draw.register
def _(figure: Placement, prefix: str) -> Markup:
    return _svg(placement_svg(figure, prefix=prefix))


@draw.register
def _(figure: Lanes, prefix: str) -> Markup:
    return _svg(timeline_svg(figure, prefix=prefix))


def marks(figure: Any) -> str | None:
    """Return a timeline of too many blocks for SVG as JSON, which a script draws; None for any other figure.

    ``blocks`` holds five numbers a block, in one row: lane, start, length, kind, and which of how
    many rows as a share of the lane's height (0 for all of it, else first + rows / 10).
    """
    if not isinstance(figure, Lanes) or len(figure.blocks) <= MARKS_MAX:
        return None
    scale = 10_000 / figure.end
    flat: list[float] = []
    for block in figure.blocks:
        start = round(block.start * scale)
        share = 0 if block.rows == 1 else block.row + block.rows / 10
        flat += (block.lane, start, round(block.end * scale) - start, block.kind, share)
    return json.dumps(
        {
            "lanes": figure.lanes,
            "kinds": figure.kinds,
            "end": figure.end,
            "unit": figure.unit,
            "blocks": flat,
        },
        separators=(",", ":"),
    )


def _svg(markup: str) -> Markup:
    return Markup(markup)  # noqa: S704 - the drawings escape their texts
