"""Files of published figures: tables of rows, with facts that stand for all rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnin.app.errors import BadRequest
from burnin.catalog import Problem
from burnin.catalog.reading import parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One published row; facts of its table stand in for keys that it lacks."""

    table: str
    index: int
    values: dict[str, Any]
    facts: dict[str, Any]

    def get(self, key: str) -> Any:
        """Return the row's value, else the table's, else None."""
        value = self.values.get(key)
        return self.facts.get(key) if value is None else value


def read_tables(paths: Sequence[Path]) -> Iterator[Row]:
    """Yield the rows of files in the form ``tables: [{id, rows: [...], ...}]``.

    Raises BadRequest with file and line for a file that is not of that form.
    """
    for path in paths:
        try:
            document = parse(path.read_bytes(), str(path))
        except OSError as error:
            raise BadRequest(f"{path}: cannot be read: {error.strerror}") from error
        if isinstance(document, Problem):
            raise BadRequest(str(document))
        value = document.value
        if not isinstance(value, dict) or not isinstance(value.get("tables"), list):
            raise BadRequest(f"{path}: must be a mapping with a list 'tables'")
        for number, table in enumerate(value["tables"]):
            place = f"{path}:{document.line(f'tables[{number}]')}"
            if not isinstance(table, dict) or not isinstance(table.get("id"), str):
                raise BadRequest(f"{place}: a table needs an id")
            rows = table.get("rows")
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise BadRequest(f"{place}: table {table['id']!r} needs a list of rows")
            facts = {key: fact for key, fact in table.items() if key not in {"id", "rows"}}
            for index, row in enumerate(rows):
                yield Row(table=table["id"], index=index, values=row, facts=facts)
