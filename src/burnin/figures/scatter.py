"""Two aims against each other: the points that nothing beats in both, one point to compare, a limit."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.figures.axis import label, linear, round_ticks
from burnin.figures.svg import element, number, picture, text

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 78, 20, 34, 54


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """``points`` are (x, y) with less x and more y better; ``here`` is the one to compare."""

    title: str
    summary: str
    x_name: str
    y_name: str
    points: tuple[tuple[float, float], ...]
    here: tuple[float, float] | None = None
    here_name: str = "this one"
    limit: float | None = None
    limit_name: str = ""


def front_svg(figure: Front, *, prefix: str) -> str:
    """Draw the front as a staircase through its points.

    A point on the stair can be had, and what lies above and left of it cannot. The point
    to compare is a diamond with its name. ``prefix`` makes ids unique on a page.
    ``ValueError`` where there is nothing to draw.
    """
    shown = [*figure.points, *([figure.here] if figure.here else [])]
    if not shown:
        raise ValueError("a front needs at least one point")
    xs = round_ticks(0.0, max(*(p[0] for p in shown), figure.limit or 0.0), about=7)
    ys = round_ticks(0.0, max(p[1] for p in shown))
    x = linear((0.0, xs[-1]), (LEFT, WIDTH - RIGHT))
    y = linear((0.0, ys[-1]), (HEIGHT - BOTTOM, TOP))
    base = HEIGHT - BOTTOM
    parts = []
    for tick in ys:
        parts.append(element("path", class_="grid", d=f"M{LEFT} {number(y(tick))}H{WIDTH - RIGHT}"))
        parts.append(text(label(tick), class_="tick", x=LEFT - 8, y=y(tick) + 4, text_anchor="end"))
    for tick in xs:
        parts.append(element("path", class_="axis", d=f"M{number(x(tick))} {base}v4"))
        parts.append(text(label(tick), class_="tick", x=x(tick), y=base + 19, text_anchor="middle"))
    parts.append(element("path", class_="axis", d=f"M{LEFT} {base}H{WIDTH - RIGHT}"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(text(figure.x_name, class_="axis-name", x=middle, y=HEIGHT - 10, text_anchor="middle"))
    across = number((TOP + base) / 2)
    parts.append(
        text(
            figure.y_name,
            class_="axis-name",
            x=16,
            y=(TOP + base) / 2,
            text_anchor="middle",
            transform=f"rotate(-90 16 {across})",
        )
    )
    if figure.limit is not None:
        at = x(figure.limit)
        parts.append(element("path", class_="mark-line", d=f"M{number(at)} {TOP - 4}V{base}"))
        parts.append(text(figure.limit_name, class_="key", x=at - 6, y=TOP - 12, text_anchor="end"))
    points = sorted((x(a), y(b)) for a, b in figure.points)
    if points:
        stair = f"M{number(points[0][0])} {number(points[0][1])}"
        stair += "".join(f"H{number(a)}V{number(b)}" for a, b in points[1:])
        parts.append(element("path", class_="line s1", d=stair))
        parts.extend(element("circle", class_="mark s1", cx=a, cy=b, r=4) for a, b in points)
    if figure.here:
        a, b = x(figure.here[0]), y(figure.here[1])
        diamond = f"M{number(a)} {number(b - 8)}l8 8l-8 8l-8 -8z"
        parts.append(element("path", class_="bar s2", d=diamond))
        late = a > WIDTH - RIGHT - 120
        anchor, beside = ("end", a - 13) if late else ("start", a + 13)
        parts.append(text(figure.here_name, class_="key", x=beside, y=b + 18, text_anchor=anchor))
    return picture(
        width=WIDTH,
        height=HEIGHT,
        class_="chart front",
        prefix=prefix,
        title=figure.title,
        desc=figure.summary,
        parts=parts,
    )
