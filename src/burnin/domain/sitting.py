"""One person taking one form: conditions, the clock's readings, and events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Conditions(StrEnum):
    """Under what rules a sitting runs."""

    EXAM = "exam"  # the clock never stops; no reasons before submission
    TIMED = "timed"  # a clock that can be paused; pause hides the question
    TUTOR = "tutor"  # no deadline; reasons at once


class EventKind(StrEnum):
    """What can happen in a sitting."""

    STARTED = "started"
    ANSWERED = "answered"  # options: the whole selection; empty clears it
    FLAGGED = "flagged"  # on
    STRUCK = "struck"  # options: every option struck out of this item
    RATED = "rated"  # value: how sure the learner is of this item's answer
    MOVED = "moved"
    PAUSED = "paused"
    RESUMED = "resumed"
    REVEALED = "revealed"  # tutor: the reasons were shown, the answer is fixed
    HEARTBEAT = "heartbeat"
    SUBMITTED = "submitted"
    EXPIRED = "expired"


class Rating(StrEnum):
    """How sure somebody is of an answer. Asked in practice only."""

    SURE = "sure"
    UNSURE = "unsure"
    GUESS = "guess"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One reading of the server's clocks.

    ``boottime_ms`` counts suspend (CLOCK_BOOTTIME on Linux) and compares only
    within one ``boot``; ``wall_ms`` is milliseconds since 1970 in UTC.
    """

    boot: str
    boottime_ms: int
    wall_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingSpec:
    """The fixed terms of a sitting. ``limit_ms`` is None when no deadline holds."""

    id: str
    form: str
    conditions: Conditions
    limit_ms: int | None
    items: tuple[str, ...]
    created: Tick


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingEvent:
    """One entry of a sitting's append-only list. ``seq`` counts from 1 without gaps."""

    seq: int
    client_id: str
    kind: EventKind
    at: Tick
    item: str | None = None
    options: tuple[str, ...] = ()
    on: bool | None = None
    value: str | None = None
