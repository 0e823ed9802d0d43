"""The bank's age as Markdown that a terminal reads too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def freshness_text(found: Mapping[str, Any]) -> str:
    """Write the report of ``burnin bank freshness`` as Markdown tables.

    Example: ``freshness_text(freshness(load(), date(2027, 1, 1)))``
    """
    lines = [
        f"{found['items']} static items on {found['today']}; the oldest check is {found['oldest_days']} days old, "
        f"{len(found['stale'])} are older than {found['older_than_days']} days.",
        "",
        *_table(("Claims last checked", "Items"), found["by_as_of"].items()),
        "",
        *_table(
            ("Product", "Version", "Items"),
            [
                (product, version, len(items))
                for product, versions in found["by_product"].items()
                for version, items in versions.items()
            ],
        ),
        "",
        f"{len(found['unversioned'])} items name software in stem or options without leaning on a version, "
        "their own or a source's: they state what held in the documentation on the day of the check.",
        "",
        *_table(("Kind of source", "Cited"), found["sources"]["by_kind"].items()),
        "",
        *_table(("Source last seen", "Cited"), found["sources"]["by_seen"].items()),
    ]
    if found["stale"]:
        lines += ["", "To check again: " + ", ".join(found["stale"])]
    return "\n".join(lines)


def _table(columns: tuple[str, ...], rows: Any) -> list[str]:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * (len(columns) - 1) + "---:|"]
    return [*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)]
