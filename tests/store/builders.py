"""A stored sitting and events for it."""

from __future__ import annotations

from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions, EventKind, SittingEvent, SittingSpec
from burnin.store import Store
from tests.exam.builders import item, small_form, tick


def form(*names: str) -> tuple[Form, tuple[RenderedItem, ...]]:
    return small_form([item(name) for name in names or ("q1", "q2")])


def spec(sitting: str = "s1", *, form_id: str, seconds: float = 0) -> SittingSpec:
    return SittingSpec(
        id=sitting,
        form=form_id,
        conditions=Conditions.EXAM,
        limit_ms=3_600_000,
        items=("q1", "q2"),
        created=tick(seconds),
    )


def add_sitting(store: Store, sitting: str = "s1", *, seconds: float = 0) -> SittingSpec:
    made, items = form()
    store.forms.put(made, items).result()
    terms = spec(sitting, form_id=made.id, seconds=seconds)
    store.sittings.create(terms).result()
    return terms


def event(seq: int, client_id: str | None = None, **changes: object) -> SittingEvent:
    facts: dict[str, object] = {
        "seq": seq,
        "client_id": client_id or f"c{seq}",
        "kind": EventKind.ANSWERED,
        "at": tick(seq),
        "item": "q1",
        "options": ("ash", "birch"),
    }
    return SittingEvent(**{**facts, **changes})  # type: ignore[arg-type]
