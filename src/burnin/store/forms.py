"""Forms and their rendered items, each stored once, by content hash."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future

import msgspec
from sqlalchemy import Connection, Engine, select

from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import Form, RenderedItem
from burnin.store import tables
from burnin.store.engine import reading
from burnin.store.errors import StoreError, Unknown
from burnin.store.upsert import insert_for
from burnin.store.writer import Writer

_FORM = msgspec.json.Decoder(Form)
_ITEM = msgspec.json.Decoder(RenderedItem)


class Forms:
    """Forms by id. What is stored is never changed."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def put(self, form: Form, items: Sequence[RenderedItem]) -> Future[None]:
        """Store a form with its items; what is there already stays as it is.

        ``ValueError`` if an item does not have the hash that the form names.
        """
        bodies = {hash_of(body): body for body in map(canonical_bytes, items)}
        missing = [entry.item for entry in form.entries if entry.hash not in bodies]
        if missing:
            raise ValueError(f"form {form.id}: no item with the stated hash for {', '.join(missing)}")
        used = {entry.hash for entry in form.entries}
        rows = [{"hash": key, "body": body} for key, body in bodies.items() if key in used]
        body = canonical_bytes(form)

        def write(connection: Connection) -> None:
            if rows:
                connection.execute(insert_for(connection, tables.rendered).on_conflict_do_nothing(), rows)
            connection.execute(
                insert_for(connection, tables.forms).on_conflict_do_nothing(), {"id": form.id, "body": body}
            )

        return self._writer.submit(write)

    def get(self, form_id: str) -> tuple[Form, tuple[RenderedItem, ...]]:
        """Return a form and its items, in the form's order.

        ``Unknown`` if there is no such form, ``StoreError`` if a stored item no longer
        has the hash it was stored under.
        """
        with reading(self._engine) as connection:
            form = self._form(connection, form_id)
            bodies = self._bodies(connection, form)
        return form, tuple(_ITEM.decode(body) for body in bodies)

    def bodies(self, form_id: str) -> tuple[bytes, ...]:
        """Return the stored bytes of a form's items, in the form's order. Errors as ``get``."""
        with reading(self._engine) as connection:
            return self._bodies(connection, self._form(connection, form_id))

    @staticmethod
    def _bodies(connection: Connection, form: Form) -> tuple[bytes, ...]:
        wanted = sorted({entry.hash for entry in form.entries})
        query = select(tables.rendered.c.hash, tables.rendered.c.body).where(
            tables.rendered.c.hash.in_(wanted)
        )
        found = {row.hash: bytes(row.body) for row in connection.execute(query)}
        for entry in form.entries:
            body = found.get(entry.hash)
            if body is None or hash_of(body) != entry.hash:
                raise StoreError(
                    f"Form {form.id}: the stored text of item {entry.item} is missing or damaged."
                )
        return tuple(found[entry.hash] for entry in form.entries)

    @staticmethod
    def _form(connection: Connection, form_id: str) -> Form:
        body = connection.scalar(select(tables.forms.c.body).where(tables.forms.c.id == form_id))
        if body is None:
            raise Unknown(f"No form has the id {form_id!r}.")
        return _FORM.decode(bytes(body))


def hash_of(body: bytes) -> str:
    """The content hash of canonical bytes, as ``domain.canonical.content_hash`` makes it."""
    return hashlib.sha256(body).hexdigest()[:32]
