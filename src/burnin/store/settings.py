"""Settings as key and value. A value is anything JSON can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Connection, Engine, select

from burnin.store import tables
from burnin.store.engine import reading
from burnin.store.upsert import insert_for
from burnin.store.writer import Writer

_T = tables.settings


class Settings:
    """Settings by key."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or ``default`` if the key was never set or holds no JSON."""
        with reading(self._engine) as connection:
            text = connection.scalar(select(_T.c.value).where(_T.c.key == key))
        if text is None:
            return default
        try:
            return json.loads(text)
        except ValueError:
            return default

    def all(self) -> dict[str, Any]:
        """Return every setting whose value is JSON."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(_T.c.key, _T.c.value).order_by(_T.c.key)).all()
        values = {}
        for key, text in rows:
            try:
                values[key] = json.loads(text)
            except ValueError:
                continue
        return values

    def set(self, key: str, value: Any) -> Future[None]:
        """Store a value under a key, in place of an older one."""
        return self.set_all({key: value})

    def set_all(self, values: Mapping[str, Any]) -> Future[None]:
        """Store several values; all of them or none."""
        rows = [{"key": key, "value": json.dumps(value, ensure_ascii=False)} for key, value in values.items()]

        def write(connection: Connection) -> None:
            if rows:
                new = insert_for(connection, _T)
                connection.execute(
                    new.on_conflict_do_update(index_elements=["key"], set_={"value": new.excluded.value}),
                    rows,
                )

        return self._writer.submit(write)
