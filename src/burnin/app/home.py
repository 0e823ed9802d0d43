"""Where burnin keeps its data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from burnin.app.errors import BadHome

DATABASE_FILE = "burnin.sqlite3"


def find(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder: ``BURNIN_HOME``, else the user's data folder of the platform."""
    named = environ.get("BURNIN_HOME", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    return platformdirs.user_data_path("burnin", appauthor=False)


def ensure(home: Path) -> Path:
    """Make the data folder if it is missing, readable for its owner only.

    ``BadHome`` if it cannot be made or is a file.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = "a file has that name" if isinstance(error, FileExistsError) else error.strerror
        raise BadHome(
            f"The data folder {home} cannot be made: {why}. Name another with BURNIN_HOME."
        ) from error
    return home


def database(home: Path, environ: Mapping[str, str] = os.environ) -> str:
    """Return where the database is: ``BURNIN_DATABASE``, else a SQLite file in the data folder."""
    return environ.get("BURNIN_DATABASE", "").strip() or str(home / DATABASE_FILE)
