"""From a sitting in memory to what a face may see of it."""

from __future__ import annotations

from burnin.app.take.live import Live
from burnin.app.take.views import Ack, EntryView, QuestionView, SittingView
from burnin.domain.form import FormEntry, asked
from burnin.domain.sitting import Tick
from burnin.exam.forms import DIAGNOSTIC_RULE
from burnin.exam.sitting import Command, Duplicate, Rejected, State, elapsed_ms, remaining_ms


def ack(
    state: State, command: Command, now: Tick, *, duplicate: Duplicate | None, rejected: Rejected | None
) -> Ack:
    """Answer a command with the stored truth about its item."""
    item = state.items.get(command.item) if command.item is not None else None
    return Ack(
        ok=rejected is None,
        version=state.version,
        phase=state.phase.value,
        remaining_ms=remaining_ms(state, now),
        item=command.item if item is not None else None,
        options=item.answer if item is not None else (),
        struck=item.struck if item is not None else (),
        flagged=item.flagged if item is not None else False,
        rating=item.rating if item is not None else None,
        seen=item.seen if item is not None else 0,
        duplicate=duplicate is not None,
        code=rejected.code if rejected is not None else None,
        message=rejected.message if rejected is not None else None,
    )


def sitting_view(live: Live, now: Tick) -> SittingView:
    """The whole sitting, for grid, review screen and clock."""
    state = live.state
    numbers = {entry.item: number for number, entry in enumerate(live.form.entries, start=1)}
    return SittingView(
        id=live.id,
        exam=live.form.exam,
        title=live.form.title,
        conditions=state.spec.conditions,
        phase=state.phase.value,
        size=len(live.form.entries),
        remaining_ms=remaining_ms(state, now),
        elapsed_ms=elapsed_ms(state, now),
        limit_ms=state.spec.limit_ms,
        interrupted=state.interrupted,
        current=numbers[state.current],
        version=state.version,
        entries=tuple(
            _entry(state, entry, numbers[entry.item], live.items[entry.item].seconds)
            for entry in live.form.entries
        ),
        diagnostic=live.form.assembly_rule == DIAGNOSTIC_RULE,
    )


def _entry(state: State, entry: FormEntry, number: int, seconds: int) -> EntryView:
    item = state.item(entry.item)
    chosen = len(item.answer)
    return EntryView(
        number=number,
        item=entry.item,
        choose=entry.choose,
        chosen=chosen,
        answered=chosen == entry.choose,
        incomplete=0 < chosen != entry.choose,
        flagged=item.flagged,
        revealed=item.revealed,
        rating=item.rating,
        seconds=seconds,
    )


def question_view(live: Live, number: int) -> QuestionView:
    """One question, stripped of everything that must not leave the server."""
    entry = live.form.entries[number - 1]
    item = live.state.item(entry.item)
    return QuestionView(
        sitting=live.id,
        number=number,
        asked=asked(live.items[entry.item], entry.options),
        selected=item.answer,
        struck=item.struck,
        flagged=item.flagged,
        revealed=item.revealed,
        rating=item.rating,
        seen=item.seen,
    )
