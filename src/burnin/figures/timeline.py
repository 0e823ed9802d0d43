"""Who does what when: lanes of blocks as an SVG picture, and the table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burnin.figures.axis import label, linear, round_ticks
from burnin.figures.svg import element, number, picture, text

WIDTH = 960
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 40, 46
LANE, SHARED_LANE, GAP = 30, 46, 6
KINDS_MAX = 6
BOXED = 9.0  # narrower blocks (in px) are filled: two outlines would leave nothing between them
LETTER = 8.0  # px a character takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One thing done. ``kind`` is an index into the picture's kinds.

    Two blocks of one lane that share a time are drawn one over the other: ``row`` of ``rows``.
    """

    lane: int
    start: float
    end: float
    kind: int
    label: str
    cells: tuple[str, ...] = ()
    row: int = 0
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """A timeline to draw. ``kinds`` are (letter, name); ``columns`` name the blocks' cells."""

    title: str
    summary: str
    unit: str
    lanes: tuple[str, ...]
    kinds: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    columns: tuple[str, ...] = ()

    @property
    def end(self) -> float:
        """When the last block ends."""
        return max(block.end for block in self.blocks)


def timeline_table(lanes: Lanes) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return column heads and one row a block, by lane and time."""
    columns = ("Lane", "What", *lanes.columns, f"Start ({lanes.unit})", f"End ({lanes.unit})")
    blocks = sorted(lanes.blocks, key=lambda b: (b.lane, b.start, b.row))
    rows = tuple(
        (lanes.lanes[b.lane], lanes.kinds[b.kind][1], *b.cells, label(b.start), label(b.end)) for b in blocks
    )
    return columns, rows


def timeline_svg(lanes: Lanes, *, prefix: str) -> str:
    """Draw the lanes, time to the right. Kinds differ by letter and dash or hatch, not by colour alone.

    Blocks too narrow for a letter are filled, with as many lines across as their kind has
    before it in the key. Meant for up to about 2,000 blocks; a browser draws more faster on
    a canvas. ``prefix`` makes ids unique on a page. ``ValueError`` without blocks or with
    over six kinds.
    """
    if not lanes.blocks:
        raise ValueError("a timeline needs at least one block")
    if len(lanes.kinds) > KINDS_MAX:
        raise ValueError(f"at most {KINDS_MAX} kinds can be told apart")
    lane_height = _lane_height(lanes)
    bottom = TOP + len(lanes.lanes) * (lane_height + GAP)
    x = linear((0.0, lanes.end), (LEFT, WIDTH - RIGHT))
    parts = [*_axis(lanes, x(0.0), bottom), *_names(lanes), *_key(lanes)]
    dashes: list[list[str]] = [[] for _ in lanes.kinds]
    gaps: list[str] = []
    for block in lanes.blocks:
        height = lane_height / block.rows
        top = TOP + block.lane * (lane_height + GAP) + block.row * height
        left, width = x(block.start), x(block.end) - x(block.start)
        parts.append(_block(lanes, block, left, top, width, height))
        if width >= BOXED:
            dashes[block.kind].append(f"M{number(left + 3)} {number(top + height - 4)}h{number(width - 6)}")
        else:
            for line in range(block.kind):
                at = top + height * (line + 1) / (block.kind + 1)
                gaps.append(f"M{number(left)} {number(at)}h{number(width)}")
    for kind, lines in enumerate(dashes):
        if lines:
            parts.append(element("path", class_=f"line s{kind + 1}", d="".join(lines)))
    if gaps:
        parts.append(element("path", class_="hatch", d="".join(gaps)))
    return picture(
        width=WIDTH,
        height=bottom + BOTTOM,
        class_="chart timeline",
        prefix=prefix,
        title=lanes.title,
        desc=lanes.summary,
        parts=parts,
    )


def _block(lanes: Lanes, block: Block, left: float, top: float, width: float, height: float) -> str:
    letter, name = lanes.kinds[block.kind]
    tip = element(
        "title", _escaped(f"{name} {block.label}: {label(block.start)} to {label(block.end)} {lanes.unit}")
    )
    boxed = width >= BOXED
    inset = 1.0 if boxed else 0.0
    shape = element(
        "rect",
        tip,
        class_=f"{'mark' if boxed else 'bar'} s{block.kind + 1}",
        x=left + inset,
        y=top + inset,
        width=max(0.5, width - 2 * inset),
        height=height - 2 * inset,
    )
    words = f"{letter}{block.label}"
    if width < LETTER * len(words) + 3:
        words = letter
    if width < LETTER + 3 or height < 14:
        return shape
    return shape + text(
        words, x=left + width / 2, y=top + height / 2 + (4 if height > 24 else 2), text_anchor="middle"
    )


def _axis(lanes: Lanes, left: float, bottom: float) -> list[str]:
    x = linear((0.0, lanes.end), (left, WIDTH - RIGHT))
    parts = [element("path", class_="axis", d=f"M{number(left)} {number(bottom)}H{WIDTH - RIGHT}")]
    for tick in round_ticks(0.0, lanes.end, about=9):
        if tick <= lanes.end * 1.0001:
            parts.append(element("path", class_="grid", d=f"M{number(x(tick))} {TOP - 4}V{number(bottom)}"))
            parts.append(text(label(tick), class_="tick", x=x(tick), y=bottom + 16, text_anchor="middle"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        text(f"Time ({lanes.unit})", class_="axis-name", x=middle, y=bottom + 36, text_anchor="middle")
    )
    return parts


def _lane_height(lanes: Lanes) -> int:
    return SHARED_LANE if any(block.rows > 1 for block in lanes.blocks) else LANE


def _names(lanes: Lanes) -> list[str]:
    height = _lane_height(lanes)
    middles = [TOP + lane * (height + GAP) + height / 2 for lane in range(len(lanes.lanes))]
    return [
        text(name, class_="tick", x=LEFT - 8, y=middle + 4, text_anchor="end")
        for name, middle in zip(lanes.lanes, middles, strict=True)
    ]


def _key(lanes: Lanes) -> list[str]:
    used = {block.kind for block in lanes.blocks}
    parts = []
    x = float(LEFT)
    for kind, (letter, name) in enumerate(lanes.kinds):
        if kind not in used:
            continue
        parts.append(element("rect", class_=f"mark s{kind + 1}", x=x, y=6, width=26, height=20))
        parts.append(text(letter, x=x + 13, y=19, text_anchor="middle"))
        parts.append(element("path", class_=f"line s{kind + 1}", d=f"M{number(x + 3)} 23h20"))
        parts.append(text(name, class_="key", x=x + 32, y=20))
        x += 32 + LETTER * len(name) + 18
    return parts


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def idle_shares(lanes: Lanes) -> Sequence[float]:
    """Return, for each lane, which share of the whole time no block covers."""
    shares = []
    for lane in range(len(lanes.lanes)):
        covered, reached = 0.0, 0.0
        for block in sorted((b for b in lanes.blocks if b.lane == lane), key=lambda b: b.start):
            covered += max(0.0, block.end - max(block.start, reached))
            reached = max(reached, block.end)
        shares.append(1 - covered / lanes.end)
    return shares
