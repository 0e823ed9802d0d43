from __future__ import annotations

import re
from multiprocessing import get_context
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import ops
from sqlalchemy import Connection, inspect, text

from burnin.store import Store, TooNew, schema, tables
from burnin.store.engine import connect
from burnin.store.place import place
from burnin.store.revisions import HEAD, KNOWN
from tests.store.builders import add_sitting


def test_migrations_are_numbered_without_gaps_and_each_says_what_it_does() -> None:
    assert tuple(f"{n:04}" for n in range(1, len(KNOWN) + 1)) == KNOWN
    for file in (schema.MIGRATIONS / "versions").glob("0*.py"):
        assert re.match(r'"""[A-Z].*\."""\n', file.read_text()), file.name


def test_the_migrations_make_the_tables_that_the_repositories_use(store: Store) -> None:
    with store._engine.connect() as connection:
        columns_and_keys = {
            "compare_type": True,
            "include_object": lambda _object, _name, kind, *_: kind != "index",
        }
        context = MigrationContext.configure(connection, opts=columns_and_keys)
        assert compare_metadata(context, tables.metadata) == []
        (end,) = [i for i in inspect(connection).get_indexes("events") if i["name"] == "events_end"]
        assert end["unique"]
        assert end["column_names"] == ["sitting"]
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD


def test_every_older_schema_is_brought_up_with_its_data(address: str) -> None:
    where = place(address)
    engine = connect(where, busy_ms=5_000)
    with engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        _upgrade(connection, "0001")
        connection.execute(text("INSERT INTO forms (id, body) VALUES ('f1', :body)"), {"body": b"{}"})
    engine.dispose()
    for _ in range(2):
        store = Store.open(address)
        with store._engine.connect() as connection:
            assert connection.scalar(text("SELECT id FROM forms")) == "f1"
        assert store.reports.all() == ()
        store.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = connect(place(address), busy_ms=5_000)
    with engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        _upgrade(connection, "0001")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("power cut")

    # The second migration runs in full, the third fails in the middle.
    with monkeypatch.context() as patch:
        patch.setattr(
            ops.CreateTableOp,
            "create_table",
            _only_before("reports", ops.CreateTableOp.create_table, fail),
        )
        with pytest.raises(RuntimeError, match="power cut"):
            Store.open(address)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "0001"
        assert "settings" not in inspect(connection).get_table_names()
    engine.dispose()
    Store.open(address).close()


def _only_before(name, original, fail):  # type: ignore[no-untyped-def]
    def create_table(operations, table, *columns, **options):  # type: ignore[no-untyped-def]
        return (fail if table == name else original)(operations, table, *columns, **options)

    return create_table


def test_a_newer_schema_is_left_alone(address: str) -> None:
    store = Store.open(address)
    add_sitting(store)
    store.close()
    engine = connect(place(address), busy_ms=5_000)
    with engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    where = place(address)
    before = where.path.read_bytes() if where.path else None
    with pytest.raises(TooNew, match=r"newer burnin \(schema 9999.*not touched"):
        Store.open(address)
    if where.path:
        assert where.path.read_bytes() == before
        assert [p.name for p in where.path.parent.iterdir()] == [where.path.name]


def test_processes_that_start_together_migrate_once(address: str) -> None:
    context = get_context("spawn")
    with context.Pool(3) as pool:
        assert pool.map(_open, [address] * 3) == ["ok"] * 3
    store = Store.open(address)
    assert store.sittings.open_ids() == ()
    store.close()


def _open(address: str) -> str:
    store = Store.open(address)
    store.settings.set("a", 1).result()
    store.close()
    return "ok"


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def test_the_migrations_are_part_of_the_package() -> None:
    assert Path(schema.__file__).parent in schema.MIGRATIONS.parents
    assert (schema.MIGRATIONS / "env.py").is_file()


def test_events_of_before_the_confidence_tap_are_read(address: str) -> None:
    engine = connect(place(address), busy_ms=5_000)
    with engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        _upgrade(connection, "0003")
        connection.execute(text("INSERT INTO forms (id, body) VALUES ('f1', :body)"), {"body": b"{}"})
        connection.execute(
            text(
                "INSERT INTO sittings (id, form, conditions, items, boot, boottime_ms, wall_ms) "
                "VALUES ('s1', 'f1', 'exam', '[\"q1\"]', 'b', 1, 1)"
            )
        )
        connection.execute(
            text(
                "INSERT INTO events (sitting, seq, client_id, kind, boot, boottime_ms, wall_ms, item, options) "
                "VALUES ('s1', 1, 'c1', 'answered', 'b', 1, 1, 'q1', '[\"ash\"]')"
            )
        )
    engine.dispose()
    store = Store.open(address)
    (old,) = store.events.load("s1")
    assert (old.options, old.value) == (("ash",), None)
    store.close()
