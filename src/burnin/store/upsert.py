"""INSERT … ON CONFLICT in both dialects."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_for(connection: Connection, table: Table) -> Any:
    """Return an insert that has ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
