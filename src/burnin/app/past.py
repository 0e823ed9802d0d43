"""Everything that was settled so far, read from the stored sittings."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.domain.sitting import SittingSpec
from burnin.exam.record import Attempt, SittingRecord, latest, record
from burnin.exam.sitting import BrokenLog, fold
from burnin.store import Store, StoreError, Unavailable

MOST = 100_000


class Past:
    """Records of all sittings. What a finished sitting says is kept: it never changes.

    All methods read the store, so call them in a thread.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._finished: dict[str, SittingRecord] = {}

    def records(self, exam: str) -> tuple[SittingRecord, ...]:
        """Return the records of all readable sittings of an exam, the oldest first."""
        found = [self._of(spec) for spec in reversed(self._store.sittings.recent(MOST))]
        return tuple(r for r in found if r is not None and r.exam == exam)

    def last(self, exam: str) -> Mapping[str, Attempt]:
        """Return the last attempt at each item of an exam, by ``exposed_as``."""
        return latest(attempt for known in self.records(exam) for attempt in known.attempts)

    def _of(self, spec: SittingSpec) -> SittingRecord | None:
        if spec.id in self._finished:
            return self._finished[spec.id]
        try:
            form, items = self._store.forms.get(spec.form)
            found = record(form, items, fold(spec, self._store.events.load(spec.id)))
        except Unavailable:
            raise
        except (StoreError, BrokenLog, ValueError):
            return None  # one damaged sitting must not hide the others; its own page tells
        if found.over:
            self._finished[spec.id] = found
        return found
