"""What a table family provides, and the one table of families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from burnin.app.simulate.predicting.tables import Row
from burnin.catalog import Catalog

WhyNot = Literal["unknown_gpu", "unknown_model", "unsupported_architecture", "does_not_fit", "missing_field"]


class CannotPredict(Exception):
    """A row that the models do not reach; ``why`` is one of the contract's words."""

    def __init__(self, why: WhyNot) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A kind of table: which metrics its rows measure, and how to predict them.

    ``predict`` returns a value for each metric, and whether the model is ``dense``
    or ``moe``; it raises CannotPredict.
    """

    metrics: tuple[str, ...]
    predict: Callable[[Catalog, Row], tuple[Mapping[str, float], str]]


def families() -> dict[str, Family]:
    """Return every table that can be predicted, by id. A new family adds its module here."""
    from burnin.app.simulate.predicting import memory_tables, training_tables

    return {**memory_tables.FAMILIES, **training_tables.FAMILIES}


def family_of(row: Row, known: Mapping[str, Family]) -> Family | None:
    """Return the family of a row: by its table's id, else by the keys of a serving measurement."""
    from burnin.app.simulate.predicting import serving_tables

    found = known.get(row.table)
    return serving_tables.FAMILY if found is None and serving_tables.is_serving(row) else found


def required(row: Row, key: str) -> float:
    """Return a number of the row; CannotPredict where it is missing or no number."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CannotPredict("missing_field")
    return value


def whole(row: Row, key: str, default: int | None = None) -> int:
    """Return a positive whole number of the row, or ``default`` where it is missing."""
    value = row.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise CannotPredict("missing_field")
    return value
