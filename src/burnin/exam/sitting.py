"""What a sitting answers to a command: pure judgement, no clock and no storage.

The state that judgement rests on lives in ``burnin.exam.state`` and is re-exported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from burnin.domain.form import FormEntry
from burnin.domain.sitting import Conditions, EventKind, Rating, SittingEvent, Tick
from burnin.exam.state import (
    HEARTBEAT_MS,
    BrokenLog,
    ItemState,
    Phase,
    State,
    apply,
    deadline,
    elapsed_ms,
    fold,
    heartbeat_due,
    initial,
    overdue,
    remaining_ms,
)

__all__ = [
    "EXPIRY_ID",
    "HEARTBEAT_MS",
    "Accepted",
    "BrokenLog",
    "Code",
    "Command",
    "Decision",
    "Duplicate",
    "ItemState",
    "Phase",
    "Rejected",
    "State",
    "apply",
    "decide",
    "elapsed_ms",
    "fold",
    "heartbeat_due",
    "initial",
    "overdue",
    "remaining_ms",
]

EXPIRY_ID = "server:expired"
"""Client id of every EXPIRED event, so that a sitting can hold only one."""

CLIENT_ID_LENGTH = 128

Code = Literal[
    "malformed",
    "unknown-item",
    "unknown-option",
    "too-many",
    "conflict",
    "stale",
    "not-started",
    "started",
    "paused",
    "not-paused",
    "no-pause",
    "no-rating",
    "not-tutor",
    "revealed",
    "not-due",
    "expired",
    "over",
]


@dataclass(frozen=True, slots=True)
class Command:
    """What a client asks for. The same ``client_id`` means the same command, sent again.

    ``options`` is the whole selection (ANSWERED) or all that is struck out (STRUCK).
    ``seen`` is the seq of the last event on the item that the client knew of; with it a
    write from a tab that shows an older answer is refused.
    """

    client_id: str
    kind: EventKind
    item: str | None = None
    options: tuple[str, ...] = ()
    on: bool | None = None
    seen: int | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """Store these events, then acknowledge."""

    events: tuple[SittingEvent, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The command was accepted before, as event ``seq``: acknowledge it again."""

    seq: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """The command changes nothing. ``events`` still has to be stored: at most one EXPIRED."""

    code: Code
    message: str
    events: tuple[SittingEvent, ...] = ()


Decision = Accepted | Duplicate | Rejected


def decide(state: State, command: Command, now: Tick, *, entry: FormEntry | None = None) -> Decision:
    """Judge a command at the time of its arrival.

    ``entry``, the form's entry of the command's item, lets unknown option ids be refused,
    and an answer of more options than asked for. An empty or incomplete selection is
    always legal. Once time is up every command but a repeated one is refused as
    "expired", and the EXPIRED event comes with the refusal.
    """
    options = tuple(sorted(set(command.options))) if command.kind in _WITH_OPTIONS else ()
    item = command.item if command.kind in _WITH_ITEM else None
    on = command.on if command.kind is EventKind.FLAGGED else None
    value = command.value if command.kind is EventKind.RATED else None
    content = (command.kind, item, options, on, value)

    earlier = state.acks.get(command.client_id)
    if earlier is not None:
        if (earlier.kind, earlier.item, earlier.options, earlier.on, earlier.value) == content:
            return Duplicate(earlier.seq)
        return Rejected("conflict", "This event id was used before with other content.")

    if overdue(state, now):
        closing = SittingEvent(
            seq=state.version + 1, client_id=EXPIRY_ID, kind=EventKind.EXPIRED, at=deadline(state, now)
        )
        if command.kind is EventKind.EXPIRED:
            return Accepted((closing,))
        return Rejected("expired", _MESSAGES["expired"], (closing,))

    code = _malformed(state, command, entry) or _out_of_phase(state, command) or _out_of_rule(state, command)
    if code is not None:
        return Rejected(code, _MESSAGES[code])
    event = SittingEvent(
        seq=state.version + 1,
        client_id=command.client_id,
        kind=command.kind,
        at=now,
        item=item,
        options=options,
        on=on,
        value=value,
    )
    return Accepted((event,))


_WITH_OPTIONS = frozenset({EventKind.ANSWERED, EventKind.STRUCK})
_WITH_ITEM = _WITH_OPTIONS | {EventKind.FLAGGED, EventKind.RATED, EventKind.MOVED, EventKind.REVEALED}
_RATINGS = frozenset(rating.value for rating in Rating)
_WHILE_PAUSED = frozenset({EventKind.RESUMED, EventKind.HEARTBEAT, EventKind.SUBMITTED})

_MESSAGES: dict[Code, str] = {
    "malformed": "The command is incomplete.",
    "unknown-item": "This sitting has no such question.",
    "unknown-option": "This question has no such option.",
    "too-many": "More options are chosen than asked for. What was saved before still stands.",
    "stale": "This answer was changed elsewhere in the meantime.",
    "not-started": "The sitting has not started.",
    "started": "The sitting has started already.",
    "paused": "The sitting is paused.",
    "not-paused": "The sitting is not paused.",
    "no-pause": "Exam conditions have no pause.",
    "no-rating": "Exam conditions do not ask how sure you are.",
    "not-tutor": "Reasons are shown after submission.",
    "revealed": "The reasons were shown; the answer is fixed.",
    "not-due": "Time is not up.",
    "expired": "Time is up. The last saved answers count.",
    "over": "The sitting is over.",
}


def _malformed(state: State, command: Command, entry: FormEntry | None) -> Code | None:
    if command.kind is not EventKind.EXPIRED and (
        not command.client_id or len(command.client_id) > CLIENT_ID_LENGTH or command.client_id == EXPIRY_ID
    ):
        return "malformed"
    if command.kind is EventKind.FLAGGED and command.on is None:
        return "malformed"
    if command.kind is EventKind.RATED and command.value not in _RATINGS:
        return "malformed"
    if command.kind in _WITH_ITEM:
        if command.item is None:
            return "malformed"
        if command.item not in state.items:
            return "unknown-item"
    if entry is not None and command.kind in _WITH_OPTIONS:
        if entry.item != command.item:
            return "malformed"
        if not set(command.options) <= set(entry.options):
            return "unknown-option"
        if command.kind is EventKind.ANSWERED and len(set(command.options)) > entry.choose:
            return "too-many"
    return None


def _out_of_phase(state: State, command: Command) -> Code | None:
    match state.phase:
        case Phase.SUBMITTED:
            return "over"
        case Phase.EXPIRED:
            return "expired"
        case _ if command.kind is EventKind.EXPIRED:
            return "not-due"
        case Phase.READY:
            return None if command.kind is EventKind.STARTED else "not-started"
        case _ if command.kind is EventKind.STARTED:
            return "started"
        case Phase.PAUSED:
            return None if command.kind in _WHILE_PAUSED else "paused"
        case Phase.RUNNING:
            return "not-paused" if command.kind is EventKind.RESUMED else None


def _out_of_rule(state: State, command: Command) -> Code | None:
    kind, conditions = command.kind, state.spec.conditions
    if kind is EventKind.PAUSED and conditions is Conditions.EXAM:
        return "no-pause"
    if kind is EventKind.REVEALED and conditions is not Conditions.TUTOR:
        return "not-tutor"
    if kind is EventKind.RATED:
        assert command.item is not None
        if conditions is Conditions.EXAM:
            return "no-rating"
        # Once the reasons are known, nobody can say any more how sure she was.
        return "revealed" if state.items[command.item].revealed else None
    if kind is EventKind.ANSWERED or kind is EventKind.REVEALED:
        assert command.item is not None
        item = state.items[command.item]
        if item.revealed:
            return "revealed"
        # The same selection again takes nothing away from anybody.
        same = kind is EventKind.ANSWERED and tuple(sorted(set(command.options))) == item.answer
        if command.seen is not None and item.changed > command.seen and not same:
            return "stale"
    return None
