"""Reports of errors in items, kept locally and exportable."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from burnin.app.clock import Clock
from burnin.app.errors import BadRequest, Damaged, UnknownQuestion, UnknownSitting
from burnin.app.storing import read, written
from burnin.domain.fault import FaultReport
from burnin.store import Store, StoreError, Unavailable, Unknown

KINDS = ("wrong-key", "ambiguous", "outdated", "source", "typo", "other")
LONGEST = 4_000


class Faults:
    """Adds and exports reports."""

    def __init__(self, store: Store, clock: Clock, *, new_id: Callable[[], str]) -> None:
        self._store = store
        self._clock = clock
        self._new_id = new_id

    async def add(self, *, sitting: str, item: str, kind: str, text: str) -> FaultReport:
        """Store a report on an item of a sitting, with the hash of the text that was shown.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``CannotSave``, ``BadRequest``
        (unknown kind, no words with kind "other", over 4,000 characters).
        """
        text = text.strip()
        if kind not in KINDS:
            raise BadRequest(f"There is no kind of error {kind!r}. Known: {', '.join(KINDS)}.")
        if kind == "other" and not text:
            raise BadRequest("Say in a few words what is wrong.")
        if len(text) > LONGEST:
            raise BadRequest(f"A report has at most {LONGEST:,} characters; this one has {len(text):,}.")
        report = await read(self._report, sitting, item, kind, text)
        await written(self._store.reports.add(report))
        return report

    async def all(self) -> tuple[FaultReport, ...]:
        """Every report, oldest first."""
        return await read(self._store.reports.all)

    async def export(self) -> Iterator[str]:
        """One JSON object a line, oldest first, without line ends."""
        reports = await self.all()
        return (json.dumps(asdict(report), ensure_ascii=False) for report in reports)

    def _report(self, sitting: str, item: str, kind: str, text: str) -> FaultReport:
        try:
            form, items = self._store.forms.get(self._store.sittings.get(sitting).form)
        except Unknown as error:
            raise UnknownSitting(f"No sitting has the id {sitting!r}.") from error
        except Unavailable:
            raise
        except StoreError as error:
            raise Damaged(f"Sitting {sitting} cannot be read: {error}") from error
        for entry, shown in zip(form.entries, items, strict=True):
            if entry.item == item:
                return FaultReport(
                    id=self._new_id(),
                    item=item,
                    version=shown.version,
                    hash=entry.hash,
                    exam=form.exam,
                    sitting=sitting,
                    kind=kind,
                    text=text,
                    wall_ms=self._clock.now().wall_ms,
                )
        raise UnknownQuestion(f"This sitting has no item {item!r}.")
