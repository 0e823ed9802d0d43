"""How a sitting comes into being: its form stored, its terms fixed, its clock started."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnin.app.clock import Clock
from burnin.app.storing import written
from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions, EventKind, SittingEvent, SittingSpec
from burnin.store import Store


async def open_sitting(
    store: Store,
    clock: Clock,
    new_id: Callable[[], str],
    form: Form,
    items: Sequence[RenderedItem],
    *,
    conditions: Conditions,
    limit_ms: int | None,
) -> str:
    """Store a form and a sitting on it whose clock runs from here; return the sitting's id.

    ``CannotSave`` if the data folder did not take it.
    """
    await written(store.forms.put(form, items))
    now = clock.now()
    spec = SittingSpec(
        id=new_id(),
        form=form.id,
        conditions=conditions,
        limit_ms=limit_ms,
        items=tuple(entry.item for entry in form.entries),
        created=now,
    )
    started = SittingEvent(seq=1, client_id="server:started", kind=EventKind.STARTED, at=now)
    await written(store.sittings.create(spec, (started,)))
    return spec.id
