"""INSERT … ON CONFLICT in both dialects."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table


def insert_for(connection: Connection, table: Table) -> Any:
    """Return an insert that has ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    # Each dialect costs start-up time, so only the one in use is imported.
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as postgresql_insert

        return postgresql_insert(table)
    from sqlalchemy.dialects.sqlite import insert as sqlite_insert

    return sqlite_insert(table)
