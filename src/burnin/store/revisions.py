"""The numbered migrations that this version of burnin knows (no SQLAlchemy)."""

from __future__ import annotations

from pathlib import Path

from burnin.store.errors import TooNew

KNOWN = tuple(
    sorted(
        file.name.partition("_")[0] for file in (Path(__file__).parent / "migrations/versions").glob("0*.py")
    )
)
HEAD = KNOWN[-1]


def check_known(revision: str | None, where: str) -> None:
    """Raise ``TooNew`` if a database was migrated further than this version knows."""
    if revision is not None and revision not in KNOWN:
        raise TooNew(
            f"The database {where} was written by a newer burnin (schema {revision}, this version knows "
            f"{HEAD}). It was not touched: update burnin, or choose another data folder with BURNIN_HOME."
        )
