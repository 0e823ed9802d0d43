"""The append-only list of events of every sitting."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select
from sqlalchemy.exc import IntegrityError

from burnin.domain.sitting import EventKind, SittingEvent, Tick
from burnin.store import tables
from burnin.store.engine import reading
from burnin.store.errors import BrokenSequence, DuplicateEvent, StoreError, Unknown, VersionConflict
from burnin.store.savepoint import savepoint
from burnin.store.writer import Writer

_T = tables.events
_INSERT = insert(_T)
REMEMBERED = 10_000

Rows = list[dict[str, Any]]


class Events:
    """Events by sitting. ``writer`` is set by the store, which makes both."""

    writer: Writer

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # The last seq of sittings this process wrote to; only the writer's thread touches them.
        self._heads: dict[str, int] = {}
        self._pending: dict[str, int] = {}

    def load(self, sitting_id: str, *, after: int = 0) -> tuple[SittingEvent, ...]:
        """Return the events with a seq above ``after``, in order; none for an unknown sitting."""
        query = select(_T).where(_T.c.sitting == sitting_id, _T.c.seq > after).order_by(_T.c.seq)
        with reading(self._engine) as connection:
            return tuple(
                SittingEvent(
                    seq=row.seq,
                    client_id=row.client_id,
                    kind=EventKind(row.kind),
                    at=Tick(boot=row.boot, boottime_ms=row.boottime_ms, wall_ms=row.wall_ms),
                    item=row.item,
                    options=tuple(json.loads(row.options)),
                    on=row.is_on,
                    value=row.value,
                )
                for row in connection.execute(query)
            )

    def seen(self) -> dict[str, int]:
        """Return in how many sittings each item was looked at, answered or revealed."""
        kinds = [kind.value for kind in (EventKind.MOVED, EventKind.ANSWERED, EventKind.REVEALED)]
        query = (
            select(_T.c.item, func.count(func.distinct(_T.c.sitting)).label("times"))
            .where(_T.c.item.is_not(None), _T.c.kind.in_(kinds))
            .group_by(_T.c.item)
        )
        with reading(self._engine) as connection:
            return {row.item: row.times for row in connection.execute(query)}

    def append(self, sitting_id: str, events: Sequence[SittingEvent]) -> Future[None]:
        """Append events that continue the sitting's sequence; all of them or none.

        The future resolves when they are on disk. It raises ``VersionConflict`` if
        another process took a seq or ended the sitting, ``DuplicateEvent`` if a client
        id is there already, ``BrokenSequence`` for a gap, ``Unknown`` for a sitting that
        does not exist and ``Unavailable`` if the disk or the server did not take it.
        """
        if not events:
            raise ValueError("no events to append")
        rows = rows_of(sitting_id, events)
        return self.writer.submit(
            lambda connection: self._one(connection, rows), bulk=self._bulk, argument=rows
        )

    def committed(self) -> None:
        """The writer's transaction is on disk."""
        if len(self._heads) > REMEMBERED:
            self._heads.clear()
        self._heads.update(self._pending)
        self._pending.clear()

    def rolled_back(self) -> None:
        """The writer's transaction is gone, or its fate unknown."""
        self._heads.clear()
        self._pending.clear()

    def _bulk(self, connection: Connection, arguments: Sequence[Rows]) -> None:
        heads: dict[str, int] = {}
        for rows in arguments:
            sitting = rows[0]["sitting"]
            head = heads.get(sitting)
            if head is None:
                head = self._known_head(sitting)
            if head is None:
                head = _stored_head(connection, sitting)
            _check(rows, head)
            heads[sitting] = rows[-1]["seq"]
        connection.execute(_INSERT, [row for rows in arguments for row in rows])
        self._pending.update(heads)

    def _one(self, connection: Connection, rows: Rows) -> None:
        sitting = rows[0]["sitting"]
        head = self._known_head(sitting)
        # Another process may have moved the head on, so only a fresh one proves a gap.
        if head is None or rows[0]["seq"] > head + 1:
            head = _stored_head(connection, sitting)
        _check(rows, head)
        try:
            with savepoint(connection):
                connection.execute(_INSERT, rows)
        except IntegrityError as error:
            self._heads.pop(sitting, None)
            self._pending.pop(sitting, None)
            raise _reason(connection, rows) from error
        self._pending[sitting] = rows[-1]["seq"]

    def _known_head(self, sitting: str) -> int | None:
        head = self._pending.get(sitting)
        return self._heads.get(sitting) if head is None else head


def rows_of(sitting_id: str, events: Sequence[SittingEvent]) -> Rows:
    """Events as rows of the table."""
    return [
        {
            "sitting": sitting_id,
            "seq": event.seq,
            "client_id": event.client_id,
            "kind": event.kind.value,
            "boot": event.at.boot,
            "boottime_ms": event.at.boottime_ms,
            "wall_ms": event.at.wall_ms,
            "item": event.item,
            "options": json.dumps(event.options, ensure_ascii=False) if event.options else "[]",
            "is_on": event.on,
            "value": event.value,
        }
        for event in events
    ]


def _stored_head(connection: Connection, sitting: str) -> int:
    return connection.scalar(select(func.max(_T.c.seq)).where(_T.c.sitting == sitting)) or 0


def _check(rows: Rows, head: int) -> None:
    first = rows[0]["seq"]
    if first > head + 1 or any(row["seq"] != first + n for n, row in enumerate(rows)):
        raise BrokenSequence(
            f"sitting {rows[0]['sitting']}: events {[row['seq'] for row in rows]} do not follow event {head}"
        )


def _reason(connection: Connection, rows: Rows) -> StoreError:
    """Why the database refused these rows."""
    sitting = rows[0]["sitting"]
    if connection.scalar(select(tables.sittings.c.id).where(tables.sittings.c.id == sitting)) is None:
        return Unknown(f"No sitting has the id {sitting!r}.")
    ids = [row["client_id"] for row in rows]
    taken = connection.scalar(select(_T.c.client_id).where(_T.c.sitting == sitting, _T.c.client_id.in_(ids)))
    if taken is not None:
        return DuplicateEvent(sitting, taken)
    return VersionConflict(sitting, rows[0]["seq"])
