"""Everything that lasts: forms, sittings, events, settings, reports. The only room with SQL.

Importing this package costs nothing; SQLAlchemy is imported when a store is opened.
"""

from burnin.store.errors import (
    BrokenSequence,
    CannotOpen,
    Duplicate,
    DuplicateEvent,
    StoreError,
    TooNew,
    Unavailable,
    Unknown,
    VersionConflict,
)
from burnin.store.store import Store

__all__ = [
    "BrokenSequence",
    "CannotOpen",
    "Duplicate",
    "DuplicateEvent",
    "Store",
    "StoreError",
    "TooNew",
    "Unavailable",
    "Unknown",
    "VersionConflict",
]
