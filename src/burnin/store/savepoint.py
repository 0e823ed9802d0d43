"""Undo one write without giving up the transaction around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Roll back what the block did if it raises, unless the whole transaction is gone."""
    nested = connection.begin_nested()
    try:
        yield
    except Exception as error:
        # On a full disk SQLite has dropped savepoint and transaction by itself.
        if not ends_transaction(error):
            nested.rollback()
        raise
    nested.commit()


def ends_transaction(error: Exception) -> bool:
    """Full disk, I/O error, lost connection: the whole transaction is gone, not one write."""
    return isinstance(error, (OperationalError, InternalError)) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )
