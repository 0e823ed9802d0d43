"""Connections to SQLite and PostgreSQL that acknowledge nothing before it is durable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from burnin.store.errors import Unavailable
from burnin.store.place import Place


def connect(place: Place, *, busy_ms: int) -> Engine:
    """Return an engine for the place; nothing is read or written yet."""
    return _sqlite(place, busy_ms) if place.path is not None else _postgresql(place, busy_ms)


def _sqlite(place: Place, busy_ms: int) -> Engine:
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(place.path)),
        connect_args={"timeout": busy_ms / 1000, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        # Transactions are begun below, in words; the driver's own would start too late.
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            # In WAL mode FULL syncs the log at every commit: https://www.sqlite.org/pragma.html#pragma_synchronous
            "synchronous=FULL",
            # macOS: fsync alone leaves data in the drive's cache: https://www.sqlite.org/pragma.html#pragma_fullfsync
            "fullfsync=ON",
            "checkpoint_fullfsync=ON",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer takes the lock at once: upgrading later may fail without waiting.
        write = connection.get_execution_options().get("burnin_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def _postgresql(place: Place, busy_ms: int) -> Engine:
    url = make_url(place.url)
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": max(2, busy_ms // 1000)})

    @event.listens_for(engine, "connect")
    def _durable(connection: Any, _record: Any) -> None:
        # A server may be configured to acknowledge before the disk has it.
        connection.execute("SET synchronous_commit = on")
        connection.execute(f"SET lock_timeout = {int(busy_ms)}")
        connection.commit()

    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one state of the database. ``Unavailable`` if it does not answer."""
    try:
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise Unavailable(f"The data could not be read: {describe(error)}") from error


def describe(error: BaseException) -> str:
    """The database's own words on one line, without the statement."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(str(cause).split()).rstrip(".") + "."
