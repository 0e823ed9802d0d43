"""Which ranks stand where: one box a node or NVLink domain, one cell a rank, its shared groups as letters."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.figures.svg import element, picture, text

WIDTH = 760
CELL_WIDTH, CELL_HEIGHT, GAP = 42, 36, 3
PAD, HEAD, KEY = 8, 20, 30
CELLS_A_ROW = 8
LETTER = 7.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """``letters`` holds, for each rank, the letters of the groups that it shares with ``chosen``.

    ``boxes`` are (name, first rank, rank after the last). ``kinds`` are (letter, name).
    """

    title: str
    summary: str
    boxes: tuple[tuple[str, int, int], ...]
    letters: tuple[str, ...]
    chosen: int
    kinds: tuple[tuple[str, str], ...]


def placement_svg(figure: Placement, *, prefix: str) -> str:
    """Draw the boxes in rows; the chosen rank is filled, those that share a group with it carry its letter.

    ``prefix`` makes ids unique on a page. ``ValueError`` where the chosen rank is in no box.
    """
    if not any(first <= figure.chosen < last for _, first, last in figure.boxes):
        raise ValueError(f"rank {figure.chosen} stands in no box")
    parts = _key(figure)
    left, top, deepest = 0.0, float(KEY + 8), 0.0
    for name, first, last in figure.boxes:
        columns = min(CELLS_A_ROW, last - first)
        rows = -(-(last - first) // columns)
        width = max(2 * PAD + columns * (CELL_WIDTH + GAP) - GAP, 2 * PAD + LETTER * len(name))
        height = PAD + HEAD + rows * (CELL_HEIGHT + GAP)
        if left and left + width > WIDTH:
            left, top, deepest = 0.0, top + deepest + 10, 0.0
        parts.append(element("rect", class_="box", x=left + 0.5, y=top, width=width, height=height, rx=6))
        parts.append(text(name, class_="tick", x=left + PAD, y=top + 15))
        for rank in range(first, last):
            row, column = divmod(rank - first, columns)
            parts.append(
                _cell(
                    figure,
                    rank,
                    left + PAD + column * (CELL_WIDTH + GAP),
                    top + HEAD + row * (CELL_HEIGHT + GAP),
                )
            )
        left, deepest = left + width + 12, max(deepest, height)
    return picture(
        width=WIDTH,
        height=top + deepest + 4,
        class_="chart placement",
        prefix=prefix,
        title=figure.title,
        desc=figure.summary,
        parts=parts,
    )


def _cell(figure: Placement, rank: int, x: float, y: float) -> str:
    letters = figure.letters[rank]
    kind = "chosen" if rank == figure.chosen else "peer" if letters else "other"
    shape = element("rect", class_=f"cell {kind}", x=x, y=y, width=CELL_WIDTH, height=CELL_HEIGHT, rx=4)
    middle = x + CELL_WIDTH / 2
    words = text(
        str(rank), class_=f"rank {kind}", x=middle, y=y + (15 if letters else 23), text_anchor="middle"
    )
    if letters:
        words += text(letters, class_=f"letters {kind}", x=middle, y=y + 30, text_anchor="middle")
    return shape + words


def _key(figure: Placement) -> list[str]:
    used = [kind for kind in figure.kinds if any(kind[0] in letters for letters in figure.letters)]
    chosen = f"rank {figure.chosen}"
    parts = [
        element("rect", class_="cell chosen", x=0.5, y=4, width=22, height=20, rx=4),
        text(chosen, class_="key", x=30, y=19),
    ]
    x = 30 + LETTER * len(chosen) + 20
    for letter, name in used:
        parts.append(element("rect", class_="cell peer", x=x, y=4, width=22, height=20, rx=4))
        parts.append(text(letter, class_="letters peer", x=x + 11, y=19, text_anchor="middle"))
        parts.append(text(name, class_="key", x=x + 29, y=19))
        x += 29 + LETTER * len(name) + 18
    return parts
