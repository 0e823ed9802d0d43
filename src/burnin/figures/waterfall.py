"""Summands that pile up to a total, with a limit across: what fills a card, what a step's time goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from burnin.figures.axis import label, linear, round_ticks
from burnin.figures.svg import element, number, picture, text

PLOT, NARROW_PLOT = 440, 232
RIGHT, TOP, BOTTOM = 74, 30, 44
ROW, NARROW_ROW, BAR = 28, 42, 18
LETTER = 7.4  # px a character of a name takes
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


def waterfall_svg(figure: Waterfall, *, prefix: str, narrow: bool = False) -> str:
    """Draw one bar a part, each from where the last one ended, and the total under them.

    What lies beyond the limit is hatched. ``narrow`` writes the names over the bars instead
    of beside them, for 320 px. ``prefix`` makes ids unique on a page. ``ValueError`` without
    parts or with a negative one.
    """
    if not figure.parts:
        raise ValueError("a waterfall needs at least one part")
    if any(value < 0 for _, value in figure.parts):
        raise ValueError("parts of a waterfall must not be negative")
    ticks = round_ticks(0.0, max(figure.total, figure.limit or 0.0), about=4 if narrow else 6)
    left = 8.0 if narrow else max(60.0, 14 + LETTER * max(len(name) for name, _ in figure.parts))
    plot, step = (NARROW_PLOT, NARROW_ROW) if narrow else (PLOT, ROW)
    x = linear((0.0, ticks[-1]), (left, left + plot))
    bottom = TOP + step * (len(figure.parts) + 1) + 4
    parts = _axis(figure, x, ticks, bottom)
    running = 0.0
    for row, (name, value) in enumerate((*figure.parts, ("total", figure.total))):
        start, series = (0.0, "s2") if row == len(figure.parts) else (running, "s1")
        foot = TOP + step * (row + 1) - 5
        parts.extend(_bar(figure, x, foot, start, start + value, series))
        if narrow:
            parts.append(text(name, class_="key", x=left, y=foot - BAR - 5))
        else:
            parts.append(text(name, class_="key", x=left - 10, y=foot - BAR / 2 + 4, text_anchor="end"))
        running += value
    parts.append(element("path", class_="axis", d=f"M{number(left)} {TOP}V{bottom}"))
    if figure.limit is not None:
        at = x(figure.limit)
        parts.append(element("path", class_="mark-line", d=f"M{number(at)} {TOP - 6}V{bottom}"))
        # Near an edge the words would run out of the picture.
        anchor = "end" if at > left + plot - 60 else "start" if at < left + 60 else "middle"
        words = f"{figure.limit_name}: {show(figure.limit)} {figure.unit}"
        parts.append(text(words, class_="key", x=at, y=TOP - 12, text_anchor=anchor))
    return picture(
        width=left + plot + RIGHT - (10 if narrow else 0),
        height=bottom + BOTTOM,
        class_="chart waterfall narrow-only" if narrow else "chart waterfall",
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


def _axis(
    figure: Waterfall, x: Callable[[float], float], ticks: tuple[float, ...], bottom: float
) -> list[str]:
    parts = []
    for tick in ticks:
        parts.append(element("path", class_="grid", d=f"M{number(x(tick))} {TOP}V{number(bottom)}"))
        parts.append(text(label(tick), class_="tick", x=x(tick), y=bottom + 17, text_anchor="middle"))
    middle = (x(ticks[0]) + x(ticks[-1])) / 2
    parts.append(text(figure.axis, class_="axis-name", x=middle, y=bottom + 36, text_anchor="middle"))
    return parts


def _bar(
    figure: Waterfall, x: Callable[[float], float], foot: float, start: float, end: float, series: str
) -> list[str]:
    left, width = x(start), max(1.0, x(end) - x(start))
    top = foot - BAR
    parts = [
        element("rect", class_=f"bar {series}", x=left, y=top, width=width, height=BAR),
        text(show(end - start), class_="tick", x=left + width + 6, y=top + BAR / 2 + 4),
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
