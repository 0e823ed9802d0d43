"""A sitting as the fold of its events, and how much time it has used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from burnin.domain.sitting import Conditions, EventKind, SittingEvent, SittingSpec, Tick


class Phase(StrEnum):
    """Where a sitting stands."""

    READY = "ready"  # created; the clock starts with STARTED, not with a page view
    RUNNING = "running"
    PAUSED = "paused"
    SUBMITTED = "submitted"
    EXPIRED = "expired"


class BrokenLog(ValueError):
    """Stored events that no sitting can have produced."""


@dataclass(frozen=True, slots=True)
class ItemState:
    """What is known of one item. ``history`` holds each different selection in turn.

    ``seen`` is the seq of the last event on the item, ``changed`` that of the last
    event that changed its answer; 0 if there was none.
    """

    answer: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    flagged: bool = False
    revealed: bool = False
    ms: int = 0
    seen: int = 0
    changed: int = 0
    history: tuple[tuple[str, ...], ...] = ()
    rating: str | None = None


HEARTBEAT_MS = 15_000

UNTOUCHED = ItemState()


@dataclass(frozen=True, slots=True)
class State:
    """Everything a sitting's events say, up to and including event ``version``.

    ``used_ms`` is the time used at ``anchor``, the latest clock reading; of it,
    ``away_ms`` passed between two boots and counts for no item.
    """

    spec: SittingSpec
    phase: Phase
    version: int
    current: str
    items: Mapping[str, ItemState]
    acks: Mapping[str, SittingEvent]
    anchor: Tick
    used_ms: int
    away_ms: int
    pauses: int
    interrupted: bool

    @property
    def over(self) -> bool:
        """Whether nothing can be changed any more."""
        return self.phase is Phase.SUBMITTED or self.phase is Phase.EXPIRED

    def item(self, item: str) -> ItemState:
        """Return what is known of an item; ``KeyError`` if the sitting has no such item."""
        return self.items[item]

    def answer(self, item: str) -> tuple[str, ...]:
        """Return the selected option ids of an item, sorted; empty if none."""
        return self.items[item].answer

    @property
    def answers(self) -> dict[str, tuple[str, ...]]:
        """The selected option ids of every item, in the form's order."""
        return {item: state.answer for item, state in self.items.items()}


def initial(spec: SittingSpec) -> State:
    """Return the state of a sitting that has no events yet.

    ``ValueError`` if the terms make no sense: no or repeated items, a limit that is
    not positive, a tutor sitting with a limit.
    """
    if not spec.items or len(set(spec.items)) != len(spec.items):
        raise ValueError(f"sitting {spec.id}: items must be given, each once")
    if spec.limit_ms is not None and spec.limit_ms <= 0:
        raise ValueError(f"sitting {spec.id}: a limit of {spec.limit_ms} ms is not positive")
    if spec.limit_ms is not None and spec.conditions is Conditions.TUTOR:
        raise ValueError(f"sitting {spec.id}: a tutor sitting has no limit")
    return State(
        spec=spec,
        phase=Phase.READY,
        version=0,
        current=spec.items[0],
        items=dict.fromkeys(spec.items, UNTOUCHED),
        acks={},
        anchor=spec.created,
        used_ms=0,
        away_ms=0,
        pauses=0,
        interrupted=False,
    )


def apply(state: State, event: SittingEvent) -> State:
    """Return the state after one stored event.

    The event is taken as a fact: ``decide`` has judged it before it was stored.
    ``BrokenLog`` if its seq does not follow, its client id was used before or it
    names an unknown item.
    """
    return _after(state, event, dict(state.items), dict(state.acks))


def fold(spec: SittingSpec, events: Iterable[SittingEvent]) -> State:
    """Return the state after all stored events, in order of seq. Errors as ``apply``."""
    state = initial(spec)
    # Nobody sees the states in between, so they may share what they are made of.
    items, acks = dict(state.items), dict(state.acks)
    for event in events:
        state = _after(state, event, items, acks)
    return state


def elapsed_ms(state: State, now: Tick) -> int:
    """Return the time used at ``now``: no less than at the last event, no more than the limit."""
    return _capped(state, state.used_ms + _gained(state, now))


def remaining_ms(state: State, now: Tick) -> int | None:
    """Return the time left at ``now``; None when no deadline holds."""
    limit = state.spec.limit_ms
    return None if limit is None else limit - elapsed_ms(state, now)


def overdue(state: State, now: Tick) -> bool:
    """Say whether the deadline has passed and the sitting is not closed yet."""
    return not state.over and remaining_ms(state, now) == 0


def heartbeat_due(state: State, now: Tick) -> bool:
    """Say whether this reading should be stored as a heartbeat.

    At most every 15 s within a boot; at once in a new boot, so that the time which passed
    in between is on record before the wall clock can be set back.
    """
    if state.phase is not Phase.RUNNING:
        return False
    if now.boot != state.anchor.boot:
        return True
    return now.boottime_ms - state.anchor.boottime_ms >= HEARTBEAT_MS


def deadline(state: State, now: Tick) -> Tick:
    """Return the reading that the clocks showed when time ran out, told from ``now``.

    ``ValueError`` if no deadline has passed.
    """
    limit = state.spec.limit_ms
    if limit is None or not overdue(state, now):
        raise ValueError(f"sitting {state.spec.id} is not overdue")
    over_ms = state.used_ms + _gained(state, now) - limit
    # After a reboot the deadline may lie before this boot's zero; wall time then tells.
    return Tick(boot=now.boot, boottime_ms=max(0, now.boottime_ms - over_ms), wall_ms=now.wall_ms - over_ms)


_NEXT = {
    EventKind.STARTED: Phase.RUNNING,
    EventKind.PAUSED: Phase.PAUSED,
    EventKind.RESUMED: Phase.RUNNING,
    EventKind.SUBMITTED: Phase.SUBMITTED,
    EventKind.EXPIRED: Phase.EXPIRED,
}


def _after(
    state: State, event: SittingEvent, items: dict[str, ItemState], acks: dict[str, SittingEvent]
) -> State:
    """The next state, made of ``items`` and ``acks``: the state's own or copies of them."""
    if event.seq != state.version + 1:
        raise BrokenLog(f"sitting {state.spec.id}: event {event.seq} cannot follow event {state.version}")
    if event.client_id in acks:
        raise BrokenLog(f"sitting {state.spec.id}: client id {event.client_id!r} is used twice")
    if event.item is not None and event.item not in items:
        raise BrokenLog(f"sitting {state.spec.id}: event {event.seq} names unknown item {event.item!r}")
    acks[event.client_id] = event

    live = state.phase is Phase.RUNNING or state.phase is Phase.PAUSED
    gained = _gained(state, event.at)
    used = _capped(state, state.used_ms + gained)
    gained = used - state.used_ms
    away = state.away_ms
    if gained and event.at.boot == state.anchor.boot:
        current = items[state.current]
        items[state.current] = replace(current, ms=current.ms + gained)
    else:
        away += gained

    if event.item is not None:
        items[event.item] = _touched(items[event.item], event)

    phase = _NEXT.get(event.kind, state.phase)
    return State(
        spec=state.spec,
        phase=phase,
        version=event.seq,
        current=event.item if event.kind is EventKind.MOVED and event.item else state.current,
        items=items,
        acks=acks,
        anchor=_later(state.anchor, event.at),
        used_ms=used,
        away_ms=away,
        pauses=state.pauses + (event.kind is EventKind.PAUSED),
        interrupted=state.interrupted or (live and event.at.boot != state.anchor.boot),
    )


def _gained(state: State, now: Tick) -> int:
    """Time used since the anchor: elapsed time within a boot, wall time across boots."""
    if state.phase is not Phase.RUNNING:
        return 0
    if now.boot == state.anchor.boot:
        return max(0, now.boottime_ms - state.anchor.boottime_ms)
    return max(0, now.wall_ms - state.anchor.wall_ms)


def _capped(state: State, ms: int) -> int:
    limit = state.spec.limit_ms
    return ms if limit is None else min(ms, limit)


def _later(anchor: Tick, at: Tick) -> Tick:
    # Two readings of one boot may be stored in the other order; going back would count a span twice.
    if at.boot == anchor.boot and at.boottime_ms < anchor.boottime_ms:
        return anchor
    return at


def _touched(item: ItemState, event: SittingEvent) -> ItemState:
    match event.kind:
        case EventKind.ANSWERED if event.options != item.answer:
            return replace(
                item,
                answer=event.options,
                seen=event.seq,
                changed=event.seq,
                history=(*item.history, event.options),
            )
        case EventKind.STRUCK:
            return replace(item, struck=event.options, seen=event.seq)
        case EventKind.FLAGGED:
            return replace(item, flagged=bool(event.on), seen=event.seq)
        case EventKind.RATED:
            return replace(item, rating=event.value, seen=event.seq)
        case EventKind.REVEALED:
            return replace(item, revealed=True, seen=event.seq)
        case _:
            return replace(item, seen=event.seq)
