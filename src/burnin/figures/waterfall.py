"""Summands that pile up to a total, with a limit across: what fills a card, what a step's time goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from burnin.figures.axis import label, linear, round_ticks
from burnin.figures.svg import element, number, picture, text

PLOT = 440
RIGHT, TOP, BOTTOM = 74, 30, 44
LETTER = 7.4  # px a character of a name takes
ROW, BAR = 28, 18
HATCH = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall:
    """``parts`` are (name, value) in the order in which they pile up; ``limit`` is drawn across."""

    title: str
    summary: str
    unit: str
    axis: str
    parts: tuple[tuple[str, float], ...]
    limit: float | None = None
    limit_name: str = ""

    @property
    def total(self) -> float:
        """What the parts add up to."""
        return sum(value for _, value in self.parts)


def waterfall_svg(figure: Waterfall, *, prefix: str) -> str:
    """Draw one bar a part, each from where the last one ended, and the total under them.

    What lies beyond the limit is hatched. ``prefix`` makes ids unique on a page.
    ``ValueError`` without parts or with a negative one.
    """
    if not figure.parts:
        raise ValueError("a waterfall needs at least one part")
    if any(value < 0 for _, value in figure.parts):
        raise ValueError("parts of a waterfall must not be negative")
    ticks = round_ticks(0.0, max(figure.total, figure.limit or 0.0), about=6)
    left = max(60.0, 14 + LETTER * max(len(name) for name, _ in figure.parts))
    width = left + PLOT + RIGHT
    x = linear((0.0, ticks[-1]), (left, left + PLOT))
    bottom = TOP + ROW * (len(figure.parts) + 1) + 4
    parts = []
    for tick in ticks:
        parts.append(element("path", class_="grid", d=f"M{number(x(tick))} {TOP}V{bottom}"))
        parts.append(text(label(tick), class_="tick", x=x(tick), y=bottom + 17, text_anchor="middle"))
    parts.append(
        text(figure.axis, class_="axis-name", x=left + PLOT / 2, y=bottom + 36, text_anchor="middle")
    )
    running = 0.0
    for row, (name, value) in enumerate(figure.parts):
        parts.extend(_bar(figure, x, row, name, running, running + value, "s1"))
        running += value
    parts.extend(_bar(figure, x, len(figure.parts), "total", 0.0, running, "s2"))
    parts.append(element("path", class_="axis", d=f"M{number(left)} {TOP}V{bottom}"))
    if figure.limit is not None:
        at = number(x(figure.limit))
        parts.append(element("path", class_="mark-line", d=f"M{at} {TOP - 6}V{bottom}"))
        # Near an edge the words would run out of the picture.
        anchor = "end" if x(figure.limit) > left + PLOT - 60 else "middle"
        words = f"{figure.limit_name}: {show(figure.limit)} {figure.unit}"
        parts.append(text(words, class_="key", x=x(figure.limit), y=TOP - 12, text_anchor=anchor))
    return picture(
        width=width,
        height=bottom + BOTTOM,
        class_="chart waterfall",
        prefix=prefix,
        title=figure.title,
        desc=figure.summary,
        parts=parts,
    )


def show(value: float) -> str:
    """Write a summand: three figures are enough beside a bar.

    >>> show(92.34), show(0.01234), show(1234.5)
    ('92.3', '0.0123', '1,234')
    """
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"


def _bar(
    figure: Waterfall, x: Callable[[float], float], row: int, name: str, start: float, end: float, series: str
) -> list[str]:
    top = TOP + ROW * row + (ROW - BAR) / 2
    left, width = x(start), max(1.0, x(end) - x(start))
    middle = top + BAR / 2 + 4
    parts = [
        text(name, class_="key", x=x(0.0) - 10, y=middle, text_anchor="end"),
        element("rect", class_=f"bar {series}", x=left, y=top, width=width, height=BAR),
        text(show(end - start), class_="tick", x=left + width + 6, y=middle),
    ]
    over = max(start, figure.limit) if figure.limit is not None else end
    if end > over:
        parts.append(_hatch(x(over), x(end), top))
    return parts


def _hatch(left: float, right: float, top: float) -> str:
    """Slanted lines over a bar from ``left`` to ``right``."""
    lines = []
    at = left
    while at < right:
        reach = min(HATCH, right - at)
        lines.append(f"M{number(at)} {number(top + BAR)}l{number(reach)} {number(-BAR * reach / HATCH)}")
        at += HATCH
    return element("path", class_="hatch", d="".join(lines))
