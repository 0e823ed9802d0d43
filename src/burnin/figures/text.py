"""Exhibits as plain text, for terminals and for readers of text."""

from __future__ import annotations

from collections.abc import Sequence

from burnin.domain.item import Exhibit


def exhibit_text(exhibit: Exhibit) -> str:
    """Return an exhibit as text: a table in columns, code as it stands, a chart as its numbers."""
    if exhibit.kind == "code":
        body = "\n".join(f"  {line}" for line in exhibit.text.splitlines())
    elif exhibit.kind == "table":
        body = columns_text(exhibit.columns, exhibit.rows)
    else:
        head = (exhibit.x_label, *(series.name for series in exhibit.series))
        rows = [
            (x, *(f"{series.values[i]:g}" for series in exhibit.series))
            for i, x in enumerate(exhibit.x_values)
        ]
        body = f"{exhibit.summary}\n{exhibit.y_label}\n{columns_text(head, rows)}"
    return f"{exhibit.title}\n{body}"


def columns_text(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows under their heads, padded to columns."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
