from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import event as sa_event

from burnin.domain.sitting import SittingEvent
from burnin.store import Store, Unavailable, VersionConflict
from tests.store.builders import add_sitting, event
from tests.store.test_events import hold_writer


def test_what_queues_up_is_committed_in_one_transaction(store: Store) -> None:
    for n in range(20):
        add_sitting(store, f"s{n}")
    commits: list[object] = []
    inserts: list[bool] = []
    sa_event.listen(store._engine, "commit", commits.append)
    sa_event.listen(
        store._engine,
        "before_cursor_execute",
        lambda c, cur, statement, p, ctx, many: (
            inserts.append(many) if "INSERT INTO events" in statement else None
        ),
    )
    gate = hold_writer(store)
    futures = [store.events.append(f"s{n}", [event(1)]) for n in range(20)]
    gate()
    for future in futures:
        future.result()
    assert len(commits) == 2  # the one that was held, and one for all twenty
    assert inserts == [True]


def test_nothing_is_acknowledged_before_the_commit(store: Store) -> None:
    add_sitting(store)
    seen: list[bool] = []
    futures: list[object] = []

    def on_commit(_connection: object) -> None:
        seen.append(any(future.done() for future in futures))  # type: ignore[attr-defined]

    gate = hold_writer(store)
    sa_event.listen(store._engine, "commit", on_commit)
    futures += [store.events.append("s1", [event(seq)]) for seq in (1, 2, 3)]
    gate()
    for future in futures:
        future.result()  # type: ignore[attr-defined]
    assert seen[-1] is False


def test_a_full_disk_fails_the_writes_and_nothing_else(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "b.sqlite3")
    add_sitting(store)

    def small(connection):  # type: ignore[no-untyped-def]
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 3}")

    store._writer.submit(small).result()
    stored: list[SittingEvent] = []
    error: BaseException | None = None
    while error is None:
        new = event(len(stored) + 1, item="x" * 500)
        error = store.events.append("s1", [new]).exception()
        stored += [new] if error is None else []
    assert isinstance(error, Unavailable)
    assert str(error) == "The data could not be saved: database or disk is full."
    assert stored
    assert store.events.load("s1") == tuple(stored)
    # The limit went with the connection, as if room had been made.
    store.events.append("s1", [event(len(stored) + 1)]).result()
    assert len(store.events.load("s1")) == len(stored) + 1
    store.close()


@pytest.mark.postgres
def test_a_lost_server_connection_fails_the_write_and_heals(postgres_server: str) -> None:
    import psycopg

    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE lost")
        store = Store.open(f"{postgres_server}/lost")
        add_sitting(store)
        store.events.append("s1", [event(1)]).result()
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lost'")
        with pytest.raises(Unavailable):
            store.events.append("s1", [event(2)]).result()
        store.events.append("s1", [event(2)]).result()
        assert [e.seq for e in store.events.load("s1")] == [1, 2]
        store.close()


def test_a_write_waits_for_another_process_and_gives_up_in_words(tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "b.sqlite3"
    store = Store.open(file, busy_ms=300)
    add_sitting(store)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"):
        store.events.append("s1", [event(1)]).result()
    waiting = store.events.append("s1", [event(1)])
    other.execute("COMMIT")
    waiting.result()
    other.close()
    store.close()


def test_a_cancelled_write_is_left_out_and_the_queue_goes_on(store: Store) -> None:
    add_sitting(store)
    gate = hold_writer(store)
    cancelled = store.events.append("s1", [event(1, "cancelled")])
    kept = store.settings.set("a", 1)
    assert cancelled.cancel()
    gate()
    kept.result()
    store.events.append("s1", [event(1, "kept")]).result()
    assert [e.client_id for e in store.events.load("s1")] == ["kept"]


def test_many_threads_write_at_once(store: Store) -> None:
    for n in range(8):
        add_sitting(store, f"s{n}")
    conflicts: list[VersionConflict] = []

    def work(sitting: str) -> None:
        for seq in range(1, 31):
            try:
                store.events.append(sitting, [event(seq)]).result()
            except VersionConflict as error:
                conflicts.append(error)

    threads = [threading.Thread(target=work, args=(f"s{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not conflicts
    assert {len(store.events.load(f"s{n}")) for n in range(8)} == {30}
