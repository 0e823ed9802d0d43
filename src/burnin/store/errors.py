"""What can go wrong with the store, without a word of SQL."""

from __future__ import annotations


class StoreError(Exception):
    """Base of all store errors. ``str(error)`` is one message for people."""


class CannotOpen(StoreError):
    """The database is corrupt, read-only, locked, foreign or out of reach."""


class TooNew(CannotOpen):
    """A newer burnin wrote this database. Nothing in it was touched."""


class Unavailable(StoreError):
    """The database did not answer: disk full, locked too long, connection lost.

    Nothing of a write that fails so was acknowledged; whether a lost connection still
    carried the commit out is settled by reading again.
    """


class Unknown(StoreError):
    """No form or sitting has that id."""


class Duplicate(StoreError):
    """A row with that key is there already."""


class DuplicateEvent(Duplicate):
    """The sitting already has an event with that client id."""

    def __init__(self, sitting: str, client_id: str) -> None:
        super().__init__(f"sitting {sitting} already has an event with client id {client_id!r}")
        self.sitting = sitting
        self.client_id = client_id


class VersionConflict(StoreError):
    """Another process appended to the sitting first. Load it again and decide again."""

    def __init__(self, sitting: str, seq: int) -> None:
        super().__init__(f"sitting {sitting} already has an event {seq}, or is over")
        self.sitting = sitting
        self.seq = seq


class BrokenSequence(StoreError):
    """Events must continue the sitting's sequence without a gap."""
