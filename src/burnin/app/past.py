"""Everything that was settled so far, read from the stored sittings."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import SittingSpec
from burnin.exam.record import Attempt, attempts, latest
from burnin.exam.sitting import BrokenLog, fold
from burnin.store import Store, StoreError, Unavailable

MOST = 100_000


class Past:
    """Attempts of all sittings. What a finished sitting says is kept: it never changes.

    All methods read the store, so call them in a thread.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._finished: dict[str, tuple[Attempt, ...]] = {}

    def attempts(self, exam: str | None = None) -> tuple[Attempt, ...]:
        """Return all attempts, of one exam if named, the oldest sitting first."""
        found: list[Attempt] = []
        for spec in reversed(self._store.sittings.recent(MOST)):
            found += self._of(spec)
        return tuple(a for a in found if exam is None or a.exam == exam)

    def last(self, exam: str) -> Mapping[str, Attempt]:
        """Return the last attempt at each item of an exam, by ``exposed_as``."""
        return latest(self.attempts(exam))

    def _of(self, spec: SittingSpec) -> tuple[Attempt, ...]:
        if spec.id in self._finished:
            return self._finished[spec.id]
        try:
            form, items = self._form(spec.form)
            state = fold(spec, self._store.events.load(spec.id))
            found = attempts(form, items, state)
        except Unavailable:
            raise
        except (StoreError, BrokenLog, ValueError):
            return ()  # one damaged sitting must not hide the others; its own page tells
        if state.over:
            self._finished[spec.id] = found
        return found

    def _form(self, form_id: str) -> tuple[Form, tuple[RenderedItem, ...]]:
        return self._store.forms.get(form_id)
