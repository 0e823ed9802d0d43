"""Which revision a database has, and bringing it to the newest one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from burnin.store.errors import CannotOpen
from burnin.store.place import Place
from burnin.store.revisions import HEAD, check_known

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(engine: Engine, place: Place) -> None:
    """Run every migration that is missing, all in one transaction.

    Processes that start at the same time wait for each other. Errors: ``TooNew``;
    ``CannotOpen`` for a database of another program.
    """
    with engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('burnin schema'))"))
        found = revision(connection, place)
        check_known(found, str(place))
        if found != HEAD:
            _upgrade(connection)


def revision(connection: Connection, place: Place) -> str | None:
    """Return the revision of the connected database, None if it has no tables yet."""
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise CannotOpen(f"The database {place} has tables of another program. Give burnin one of its own.")
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _upgrade(connection: Connection) -> None:
    # Costs a tenth of a second of CPU, so only when there is something to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
