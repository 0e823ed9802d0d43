"""Reports of errors in items."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import asdict

from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.exc import IntegrityError

from burnin.domain.fault import FaultReport
from burnin.store import tables
from burnin.store.engine import reading
from burnin.store.errors import Duplicate
from burnin.store.writer import Writer

_T = tables.reports


class Reports:
    """Reports, kept in the order in which they came."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def add(self, report: FaultReport) -> Future[None]:
        """Store a report; the future raises ``Duplicate`` if its id is taken."""
        row = asdict(report)

        def write(connection: Connection) -> None:
            try:
                connection.execute(insert(_T), row)
            except IntegrityError as error:
                raise Duplicate(f"There is a report with the id {report.id!r} already.") from error

        return self._writer.submit(write)

    def all(self) -> tuple[FaultReport, ...]:
        """Return every report, oldest first."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(_T).order_by(_T.c.wall_ms, _T.c.id))
            return tuple(FaultReport(**row._mapping) for row in rows)
