"""A line or bar chart exhibit as an SVG picture, and the table behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnin.domain.item import Exhibit, Series
from burnin.figures.axis import label, linear, places, round_ticks
from burnin.figures.svg import element, number, picture, text

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 40, 54
ROW = 20
SERIES_MAX = 6


def chart_table(exhibit: Exhibit) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return column heads and rows with every value that the picture shows."""
    columns = (exhibit.x_label or "x", *(series.name for series in exhibit.series))
    rows = tuple(
        (x, *(label(series.values[index]) if index < len(series.values) else "" for series in exhibit.series))
        for index, x in enumerate(exhibit.x_values)
    )
    return columns, rows


def chart_svg(exhibit: Exhibit, *, prefix: str) -> str:
    """Draw the exhibit. Series differ by dash, marker or hatch as well as by colour class.

    ``prefix`` makes ids unique on a page. ``ValueError`` for a kind other than line or
    bar, for no values, for values that do not match the x axis, or for over six series.
    """
    _check(exhibit)
    values = [value for series in exhibit.series for value in series.values]
    ticks = round_ticks(*_extent(values, bars=exhibit.chart == "bar"))
    y = linear((ticks[0], ticks[-1]), (HEIGHT - BOTTOM, TOP))
    draw = _bars if exhibit.chart == "bar" else _lines
    plot = [*_y_axis(ticks, y, exhibit.y_label), *draw(exhibit, y)]
    plot.append(
        text(
            exhibit.x_label,
            class_="axis-name",
            x=(LEFT + WIDTH - RIGHT) / 2,
            y=HEIGHT - 10,
            text_anchor="middle",
        )
    )
    legend, rows = _legend(exhibit)
    # Every row of the legend but the first moves the plot down.
    down = ROW * max(0, rows - 1)
    if down:
        plot = [element("g", "".join(plot), transform=f"translate(0 {down})")]
    return picture(
        width=WIDTH,
        height=HEIGHT + down,
        class_="chart",
        prefix=prefix,
        title=exhibit.title,
        desc=exhibit.summary or f"{exhibit.y_label} by {exhibit.x_label}",
        parts=[*plot, *legend],
    )


def _check(exhibit: Exhibit) -> None:
    if exhibit.chart not in ("line", "bar"):
        raise ValueError(f"exhibit {exhibit.id}: no chart of kind {exhibit.chart!r}")
    if not exhibit.series or not exhibit.x_values:
        raise ValueError(f"exhibit {exhibit.id}: a chart needs x values and a series")
    if len(exhibit.series) > SERIES_MAX:
        raise ValueError(f"exhibit {exhibit.id}: at most {SERIES_MAX} series can be told apart")
    for series in exhibit.series:
        if len(series.values) != len(exhibit.x_values):
            raise ValueError(f"exhibit {exhibit.id}: series {series.name!r} does not match the x values")


def _extent(values: Sequence[float], *, bars: bool) -> tuple[float, float]:
    """Bars start at zero; so do lines, unless their range is small beside their height."""
    low, high = min(values), max(values)
    if bars or low <= 0 or low < 0.6 * high:
        return min(0.0, low), max(0.0, high)
    return low, high


def _y_axis(ticks: Sequence[float], y: Callable[[float], float], name: str) -> list[str]:
    parts = []
    for tick in ticks:
        height = y(tick)
        parts.append(element("path", class_="grid", d=f"M{LEFT} {number(height)}H{WIDTH - RIGHT}"))
        parts.append(text(label(tick), class_="tick", x=LEFT - 8, y=height + 4, text_anchor="end"))
    if ticks[0] <= 0 <= ticks[-1]:
        parts.append(element("path", class_="axis", d=f"M{LEFT} {number(y(0))}H{WIDTH - RIGHT}"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        text(
            name,
            class_="axis-name",
            x=14,
            y=middle,
            text_anchor="middle",
            transform=f"rotate(-90 14 {number(middle)})",
        )
    )
    return parts


def _x_ticks(values: Sequence[str], at: Sequence[float]) -> list[str]:
    # About eight labels fit; the first of each stride is written, every value has its mark.
    stride = max(1, -(-len(values) // 8)) if max(map(len, values)) <= 7 else max(1, -(-len(values) // 5))
    parts = []
    for index, (value, x) in enumerate(zip(values, at, strict=True)):
        base = HEIGHT - BOTTOM
        parts.append(element("path", class_="axis", d=f"M{number(x)} {base}v4"))
        if index % stride == 0:
            parts.append(text(value, class_="tick", x=x, y=base + 18, text_anchor="middle"))
    return parts


def _lines(exhibit: Exhibit, y: Callable[[float], float]) -> list[str]:
    span = linear((0.0, 1.0), (LEFT + 10, WIDTH - RIGHT - 14))
    xs = [span(place) for place in places(exhibit.x_values)]
    parts = _x_ticks(exhibit.x_values, xs)
    for index, series in enumerate(exhibit.series):
        points = [(x, y(value)) for x, value in zip(xs, series.values, strict=True)]
        path = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points)
        parts.append(element("path", class_=f"line s{index + 1}", d=path))
        if len(points) <= 24:
            parts.extend(_marker(index, px, py) for px, py in points)
    return parts


def _bars(exhibit: Exhibit, y: Callable[[float], float]) -> list[str]:
    count = len(exhibit.x_values)
    step = (WIDTH - RIGHT - LEFT) / count
    centres = [LEFT + step * (index + 0.5) for index in range(count)]
    group = min(step * 0.76, 84.0 * len(exhibit.series))
    width = group / len(exhibit.series)
    parts = []
    for index, series in enumerate(exhibit.series):
        for centre, value in zip(centres, series.values, strict=True):
            left = centre - group / 2 + index * width
            parts.append(_bar(index, left, width, y(0.0), y(value)))
    return [*parts, *_x_ticks(exhibit.x_values, centres)]


def _bar(index: int, left: float, width: float, base: float, end: float) -> str:
    top, height = min(base, end), abs(base - end)
    inner = max(1.0, width - 2)
    rect = element("rect", class_=f"bar s{index + 1}", x=left + 1, y=top, width=inner, height=height)
    if index == 0 or height < 2:
        return rect
    # A hatch whose spacing and direction belong to the series, for who cannot tell the colours.
    spacing = 5 + 3 * ((index - 1) // 2)
    marks = []
    offset = spacing
    while offset < height:
        at = number(top + offset)
        if index % 2:
            marks.append(f"M{number(left + 1)} {at}h{number(inner)}")
        else:
            marks.append(
                f"M{number(left + 1)} {at}l{number(inner)} {number(-min(offset, inner * 0.5, spacing))}"
            )
        offset += spacing
    return rect + element("path", class_="hatch", d="".join(marks)) if marks else rect


def _marker(index: int, x: float, y: float) -> str:
    shape = f"mark s{index + 1}"
    if index == 0:
        return element("circle", class_=shape, cx=x, cy=y, r=3.5)
    outlines = {
        1: "m-3.5 -3.5h7v7h-7z",
        2: "m0 -4.5l4.5 8h-9z",
        3: "m0 -4.8l4.8 4.8l-4.8 4.8l-4.8 -4.8z",
        4: "m-4 -4l8 8m0 -8l-8 8",
        5: "m-4.5 0h9m-4.5 -4.5v9",
    }
    return element("path", class_=shape, d=f"M{number(x)} {number(y)}{outlines[index]}")


def _legend(exhibit: Exhibit) -> tuple[list[str], int]:
    """Draw samples and names in as many rows as they need; say how many."""
    if len(exhibit.series) == 1:
        return [], 0
    parts = []
    x, row = float(LEFT), 0
    for index, series in enumerate(exhibit.series):
        width = 32 + _width(series)
        if x > LEFT and x + width > WIDTH:
            x, row = float(LEFT), row + 1
        base = 20 + ROW * row
        parts.append(_sample(exhibit.chart, index, x, base))
        parts.append(text(series.name, class_="key", x=x + 32, y=base))
        x += width + 18
    return parts, row + 1


def _sample(chart: str, index: int, x: float, base: float) -> str:
    if chart == "bar":
        return _bar(index, x + 6, 20, base + 2, base - 12)
    line = element("path", class_=f"line s{index + 1}", d=f"M{number(x)} {number(base - 4)}h26")
    return line + _marker(index, x + 13, base - 4)


def _width(series: Series) -> float:
    # Wide enough for the widest of the usual sans-serif fonts at 13 px.
    return 8.0 * len(series.name)
