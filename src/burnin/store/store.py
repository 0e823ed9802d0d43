"""The store: opens a database, migrates it, and hands out its repositories."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from burnin.store.errors import CannotOpen
from burnin.store.place import Place, place, sqlite_revision
from burnin.store.revisions import HEAD, check_known

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from burnin.store.events import Events
    from burnin.store.forms import Forms
    from burnin.store.reports import Reports
    from burnin.store.settings import Settings
    from burnin.store.sittings import Sittings

BUSY_MS = 10_000


class Store:
    """An open database. Reads may run in any thread; every write returns a future.

    Writes from all threads go through one queue. A future that resolves without an
    error means: on disk.
    """

    forms: Forms
    sittings: Sittings
    events: Events
    settings: Settings
    reports: Reports

    def __init__(self, engine: Engine) -> None:
        from burnin.store.events import Events
        from burnin.store.forms import Forms
        from burnin.store.reports import Reports
        from burnin.store.settings import Settings
        from burnin.store.sittings import Sittings
        from burnin.store.writer import Writer

        self._engine = engine
        self.events = Events(engine)
        writer = Writer(engine, committed=self.events.committed, rolled_back=self.events.rolled_back)
        self._writer = self.events.writer = writer
        self.forms = Forms(engine, writer)
        self.sittings = Sittings(engine, writer)
        self.settings = Settings(engine, writer)
        self.reports = Reports(engine, writer)

    @classmethod
    def open(cls, url_or_path: str | os.PathLike[str], *, busy_ms: int = BUSY_MS) -> Store:
        """Open a SQLite file (made if missing) or ``postgresql://…``; migrate it if need be.

        ``busy_ms``: how long to wait for another process's lock. Errors: ``CannotOpen``
        with one message for people; ``TooNew`` for a database of a newer burnin, which
        stays untouched.
        """
        where = place(url_or_path)
        revision = None
        if where.path is not None:
            revision = sqlite_revision(where.path, busy_ms=busy_ms)
            check_known(revision, str(where))
        return cls(_connected(where, revision, busy_ms))

    def close(self) -> None:
        """Finish queued writes and let go of the database."""
        self._writer.close()
        self._engine.dispose()


def _connected(where: Place, revision: str | None, busy_ms: int) -> Engine:
    from sqlalchemy.exc import SQLAlchemyError

    from burnin.store import schema
    from burnin.store.engine import connect, describe

    try:
        engine = connect(where, busy_ms=busy_ms)
    except ImportError as error:
        raise CannotOpen("PostgreSQL needs an extra: pip install 'burnin[postgres]'.") from error
    try:
        if where.path is None:
            with engine.connect() as connection:
                revision = schema.revision(connection, where)
            check_known(revision, str(where))
        if revision != HEAD:
            schema.migrate(engine, where)
    except BaseException as error:
        engine.dispose()
        if isinstance(error, SQLAlchemyError):
            raise CannotOpen(f"The database {where} cannot be opened: {describe(error)}") from error
        raise
    return engine
