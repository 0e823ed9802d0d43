"""Results and reviews of finished sittings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from fractions import Fraction

from burnin.app.errors import AppError, BadRequest, Damaged, NotYet, UnknownSitting
from burnin.app.outcome.views import RecentSitting, Result, ReviewItem
from burnin.app.storing import read
from burnin.assembly import PRACTICE_RULE
from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import SittingSpec
from burnin.exam.forms import DIAGNOSTIC_RULE, REDO_RULE
from burnin.exam.report import Report, report
from burnin.exam.scoring import score
from burnin.exam.sitting import BrokenLog, State, fold
from burnin.store import Store, StoreError, Unavailable, Unknown

KEPT = 500


class Outcome:
    """Reads what sittings came to. Everything comes from the stored form and events."""

    def __init__(
        self,
        store: Store,
        *,
        settle: Callable[[str], Awaitable[None]],
        pass_mark: Callable[[], Awaitable[int]],
    ) -> None:
        self._store = store
        self._settle = settle
        self._pass_mark = pass_mark
        # A finished sitting never changes, so its line in the list does not either.
        self._finished: dict[str, RecentSitting] = {}

    async def report(self, sitting_id: str, *, pass_mark_percent: int | None = None) -> Result:
        """Score, report and review. ``pass_mark_percent`` None means the profile's.

        Errors: ``UnknownSitting``; ``NotYet`` while the sitting is not over;
        ``BadRequest`` for a pass mark outside 1 to 100.
        """
        mark = await self._pass_mark() if pass_mark_percent is None else pass_mark_percent
        if not 1 <= mark <= 100:
            raise BadRequest(f"A pass mark lies between 1 and 100 percent, not {mark}.")
        await self._settle(sitting_id)
        return await read(self._report, sitting_id, mark)

    async def recent(self, limit: int = 20) -> tuple[RecentSitting, ...]:
        """The newest sittings first, finished or not. Closes those whose time is up."""
        specs = await read(self._store.sittings.recent, limit)
        lines = []
        for spec in specs:
            if spec.id not in self._finished:
                # One sitting that cannot be read or closed must not hide the others.
                with suppress(AppError):
                    await self._settle(spec.id)
            line = self._finished.get(spec.id) or await read(self._line, spec)
            if line is not None:
                lines.append(line)
        return tuple(lines)

    def _read(self, spec: SittingSpec) -> tuple[Form, tuple[RenderedItem, ...], State]:
        try:
            form, items = self._store.forms.get(spec.form)
            return form, items, fold(spec, self._store.events.load(spec.id))
        except Unavailable:
            raise
        except (StoreError, BrokenLog) as error:
            raise Damaged(f"Sitting {spec.id} cannot be read: {error}") from error

    def _report(self, sitting_id: str, mark: int) -> Result:
        try:
            spec = self._store.sittings.get(sitting_id)
        except Unknown as error:
            raise UnknownSitting(f"No sitting has the id {sitting_id!r}.") from error
        form, items, state = self._read(spec)
        if form.assembly_rule == DIAGNOSTIC_RULE:
            raise BadRequest("A diagnostic has no score: it asks a part of its questions only.")
        if not state.over:
            raise NotYet("The result is shown when the sitting is over.")
        made = report(form, items, state, pass_mark_percent=Fraction(mark))
        return Result(
            spec=spec,
            form=form,
            phase=state.phase.value,
            report=made,
            review=_review(form, items, state, made),
        )

    def _line(self, spec: SittingSpec) -> RecentSitting | None:
        try:
            form, items, state = self._read(spec)
        except Damaged:
            return None
        percent = None
        if state.over and form.assembly_rule != DIAGNOSTIC_RULE:
            result = score(form, items, state.answers, form.scoring_rule)
            percent = float(100 * result.earned / result.possible)
        diagnostic = form.assembly_rule == DIAGNOSTIC_RULE
        asked = sum(state.item(entry.item).revealed for entry in form.entries)
        line = RecentSitting(
            id=spec.id,
            exam=form.exam,
            title=form.title,
            conditions=spec.conditions,
            size=asked if diagnostic else len(form.entries),
            created_wall_ms=spec.created.wall_ms,
            phase=state.phase.value,
            over=state.over,
            interrupted=state.interrupted,
            percent=percent,
            diagnostic=diagnostic,
            rerun=form.assembly_rule == REDO_RULE,
            drill=form.assembly_rule == PRACTICE_RULE,
        )
        if state.over:
            if len(self._finished) >= KEPT:
                self._finished.clear()
            self._finished[spec.id] = line
        return line


def _review(
    form: Form, items: tuple[RenderedItem, ...], state: State, made: Report
) -> tuple[ReviewItem, ...]:
    by_id = {item.id: item for item in items}
    return tuple(
        ReviewItem(
            number=line.number,
            item=by_id[entry.item],
            order=entry.options,
            selected=state.answer(entry.item),
            struck=state.item(entry.item).struck,
            flagged=line.flagged,
            correct=line.outcome == "right",
            seconds=line.seconds,
        )
        for entry, line in zip(form.entries, made.items, strict=True)
    )
