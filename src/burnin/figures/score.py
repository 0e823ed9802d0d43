"""A score on a scale from 0 to 100 % with its interval and the assumed pass mark."""

from __future__ import annotations

from burnin.figures.axis import linear
from burnin.figures.svg import element, number, picture, text

WIDTH, HEIGHT = 560, 108
LEFT, RIGHT, LINE = 14, 14, 60


def score_svg(percent: float, low: float, high: float, mark: float, *, prefix: str) -> str:
    """Draw the score as a point, its interval as a band and the mark as a line, all in percent."""
    x = linear((0.0, 100.0), (LEFT, WIDTH - RIGHT))
    parts = [element("path", class_="axis", d=f"M{LEFT} {LINE}H{WIDTH - RIGHT}")]
    for tick in range(0, 101, 10):
        length = 7 if tick % 50 == 0 else 4
        parts.append(element("path", class_="axis", d=f"M{number(x(tick))} {LINE}v{length}"))
        if tick % 50 == 0:
            anchor = {0: "start", 100: "end"}.get(tick, "middle")
            parts.append(text(f"{tick} %", class_="tick below", x=x(tick), y=LINE + 22, text_anchor=anchor))
    width = max(2.0, x(high) - x(low))
    parts.append(element("rect", class_="band", x=x(low), y=LINE - 8, width=width, height=16, rx=8))
    parts.append(element("path", class_="mark-line", d=f"M{number(x(mark))} {LINE - 26}v40"))
    anchor = "end" if mark > 75 else "start" if mark < 25 else "middle"
    parts.append(
        text(f"assumed pass mark {mark:.0f} %", class_="tick", x=x(mark), y=LINE - 32, text_anchor=anchor)
    )
    parts.append(element("circle", class_="point", cx=x(percent), cy=LINE, r=7))
    return picture(
        width=WIDTH,
        height=HEIGHT,
        class_="chart score",
        prefix=prefix,
        title=f"Score {percent:.0f} %",
        desc=(
            f"On a scale from 0 to 100 %: score {percent:.0f} %, 95 % interval from {low:.0f} to "
            f"{high:.0f} %, assumed pass mark {mark:.0f} %."
        ),
        parts=parts,
    )
