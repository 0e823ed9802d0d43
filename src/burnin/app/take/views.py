"""What a face gets to see of a running sitting. No key, no reasons, no flip points."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.form import AskedItem
from burnin.domain.sitting import Conditions


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """The answer to a command.

    ``ok`` means stored on disk (now, or earlier by the same client id: then
    ``duplicate``). The stored state of the item stands in ``options``, ``struck`` and
    ``flagged`` whether or not the command was taken, so a client can always show the
    truth; ``rating`` is the confidence tap. ``seen`` is what a client sends back as ``Command.seen`` with its next
    command on this item. ``code`` is None, or why it was refused: ``expired``,
    ``over``, ``stale``, ``conflict`` ….
    """

    ok: bool
    version: int
    phase: str
    remaining_ms: int | None
    item: str | None = None
    options: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    flagged: bool = False
    rating: str | None = None
    seen: int = 0
    duplicate: bool = False
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One square of the jump grid. ``incomplete``: chosen some, but not ``choose``.

    ``seconds`` is how long the item is expected to take.
    """

    number: int
    item: str
    choose: int
    chosen: int
    answered: bool
    incomplete: bool
    flagged: bool
    revealed: bool
    rating: str | None
    seconds: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingView:
    """A sitting as the question and review screens need it."""

    id: str
    exam: str
    title: str
    conditions: Conditions
    phase: str
    size: int
    remaining_ms: int | None
    elapsed_ms: int
    limit_ms: int | None
    interrupted: bool
    current: int
    version: int
    entries: tuple[EntryView, ...]
    diagnostic: bool = False

    @property
    def answered(self) -> int:
        """How many questions have as many options chosen as asked."""
        return sum(entry.answered for entry in self.entries)

    @property
    def done(self) -> int:
        """How many questions are fixed: in a diagnostic also those that nobody knew."""
        return sum(entry.revealed for entry in self.entries)

    @property
    def unanswered(self) -> int:
        """How many questions have nothing chosen."""
        return sum(entry.chosen == 0 for entry in self.entries)

    @property
    def incomplete(self) -> int:
        """How many questions have some options chosen, but not as many as asked."""
        return sum(entry.incomplete for entry in self.entries)

    @property
    def flagged(self) -> int:
        """How many questions are flagged."""
        return sum(entry.flagged for entry in self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """One question as asked, with what the candidate did to it so far."""

    sitting: str
    number: int
    asked: AskedItem
    selected: tuple[str, ...]
    struck: tuple[str, ...]
    flagged: bool
    revealed: bool
    rating: str | None
    seen: int
