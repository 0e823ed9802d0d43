"""Reports of finished sittings, from what is stored and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fractions import Fraction

from burnin.app.errors import BadRequest, Damaged, NotYet, UnknownSitting
from burnin.app.past import Past
from burnin.app.pool import Bank
from burnin.app.storing import read
from burnin.domain.form import Form
from burnin.domain.sitting import SittingSpec
from burnin.exam.forms import DIAGNOSTIC_RULE
from burnin.exam.insight import Insight, insight
from burnin.exam.sitting import BrokenLog, fold
from burnin.exam.trend import TrendPoint, seen_before, trend
from burnin.store import Store, StoreError, Unavailable, Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReport:
    """A finished sitting's report, and all finished sittings of its exam, the oldest first."""

    spec: SittingSpec
    form: Form
    insight: Insight
    trend: tuple[TrendPoint, ...]


class Reports:
    """Reads what sittings teach."""

    def __init__(
        self,
        store: Store,
        bank: Bank,
        past: Past,
        *,
        settle: Callable[[str], Awaitable[None]],
        pass_mark: Callable[[], Awaitable[int]],
    ) -> None:
        self._store = store
        self._bank = bank
        self._past = past
        self._settle = settle
        self._pass_mark = pass_mark

    async def full(self, sitting_id: str, *, pass_mark_percent: int | None = None) -> FullReport:
        """Return a sitting's report; ``pass_mark_percent`` None means the profile's.

        Errors: ``UnknownSitting``; ``NotYet`` while it is not over; ``BadRequest`` for a
        diagnostic, or a pass mark outside 1 to 100; ``Damaged``.
        """
        mark = await self._pass_mark() if pass_mark_percent is None else pass_mark_percent
        if not 1 <= mark <= 100:
            raise BadRequest(f"A pass mark lies between 1 and 100 percent, not {mark}.")
        await self._settle(sitting_id)
        return await read(self._full, sitting_id, mark)

    async def trend(self, exam: str) -> tuple[TrendPoint, ...]:
        """Return a point for each finished sitting of an exam, the oldest first."""
        return await read(self._trend, exam)

    def _full(self, sitting_id: str, mark: int) -> FullReport:
        try:
            spec = self._store.sittings.get(sitting_id)
        except Unknown as error:
            raise UnknownSitting(f"No sitting has the id {sitting_id!r}.") from error
        try:
            form, items = self._store.forms.get(spec.form)
            state = fold(spec, self._store.events.load(sitting_id))
        except Unavailable:
            raise
        except (StoreError, BrokenLog) as error:
            raise Damaged(f"Sitting {sitting_id} cannot be read: {error}") from error
        if form.assembly_rule == DIAGNOSTIC_RULE:
            raise BadRequest("A diagnostic has no score: it asks a part of its questions only.")
        if not state.over:
            raise NotYet("The report is made when the sitting is over.")
        records = self._past.records(form.exam)
        return FullReport(
            spec=spec,
            form=form,
            insight=insight(
                form,
                items,
                state,
                pass_mark_percent=Fraction(mark),
                seen_before=seen_before(records, sitting_id),
            ),
            trend=self._trend(form.exam),
        )

    def _trend(self, exam: str) -> tuple[TrendPoint, ...]:
        blueprint = self._bank.blueprints.get(exam)
        # An exam that is gone from the catalogue has no size to compare with.
        return trend(self._past.records(exam), full_size=0 if blueprint is None else blueprint.questions_min)
