"""A report's items as rows, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.report.service import FullReport

COLUMNS: dict[str, type] = {
    "sitting": str,
    "exam": str,
    "conditions": str,
    "number": int,
    "item": str,
    "version": int,
    "domain": str,
    "objective": str,
    "official": str,
    "difficulty": int,
    "choose": int,
    "selected": str,
    "key": str,
    "outcome": str,
    "earned": float,
    "first_earned": float,
    "changed": bool,
    "seconds": float,
    "estimate_seconds": int,
    "allowed_seconds": float,
    "flagged": bool,
    "confidence": str,
    "error_class": str,
    "misconceptions": str,
    "seen_before": bool,
}
"""Every column with its type. A missing text is empty, a missing number null."""


def rows(report: FullReport) -> list[dict[str, Any]]:
    """Return one row an item, in the order they were asked. Several ids in a cell stand apart by spaces."""
    insight = report.insight
    return [
        {
            "sitting": report.spec.id,
            "exam": report.form.exam,
            "conditions": report.spec.conditions.value,
            "number": row.line.number,
            "item": row.item.id,
            "version": row.item.version,
            "domain": row.item.domain,
            "objective": row.item.objective,
            "official": row.item.official,
            "difficulty": row.item.difficulty,
            "choose": row.item.choose,
            "selected": " ".join(sorted(row.line.final)),
            "key": " ".join(sorted(row.item.key)),
            "outcome": row.line.outcome,
            "earned": float(row.line.earned),
            "first_earned": float(row.line.first_earned),
            "changed": row.line.changed,
            "seconds": row.line.seconds,
            "estimate_seconds": row.estimate_seconds,
            "allowed_seconds": insight.pace.allowed,
            "flagged": row.line.flagged,
            "confidence": row.rating or "",
            "error_class": row.error or "",
            "misconceptions": " ".join(row.misconceptions),
            "seen_before": row.seen_before,
        }
        for row in insight.items
    ]


def csv_text(report: FullReport) -> str:
    """Return the rows as CSV (RFC 4180: commas, CRLF, a header), UTF-8 when encoded."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in rows(report):
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return out.getvalue()


def parquet_bytes(report: FullReport) -> bytes:
    """Return the rows as a Parquet file. ``BadRequest`` where the extra is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise BadRequest("Parquet needs an extra: pip install 'burnin[parquet]'. CSV needs none.") from error
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows(report), schema=schema), sink)
    return sink.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A spreadsheet takes text that begins so for a formula.
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
