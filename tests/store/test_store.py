from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from burnin.store import CannotOpen, Store, Unavailable
from tests.store.builders import add_sitting, event

SOURCE = Path(__file__).parent.parent.parent / "src"


def python(code: str, *arguments: str) -> str:
    """Run code in a new interpreter; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_sqlalchemy_is_imported_when_a_store_opens_and_alembic_when_it_migrates(tmp_path: Path) -> None:
    code = """
import sys
from burnin.store import Store
import burnin.app.take
print("sqlalchemy" in sys.modules, end=" ")
store = Store.open(sys.argv[1])
store.settings.set("a", 1).result()
print("sqlalchemy" in sys.modules, "alembic" in sys.modules, "psycopg" in sys.modules)
store.close()
"""
    assert python(code, str(tmp_path / "b.sqlite3")) == "False True True False"
    assert python(code, str(tmp_path / "b.sqlite3")) == "False True False False"


def test_a_path_and_an_address_name_the_same_file(tmp_path: Path) -> None:
    for where in (tmp_path / "a b%20?.sqlite3", f"sqlite:///{tmp_path}/a b%20?.sqlite3"):
        store = Store.open(where)
        store.settings.set("times", store.settings.get("times", 0) + 1).result()
        store.close()
    assert [p.name for p in tmp_path.iterdir()] == ["a b%20?.sqlite3"]
    assert store.settings.get("times") == 2


def test_sqlite_is_durable_before_it_acknowledges(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "b.sqlite3")

    def pragmas(connection):  # type: ignore[no-untyped-def]
        return [
            connection.exec_driver_sql(f"PRAGMA {p}").scalar()
            for p in ("journal_mode", "synchronous", "fullfsync", "foreign_keys")
        ]

    assert store._writer.submit(pragmas).result() == ["wal", 2, 1, 1]
    store.close()


@pytest.mark.postgres
def test_postgresql_is_durable_before_it_acknowledges(postgres_server: str) -> None:
    import psycopg

    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE careless")
        connection.execute("ALTER DATABASE careless SET synchronous_commit = off")
    store = Store.open(f"{postgres_server}/careless")
    shown = store._writer.submit(lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar()).result()
    assert shown == "on"
    store.close()


def test_closing_finishes_what_is_queued_and_takes_nothing_more(address: str) -> None:
    store = Store.open(address)
    add_sitting(store)
    futures = [store.events.append("s1", [event(n)]) for n in range(1, 200)]
    store.close()
    assert all(future.result(0) is None for future in futures)
    with pytest.raises(Unavailable, match="closed"):
        store.events.append("s1", [event(200)]).result(0)
    store.close()
    again = Store.open(address)
    assert len(again.events.load("s1")) == 199
    again.close()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"these are notes, not a database\n" * 50, "damaged or is no SQLite database"),
        (b"SQLite format 3\x00" + b"\xff" * 5000, "damaged or is no SQLite database"),
    ],
)
def test_a_damaged_file_gives_one_message_and_stays(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "burnin.sqlite3"
    file.write_bytes(content)
    with pytest.raises(CannotOpen, match=words) as caught:
        Store.open(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["burnin.sqlite3"]


def test_a_truncated_database_gives_one_message(tmp_path: Path) -> None:
    file = tmp_path / "burnin.sqlite3"
    Store.open(file).close()
    file.write_bytes(file.read_bytes()[:4500])
    with pytest.raises(CannotOpen, match=r"burnin\.sqlite3"):
        Store.open(file)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "burnin.sqlite3"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(CannotOpen, match="of another program"):
        Store.open(file)
    assert file.read_bytes() == before


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    file = tmp_path / "burnin.sqlite3"
    file.touch()
    store = Store.open(file)
    assert store.sittings.recent() == ()
    store.close()


def test_a_folder_or_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="is a folder"):
        Store.open(tmp_path)
    with pytest.raises(CannotOpen, match=r"folder .* does not exist"):
        Store.open(tmp_path / "nowhere" / "b.sqlite3")
    with pytest.raises(CannotOpen, match="oracle://"):
        Store.open("oracle://host/db")


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_place_gives_one_message(what: str) -> None:
    if not hasattr(os, "setresuid"):
        pytest.skip("users cannot be changed here, and file modes bind nobody else")
    folder = Path(tempfile.mkdtemp(prefix="burnin-read-only-"))
    file = folder / "b.sqlite3"
    Store.open(file).close()
    file.chmod(0o444 if what == "file" else 0o666)
    folder.chmod(0o777 if what == "file" else 0o555)
    try:
        with nobody(), pytest.raises(CannotOpen) as caught:
            Store.open(file)
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
    readonly = file if what == "file" else folder
    assert (
        str(caught.value) == f"The database {file} cannot be written: {readonly} is read-only for this user."
    )


@contextmanager
def nobody() -> Iterator[None]:
    """Root may write anything, so root steps down for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.parametrize("fresh", [True, False])
def test_a_locked_database_gives_one_message(tmp_path: Path, fresh: bool) -> None:
    file = tmp_path / "burnin.sqlite3"
    if not fresh:
        Store.open(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE something (a)")
    with pytest.raises(CannotOpen, match="locked"):
        Store.open(file, busy_ms=50)
    other.execute("ROLLBACK")
    other.close()
    Store.open(file).close()


@pytest.mark.postgres
def test_an_unreachable_server_gives_one_message_without_the_password() -> None:
    with pytest.raises(CannotOpen) as caught:
        Store.open("postgresql://me:secret@127.0.0.1:1/nothing", busy_ms=100)
    said = str(caught.value)
    assert said.startswith("The database postgresql://127.0.0.1:1/nothing cannot be opened: ")
    assert "secret" not in said
    assert "\n" not in said


def test_a_database_that_breaks_while_open_gives_one_message_for_every_read(tmp_path: Path) -> None:
    file = tmp_path / "burnin.sqlite3"
    store = Store.open(file)
    add_sitting(store)
    with sqlite3.connect(file, isolation_level=None) as other:
        for table in ("events", "sittings", "forms", "rendered", "settings", "reports"):
            other.execute("PRAGMA foreign_keys = OFF")
            other.execute(f"DROP TABLE {table}")
    other.close()
    reads = (
        store.sittings.recent,
        store.sittings.open_ids,
        lambda: store.sittings.get("s1"),
        lambda: store.events.load("s1"),
        lambda: store.forms.get("f1"),
        lambda: store.settings.get("a"),
        store.settings.all,
        store.reports.all,
    )
    for read in reads:
        with pytest.raises(Unavailable, match="could not be read: no such table"):
            read()
    store.close()
