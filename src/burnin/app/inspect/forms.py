"""Draft a form to look at; nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from burnin.app.errors import BadRequest, CannotAssemble, CannotRead
from burnin.app.inspect.items import blueprint_of
from burnin.app.pool import finished, pool, sound
from burnin.assembly import Infeasible, assemble
from burnin.catalog import Catalog
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item


def draft_form(
    catalog: Catalog,
    code: str,
    *,
    seed: int,
    size: int | None = None,
    history: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Assemble a form and return it without its items' texts, with the seconds it took.

    ``seconds_for_numbers`` is what computed items took beside that, seconds on the first day.

    ``size`` None is the usual size of the real exam. ``history`` maps items to times seen. Raises UnknownExam,
    BadRequest for a size under 1, CannotAssemble where the bank is too small.
    """
    blueprint = blueprint_of(catalog, code)
    count = blueprint.questions_usual if size is None else size
    if count < 1:
        raise BadRequest("a form needs at least one question")
    began, numbers = perf_counter(), 0.0

    def finish(item: Item) -> Item:
        nonlocal numbers
        at = perf_counter()
        done = finished(catalog, item)
        numbers += perf_counter() - at
        return done

    def make(items: Sequence[Item]) -> tuple[Form, tuple[RenderedItem, ...]]:
        return assemble(
            blueprint,
            items,
            catalog,
            size=count,
            seed=seed,
            bank_version=catalog.version,
            history=history,
            finish=finish,
        )

    try:
        form, _ = sound(pool(catalog, blueprint, seed, computed=True), make)
    except Infeasible as error:
        raise CannotAssemble(str(error)) from error
    return {
        "form": form.id,
        "exam": form.exam,
        "items": [{"id": e.item, "domain": e.domain, "choose": e.choose} for e in form.entries],
        "minutes": form.minutes,
        "seconds_to_assemble": perf_counter() - began - numbers,
        "seconds_for_numbers": numbers,
    }


def seen_before(catalog: Catalog, database: str) -> dict[str, int]:
    """Return how often each item was seen in a stored sitting; nothing where nothing is stored yet.

    ``CannotRead`` if the database cannot be used.
    """
    # Opening a database that is not there would make it, and costs half a CPU second.
    if "://" not in database and not Path(database).exists():
        return {}
    from burnin.app.pool import history
    from burnin.store import Store, StoreError

    try:
        store = Store.open(database)
        try:
            return history(store, catalog)
        finally:
            store.close()
    except StoreError as error:
        raise CannotRead(str(error)) from error
