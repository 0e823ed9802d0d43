"""Sittings: the fixed terms. What happens in them are events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Engine, Row, exists, insert, select, text
from sqlalchemy.exc import IntegrityError

from burnin.domain.sitting import Conditions, SittingEvent, SittingSpec, Tick
from burnin.store import tables
from burnin.store.engine import reading
from burnin.store.errors import Duplicate, Unknown
from burnin.store.events import rows_of
from burnin.store.writer import Writer

_T = tables.sittings


class Sittings:
    """Sittings by id."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def create(self, spec: SittingSpec, events: Sequence[SittingEvent] = ()) -> Future[None]:
        """Store a sitting with its first events. Its form must be stored before.

        The future raises ``Duplicate`` if the id is taken, ``Unknown`` if there is no
        such form.
        """
        row = {
            "id": spec.id,
            "form": spec.form,
            "conditions": str(spec.conditions),
            "limit_ms": spec.limit_ms,
            "items": json.dumps(spec.items, ensure_ascii=False),
            "boot": spec.created.boot,
            "boottime_ms": spec.created.boottime_ms,
            "wall_ms": spec.created.wall_ms,
        }

        first = rows_of(spec.id, events)

        def write(connection: Connection) -> None:
            if connection.scalar(select(tables.forms.c.id).where(tables.forms.c.id == spec.form)) is None:
                raise Unknown(f"No form has the id {spec.form!r}.")
            try:
                connection.execute(insert(_T), row)
            except IntegrityError as error:
                raise Duplicate(f"There is a sitting with the id {spec.id!r} already.") from error
            if first:
                connection.execute(insert(tables.events), first)

        return self._writer.submit(write)

    def get(self, sitting_id: str) -> SittingSpec:
        """Return a sitting's terms; ``Unknown`` if there is no such sitting."""
        with reading(self._engine) as connection:
            row = connection.execute(select(_T).where(_T.c.id == sitting_id)).first()
        if row is None:
            raise Unknown(f"No sitting has the id {sitting_id!r}.")
        return _spec(row)

    def recent(self, limit: int = 20) -> tuple[SittingSpec, ...]:
        """Return the newest sittings, newest first."""
        query = select(_T).order_by(_T.c.wall_ms.desc(), _T.c.id.desc()).limit(limit)
        with reading(self._engine) as connection:
            return tuple(_spec(row) for row in connection.execute(query))

    def open_ids(self) -> tuple[str, ...]:
        """Return the ids of all sittings that were neither submitted nor expired, oldest first."""
        ended = exists().where(tables.events.c.sitting == _T.c.id, text(tables.ENDS))
        query = select(_T.c.id).where(~ended).order_by(_T.c.wall_ms, _T.c.id)
        with reading(self._engine) as connection:
            return tuple(connection.scalars(query))


def _spec(row: Row[Any]) -> SittingSpec:
    return SittingSpec(
        id=row.id,
        form=row.form,
        conditions=Conditions(row.conditions),
        limit_ms=row.limit_ms,
        items=tuple(json.loads(row.items)),
        created=Tick(boot=row.boot, boottime_ms=row.boottime_ms, wall_ms=row.wall_ms),
    )
