"""A sitting in memory: its terms, its form, and the state folded so far."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from burnin.domain.form import Form, FormEntry, RenderedItem
from burnin.domain.sitting import SittingEvent
from burnin.exam.sitting import State, apply, fold
from burnin.store import Store

KEPT = 512


class Live:
    """One sitting. ``lock`` is held while it changes; ``state`` only holds stored events."""

    __slots__ = ("entries", "form", "id", "items", "loaded", "lock", "state")

    id: str
    lock: asyncio.Lock
    loaded: bool
    form: Form
    entries: Mapping[str, FormEntry]
    items: Mapping[str, RenderedItem]
    state: State

    def __init__(self, sitting_id: str) -> None:
        self.id = sitting_id
        self.lock = asyncio.Lock()
        self.loaded = False

    def load(self, store: Store) -> None:
        """Read everything anew. Errors as the repositories'."""
        spec = store.sittings.get(self.id)
        form, items = store.forms.get(spec.form)
        self.state = fold(spec, store.events.load(self.id))
        self.form = form
        self.entries = {entry.item: entry for entry in form.entries}
        self.items = {item.id: item for item in items}
        self.loaded = True

    def take_in(self, events: tuple[SittingEvent, ...]) -> None:
        """Fold stored events in."""
        for event in events:
            self.state = apply(self.state, event)


class Cache:
    """The sittings used last. Losing one costs a reload, never an event."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._sittings: OrderedDict[str, Live] = OrderedDict()

    def get(self, sitting_id: str) -> Live:
        """Return the sitting's place in memory, empty if it is new here."""
        live = self._sittings.get(sitting_id)
        if live is None:
            live = self._sittings[sitting_id] = Live(sitting_id)
            while len(self._sittings) > self._kept:
                self._sittings.popitem(last=False)
        else:
            self._sittings.move_to_end(sitting_id)
        return live

    def drop(self, sitting_id: str) -> None:
        """Forget a sitting."""
        self._sittings.pop(sitting_id, None)
