"""Taking an exam: create a sitting, act in it, look at it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from burnin.app.clock import Clock
from burnin.app.errors import (
    AppError,
    BadRequest,
    CannotSave,
    Damaged,
    Hidden,
    NotYet,
    UnknownExam,
    UnknownQuestion,
    UnknownSitting,
)
from burnin.app.opening import open_sitting
from burnin.app.pool import Bank, history, in_open_exams
from burnin.app.storing import read
from burnin.app.take import creating, looks
from burnin.app.take.landing import Landing
from burnin.app.take.live import Cache, Live
from burnin.app.take.views import Ack, QuestionView, SittingView
from burnin.domain.blueprint import Blueprint
from burnin.domain.form import RenderedItem
from burnin.domain.sitting import Conditions, EventKind, SittingEvent, Tick
from burnin.exam.sitting import (
    EXPIRY_ID,
    Accepted,
    BrokenLog,
    Command,
    Duplicate,
    Phase,
    Rejected,
    apply,
    decide,
    heartbeat_due,
    overdue,
    remaining_ms,
)
from burnin.store import DuplicateEvent, Store, StoreError, Unknown, VersionConflict

ATTEMPTS = 200
"""A program that writes without a pause wins the lock many times in a row; a person never does."""

log = logging.getLogger("burnin.take")


class Take:
    """Running sittings. All methods are safe to call from many tasks of one event loop.

    Other processes may work on the same sittings: what they stored is taken in before
    anything is shown or refused, and a lost race for an event is decided again.
    """

    def __init__(
        self,
        store: Store,
        bank: Bank,
        clock: Clock,
        *,
        new_id: Callable[[], str],
        new_seed: Callable[[], int],
    ) -> None:
        self._store = store
        self._bank = bank
        self._clock = clock
        self._new_id = new_id
        self._new_seed = new_seed
        self._cache = Cache()
        self._landing = Landing()
        # Before that reading a sitting cannot be overdue, whatever happens in it.
        self._not_before: dict[str, Tick | None] = {}

    async def create(
        self,
        exam: str,
        *,
        conditions: Conditions,
        seed: int | None = None,
        size: int | None = None,
        minutes: int | None = None,
        extra_time_percent: int = 0,
    ) -> str:
        """Assemble a form, store it and start a sitting on it; return the sitting's id.

        The clock runs from here. A tutor sitting has no limit: ``minutes`` and extra time
        are ignored. Errors: ``UnknownExam``, ``CannotAssemble``, ``BadRequest``,
        ``CannotSave``.
        """
        blueprint = self._blueprint(exam)
        wish = creating.Wish(
            conditions=conditions,
            seed=self._new_seed() if seed is None else seed,
            size=size,
            minutes=minutes,
            extra_time_percent=extra_time_percent,
        )
        wish.check()
        bank = self._bank
        seen = await read(history, self._store, bank)
        kept_back = await read(in_open_exams, self._store)
        form, items = await asyncio.to_thread(creating.make_form, wish, blueprint, bank, seen, kept_back)
        return await open_sitting(
            self._store,
            self._clock,
            self._new_id,
            form,
            items,
            conditions=conditions,
            limit_ms=creating.limit_ms(wish, form),
        )

    async def act(self, sitting_id: str, command: Command) -> Ack:
        """Carry out one command. When the Ack comes back ``ok``, it is on disk.

        A refusal is an Ack with ``code``, not an exception. Errors: ``UnknownSitting``;
        ``CannotSave`` and ``CannotRead``, after which sending the same command again is
        safe; ``BadRequest`` for a client id with characters that no database holds.
        """
        if not command.client_id.isprintable():
            raise BadRequest("The event id holds characters that cannot be stored.")
        live = self._cache.get(sitting_id)
        async with live.lock:
            if not live.loaded:
                await self._load(live)
            return await self._act(live, command)

    async def view(self, sitting_id: str) -> SittingView:
        """The whole sitting. Closes it first if its deadline has passed.

        Also writes a heartbeat if the last event is 15 s old. Errors: ``UnknownSitting``,
        ``CannotSave`` if the sitting had to be closed and could not.
        """
        live = self._cache.get(sitting_id)
        async with live.lock:
            await self._bring_up_to_date(live)
            state, now = live.state, self._clock.now()
            if heartbeat_due(state, now):
                beat = Command(f"server:heartbeat:{state.version + 1}", EventKind.HEARTBEAT)
                try:
                    await self._act(live, beat)
                except CannotSave as error:
                    # Looking must work on a full disk; only the time of a later crash is less exact.
                    log.warning("no heartbeat for sitting %s: %s", sitting_id, error)
                    await self._load(live)
            return looks.sitting_view(live, self._clock.now())

    async def question(self, sitting_id: str, number: int) -> QuestionView:
        """Question ``number`` (from 1) as asked, never with key or reasons.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``Hidden`` while paused or not
        started, ``CannotSave`` as ``view``.
        """
        live = self._cache.get(sitting_id)
        async with live.lock:
            await self._bring_up_to_date(live)
            size = len(live.form.entries)
            if not 1 <= number <= size:
                raise UnknownQuestion(f"This sitting has questions 1 to {size}, not {number}.")
            _refuse_if_hidden(live)
            return looks.question_view(live, number)

    async def reasons(self, sitting_id: str, item_id: str) -> RenderedItem:
        """The complete item, once the sitting is over, or in tutor once revealed.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``NotYet``, ``Hidden`` while
        paused, ``CannotSave`` as ``view``.
        """
        live = self._cache.get(sitting_id)
        async with live.lock:
            await self._bring_up_to_date(live)
            state = live.state
            if item_id not in live.items:
                raise UnknownQuestion(f"This sitting has no item {item_id!r}.")
            if not state.over:
                _refuse_if_hidden(live)
                if state.spec.conditions is not Conditions.TUTOR:
                    raise NotYet("Reasons are shown when the sitting is over.")
                if not state.item(item_id).revealed:
                    raise NotYet("Reasons are shown once you ask for them; that fixes the answer.")
            return live.items[item_id]

    async def options(self, sitting_id: str, item_id: str | None) -> tuple[str, ...]:
        """The ids of an item's options, in the order shown; none where the sitting has no such item.

        Errors: ``UnknownSitting``, ``CannotRead``.
        """
        live = self._cache.get(sitting_id)
        async with live.lock:
            if not live.loaded:
                await self._load(live)
            entry = live.entries.get(item_id) if item_id is not None else None
            return entry.options if entry is not None else ()

    async def settle(self, sitting_id: str) -> None:
        """Close the sitting if its deadline has passed. Errors as ``view``."""
        live = self._cache.get(sitting_id)
        async with live.lock:
            await self._bring_up_to_date(live)

    async def sweep(self) -> int:
        """Close every sitting whose deadline has passed; return how many.

        One that cannot be read or closed is logged and does not keep the others open.
        """
        now = self._clock.now()
        open_ids = await read(self._store.sittings.open_ids)
        self._not_before = {id_: tick for id_, tick in self._not_before.items() if id_ in set(open_ids)}
        closed = 0
        for sitting_id in open_ids:
            if not self._may_be_overdue(sitting_id, now):
                continue
            try:
                live = self._cache.get(sitting_id)
                async with live.lock:
                    await self._bring_up_to_date(live)
                    self._remember_limit(live)
                    closed += live.state.over
            except Exception:
                log.exception("sitting %s could not be closed", sitting_id)
        return closed

    async def sweep_forever(self, *, every_s: float = 5.0) -> None:
        """Sweep now and then every few seconds, until cancelled."""
        while True:
            try:
                await self.sweep()
            except AppError as error:
                log.warning("sweep failed: %s", error)
            await asyncio.sleep(every_s)

    def _blueprint(self, exam: str) -> Blueprint:
        for code, blueprint in self._bank.blueprints.items():
            if code.casefold() == exam.strip().casefold():
                return blueprint
        known = ", ".join(sorted(self._bank.blueprints))
        raise UnknownExam(f"No exam has the code {exam!r}. Known: {known}.")

    async def _act(self, live: Live, command: Command) -> Ack:
        """Decide, store, then apply. The caller holds the lock."""
        for _ in range(ATTEMPTS):
            now = self._clock.now()
            entry = live.entries.get(command.item) if command.item is not None else None
            decision = decide(live.state, command, now, entry=entry)
            if not isinstance(decision, Accepted) and await self._catch_up(live):
                continue
            if not isinstance(decision, Duplicate) and decision.events:
                try:
                    await self._append(live, decision.events)
                except (VersionConflict, DuplicateEvent):
                    await self._catch_up(live)
                    continue
            return looks.ack(
                live.state,
                command,
                now,
                duplicate=decision if isinstance(decision, Duplicate) else None,
                rejected=decision if isinstance(decision, Rejected) else None,
            )
        raise CannotSave("Other programs keep writing to this sitting. Close them and try again.")

    async def _append(self, live: Live, events: tuple[SittingEvent, ...]) -> None:
        state = live.state
        for event in events:
            state = apply(state, event)
        # Until the outcome is known, what is in memory may be behind the disk.
        live.loaded = False
        try:
            await self._landing.wait(self._store.events.append(live.id, events))
        except (VersionConflict, DuplicateEvent):
            live.loaded = True
            raise
        except StoreError as error:
            raise CannotSave(str(error)) from error
        live.state = state
        live.loaded = True

    async def _load(self, live: Live) -> None:
        try:
            await read(live.load, self._store)
        except Unknown as error:
            self._cache.drop(live.id)
            raise UnknownSitting(f"No sitting has the id {live.id!r}.") from error
        except (StoreError, BrokenLog) as error:
            raise Damaged(f"Sitting {live.id} cannot be read: {error}") from error

    async def _catch_up(self, live: Live) -> bool:
        """Take in what other processes stored; say whether there was anything."""
        events = await read(self._store.events.load, live.id, after=live.state.version)
        live.take_in(events)
        return bool(events)

    async def _bring_up_to_date(self, live: Live) -> None:
        if live.loaded:
            await self._catch_up(live)
        else:
            await self._load(live)
        if overdue(live.state, self._clock.now()):
            await self._act(live, Command(EXPIRY_ID, EventKind.EXPIRED))

    def _may_be_overdue(self, sitting_id: str, now: Tick) -> bool:
        if sitting_id not in self._not_before:
            return True
        earliest = self._not_before[sitting_id]
        if earliest is None:
            return False
        return earliest.boot != now.boot or earliest.boottime_ms <= now.boottime_ms

    def _remember_limit(self, live: Live) -> None:
        now = self._clock.now()
        left = remaining_ms(live.state, now)
        self._not_before[live.id] = (
            None
            if left is None
            else Tick(boot=now.boot, boottime_ms=now.boottime_ms + left, wall_ms=now.wall_ms + left)
        )


def _refuse_if_hidden(live: Live) -> None:
    if live.state.phase is Phase.PAUSED:
        raise Hidden("The sitting is paused. Questions are hidden until it goes on.")
    if live.state.phase is Phase.READY:
        raise Hidden("The sitting has not started. Questions are shown once its clock runs.")
