"""The placement of ranks as plain text, for a terminal."""

from __future__ import annotations

from burnin.figures.placement import CELLS_A_ROW, Placement


def placement_text(figure: Placement) -> str:
    """Draw each box as rows of ranks; the chosen one in brackets, its peers with their letters.

    ``ValueError`` where the chosen rank is in no box.
    """
    if not any(first <= figure.chosen < last for _, first, last in figure.boxes):
        raise ValueError(f"rank {figure.chosen} stands in no box")
    cells = [
        f"[{rank}]{letters}" if rank == figure.chosen else f"{rank}{':' + letters if letters else ''}"
        for rank, letters in enumerate(figure.letters)
    ]
    width = max(map(len, cells)) + 1
    names = max(len(name) for name, _, _ in figure.boxes)
    lines = []
    for name, first, last in figure.boxes:
        for begin in range(first, last, CELLS_A_ROW):
            row = "".join(f"{cell:<{width}}" for cell in cells[begin : min(begin + CELLS_A_ROW, last)])
            lines.append(f"{name if begin == first else '':<{names}}  {row}".rstrip())
    used = [kind for kind in figure.kinds if any(kind[0] in letters for letters in figure.letters)]
    key = ", ".join(f"{letter} {name}" for letter, name in used)
    return "\n".join([*lines, f"[{figure.chosen}] is the rank asked about" + (f"; {key}" if key else "")])
