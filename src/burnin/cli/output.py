"""What every command shares: JSON on stdout, errors in one line, the catalogue."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from burnin.app.inspect import Catalog


as_json: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object on stdout."
)


def print_json(value: Any) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1, default=str))


def home() -> Path:
    """Return the data folder (not yet made)."""
    from burnin.app.home import find

    return find()


def catalogue() -> Catalog:
    """Load all content; what was left out is told on stderr, in a few lines."""
    from burnin.app.inspect import load

    catalog = load(home())
    for problem in catalog.problems[:5]:
        click.echo(f"left out: {problem}", err=True)
    if len(catalog.problems) > 5:
        click.echo(f"and {len(catalog.problems) - 5} more faults; `burnin bank check` lists them", err=True)
    return catalog


def table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a plain table; columns of numbers to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    numeric = [
        all(row[i].replace(".", "").replace("%", "").strip().isdigit() for row in rows)
        for i in range(len(columns))
    ]
    for name, right in zip(columns, numeric, strict=True):
        # An id cut short is of no use to the next command.
        least = max((len(row[columns.index(name)]) for row in rows), default=0) if name == "Id" else None
        drawn.add_column(
            name, justify="right" if right else "left", no_wrap=True, overflow="fold", min_width=least
        )
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)
