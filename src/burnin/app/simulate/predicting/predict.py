"""All rows of some files: prediction beside publication, and the errors' means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnin.app.simulate.predicting.registry import CannotPredict, families, family_of
from burnin.app.simulate.predicting.tables import read_tables
from burnin.catalog import Catalog


def predict(catalog: Catalog, paths: Sequence[Path]) -> dict[str, Any]:
    """Return one result for every measured metric of every row.

    ``ratio`` is predicted over published; ``mape_percent`` the mean of |ratio - 1|
    by table, metric and class; ``modelled_percent`` how many of a table's figures
    have a prediction. Tables that no model predicts are listed in ``not_predicted``.
    Raises BadRequest for a file that is not in the form of published tables.
    """
    known = families()
    rows: list[dict[str, Any]] = []
    skipped: list[str] = []
    for row in read_tables(paths):
        family = family_of(row, known)
        if family is None:
            if row.table not in skipped:
                skipped.append(row.table)
            continue
        measured = {m: row.values[m] for m in family.metrics if _number(row.values.get(m))}
        why: str | None = None
        values: dict[str, float] = {}
        kind = "dense"
        try:
            found, kind = family.predict(catalog, row)
            values = dict(found)
        except CannotPredict as error:
            why = error.why
        for metric, published in measured.items():
            predicted = values.get(metric)
            reason = why if predicted is None else None
            rows.append(
                {
                    "table": row.table,
                    "index": row.index,
                    "metric": metric,
                    "class": kind,
                    "predicted": predicted,
                    "published": published,
                    "ratio": predicted / published if predicted is not None and published else None,
                    "why_not": reason if predicted is not None else reason or "missing_field",
                }
            )
    return {
        "rows": rows,
        "mape_percent": _mape(rows),
        "modelled_percent": _modelled(rows),
        "not_predicted": skipped,
    }


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _mape(rows: list[dict[str, Any]]) -> dict[str, float]:
    errors: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row["ratio"] is not None:
            errors[f"{row['table']}/{row['metric']}/{row['class']}"].append(abs(row["ratio"] - 1))
    return {key: 100 * sum(values) / len(values) for key, values in errors.items()}


def _modelled(rows: list[dict[str, Any]]) -> dict[str, float]:
    counts: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        counts[row["table"]].append(row["predicted"] is not None)
    return {table: 100 * sum(flags) / len(flags) for table, flags in counts.items()}
