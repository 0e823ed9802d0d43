"""Where a store lies, and a cheap look at what lies there (no SQLAlchemy)."""

from __future__ import annotations

import os
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from burnin.store.errors import CannotOpen


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A SQLite file (``path``) or a PostgreSQL database (``url``)."""

    path: Path | None = None
    url: str = ""

    def __str__(self) -> str:
        return str(self.path) if self.path is not None else re.sub(r"//[^@/]*@", "//", self.url)


def place(url_or_path: str | os.PathLike[str]) -> Place:
    """Read a path, ``sqlite:///path`` or a ``postgresql://`` address; else ``CannotOpen``."""
    text = os.fspath(url_or_path)
    scheme, mark, rest = text.partition("://")
    if not mark:
        return Place(path=Path(text).absolute())
    if scheme.startswith("sqlite") and rest.startswith("/"):
        return Place(path=Path(rest[1:]).absolute())
    if re.fullmatch(r"postgres(ql)?(\+psycopg)?", scheme):
        return Place(url=text)
    raise CannotOpen(f"{scheme}:// is no database address that burnin knows: use a path or postgresql://…")


def sqlite_revision(path: Path, *, busy_ms: int) -> str | None:
    """Return the schema revision of a SQLite file, None for a new or empty one.

    Reads only. ``CannotOpen`` if the file is not a database, not burnin's, locked,
    cannot be read or cannot be written.
    """
    if path.is_dir():
        raise CannotOpen(f"{path} is a folder, not a database file.")
    try:
        fresh = not path.exists() or path.stat().st_size == 0
    except OSError as error:
        raise CannotOpen(f"The database {path} cannot be reached: {error.strerror}.") from error
    if not path.parent.is_dir():
        raise CannotOpen(f"The folder of the database {path} does not exist.")
    for needed in (path.parent,) if fresh and not path.exists() else (path, path.parent):
        # SQLite keeps its log beside the database, so the folder counts too.
        if not os.access(needed, os.R_OK | os.W_OK):
            raise CannotOpen(f"The database {path} cannot be written: {needed} is read-only for this user.")
    if fresh:
        return None
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw", uri=True, timeout=busy_ms / 1000, isolation_level=None
        )
        try:
            return _revision(connection, path)
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise CannotOpen(
                f"The database {path} is locked by another program (waited {busy_ms / 1000:g} s). Close it and try again."
            ) from error
        raise CannotOpen(f"The database {path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise CannotOpen(
            f"The file {path} is damaged or is no SQLite database ({error}). It was left as it is: "
            "move it away to start afresh, or put a backup in its place."
        ) from error


def _revision(connection: sqlite3.Connection, path: Path) -> str | None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    if "alembic_version" not in tables or not tables & {"sittings", "forms"}:
        raise CannotOpen(f"The file {path} is a SQLite database of another program.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])
