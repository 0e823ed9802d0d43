"""A timeline as lines of text, for terminals and for readers of text."""

from __future__ import annotations

from burnin.figures.axis import label
from burnin.figures.timeline import Block, Lanes

IDLE = "·"
FILLERS = "-=~+*#"


def timeline_text(lanes: Lanes, *, width: int = 100) -> str:
    """Return one line a lane: a block is its letter and label, drawn out to its length.

    >>> two = (
    ...     Block(lane=0, start=0, end=1, kind=0, label="1"),
    ...     Block(lane=1, start=1, end=3, kind=0, label="1"),
    ... )
    >>> names = ("rank 0", "rank 1")
    >>> drawn = Lanes(title="", summary="", unit="ms", lanes=names, kinds=(("F", "go"),), blocks=two)
    >>> print(timeline_text(drawn, width=20).splitlines()[0])
    rank 0  F1--········

    ``width`` is the longest line allowed, names included. Blocks shorter than a column are
    left out where another begins in it; two that share a time show the first one's letter
    and then the other's. ``ValueError`` where no column is left beside the names.
    """
    names = max(len(name) for name in lanes.lanes)
    columns = width - names - 2
    if columns < 1:
        raise ValueError(f"{width} columns leave no room beside the names")
    scale = columns / lanes.end
    # Whole columns a unit keep equal blocks equally long, where there is room for them.
    shortest = min(block.end - block.start for block in lanes.blocks)
    if shortest * scale >= 1:
        scale = int(shortest * scale) / shortest
    lines = []
    for lane, name in enumerate(lanes.lanes):
        cells = [IDLE] * round(lanes.end * scale)
        for block in sorted((b for b in lanes.blocks if b.lane == lane), key=lambda b: (b.start, b.row)):
            _write(cells, lanes, block, scale)
        lines.append(f"{name.ljust(names)}  {''.join(cells)}")
    used = sorted({block.kind for block in lanes.blocks})
    key = [f"{lanes.kinds[kind][0]}{FILLERS[kind]} {lanes.kinds[kind][1]}" for kind in used]
    lines.append(f"{' ' * names}  0 to {label(lanes.end)} {lanes.unit}; {', '.join(key)}, {IDLE} idle")
    return "\n".join(lines)


def _write(cells: list[str], lanes: Lanes, block: Block, scale: float) -> None:
    first, last = round(block.start * scale), round(block.end * scale)
    size = last - first
    if block.rows > 1:
        # Side by side in one line: each gets its part of the shared columns.
        first, last = first + size * block.row // block.rows, first + size * (block.row + 1) // block.rows
        size = last - first
    if size < 1:
        return
    letter = lanes.kinds[block.kind][0]
    words = f"{letter}{block.label}"
    if len(words) > size:
        words = letter
    cells[first:last] = words.ljust(size, FILLERS[block.kind])
