from __future__ import annotations

from concurrent.futures import wait

import pytest

from burnin.domain.sitting import EventKind, Tick
from burnin.store import BrokenSequence, DuplicateEvent, Store, StoreError, Unknown, VersionConflict
from tests.store.builders import add_sitting, event


def test_events_come_back_as_they_were(store: Store) -> None:
    add_sitting(store)
    large = Tick(boot="f3b1-…", boottime_ms=2**45, wall_ms=2**52)
    written = (
        event(1, "server:started", kind=EventKind.STARTED, item=None, options=()),
        event(2, options=("ünïcode", 'quote " and \\', "")),
        event(3, kind=EventKind.FLAGGED, options=(), on=True),
        event(4, kind=EventKind.FLAGGED, options=(), on=False, at=large),
        event(5, kind=EventKind.RATED, options=(), value="unsure"),
        event(6, "c6 🔥", kind=EventKind.HEARTBEAT, item=None, options=()),
    )
    store.events.append("s1", written[:3]).result()
    store.events.append("s1", written[3:]).result()
    assert store.events.load("s1") == written
    assert store.events.load("s1", after=3) == written[3:]
    assert store.events.load("nobody") == ()


def test_what_was_appended_is_there_after_reopening(address: str) -> None:
    first = Store.open(address)
    add_sitting(first)
    first.events.append("s1", [event(1), event(2)]).result()
    first.close()
    second = Store.open(address)
    assert [e.seq for e in second.events.load("s1")] == [1, 2]
    second.events.append("s1", [event(3)]).result()
    second.close()


def test_a_taken_seq_is_a_version_conflict(store: Store, address: str) -> None:
    add_sitting(store)
    other = Store.open(address)
    store.events.append("s1", [event(1)]).result()
    other.events.append("s1", [event(2, "theirs")]).result()
    with pytest.raises(VersionConflict):
        store.events.append("s1", [event(2, "ours"), event(3, "ours too")]).result()
    store.events.append("s1", [event(3, "ours")]).result()
    assert [e.client_id for e in other.events.load("s1")] == ["c1", "theirs", "ours"]
    other.close()


def test_a_client_id_is_stored_once_in_a_sitting(store: Store) -> None:
    add_sitting(store)
    add_sitting(store, "s2")
    store.events.append("s1", [event(1, "same")]).result()
    with pytest.raises(DuplicateEvent) as caught:
        store.events.append("s1", [event(2, "same")]).result()
    assert (caught.value.sitting, caught.value.client_id) == ("s1", "same")
    store.events.append("s2", [event(1, "same")]).result()
    assert len(store.events.load("s1")) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (EventKind.SUBMITTED, EventKind.SUBMITTED),
        (EventKind.SUBMITTED, EventKind.EXPIRED),
        (EventKind.EXPIRED, EventKind.SUBMITTED),
    ],
)
def test_the_database_itself_refuses_a_second_end(store: Store, first: EventKind, second: EventKind) -> None:
    add_sitting(store)
    store.events.append("s1", [event(1, kind=first, item=None, options=())]).result()
    with pytest.raises(VersionConflict):
        store.events.append("s1", [event(2, kind=second, item=None, options=())]).result()
    assert [e.kind for e in store.events.load("s1")] == [first]


def test_a_gap_is_refused(store: Store) -> None:
    add_sitting(store)
    with pytest.raises(BrokenSequence):
        store.events.append("s1", [event(2)]).result()
    with pytest.raises(BrokenSequence):
        store.events.append("s1", [event(1), event(3)]).result()
    store.events.append("s1", [event(1)]).result()
    with pytest.raises(BrokenSequence):
        store.events.append("s1", [event(3)]).result()
    assert [e.seq for e in store.events.load("s1")] == [1]


def test_a_sitting_must_exist(store: Store) -> None:
    with pytest.raises(Unknown):
        store.events.append("nobody", [event(1)]).result()
    with pytest.raises(ValueError, match="no events"):
        store.events.append("nobody", [])


def test_one_bad_write_does_not_fail_its_group(store: Store) -> None:
    for n in range(6):
        add_sitting(store, f"s{n}")
    store.events.append("s3", [event(1, "taken")]).result()
    gate = hold_writer(store)
    good = [store.events.append(f"s{n}", [event(1), event(2)]) for n in (0, 1)]
    conflict = store.events.append("s3", [event(1, "late")])
    duplicate = store.events.append("s3", [event(2, "taken")])
    gap = store.events.append("s2", [event(7)])
    stranger = store.events.append("nobody", [event(1)])
    # A lone surrogate: JSON can carry it, no database can.
    unfit = store.events.append("s4", [event(1, "\ud800")])
    good += [store.events.append("s5", [event(1)]), store.events.append("s5", [event(2)])]
    gate()
    wait([*good, conflict, duplicate, gap, stranger, unfit])
    assert [future.exception() for future in good] == [None] * 4
    assert isinstance(conflict.exception(), VersionConflict)
    assert isinstance(duplicate.exception(), DuplicateEvent)
    assert isinstance(gap.exception(), BrokenSequence)
    assert isinstance(stranger.exception(), Unknown)
    assert isinstance(unfit.exception(), StoreError)
    counts = {n: len(store.events.load(f"s{n}")) for n in range(6)}
    assert counts == {0: 2, 1: 2, 2: 0, 3: 1, 4: 0, 5: 2}


def test_events_of_one_sitting_in_one_group_keep_their_order(store: Store) -> None:
    add_sitting(store)
    gate = hold_writer(store)
    futures = [store.events.append("s1", [event(seq)]) for seq in range(1, 40)]
    gate()
    for future in futures:
        future.result()
    assert [e.seq for e in store.events.load("s1")] == list(range(1, 40))


def hold_writer(store: Store):  # type: ignore[no-untyped-def]
    """Keep the writer busy until the returned function is called, so that a group forms."""
    import threading

    started, go = threading.Event(), threading.Event()

    def work(_connection: object) -> None:
        started.set()
        go.wait(30)

    store._writer.submit(work)
    started.wait(30)
    return go.set


def test_items_count_as_seen_once_a_sitting(store: Store) -> None:
    for sitting in ("s1", "s2"):
        add_sitting(store, sitting)
        store.events.append(
            sitting,
            [
                event(1, kind=EventKind.STARTED, item=None, options=()),
                event(2, kind=EventKind.MOVED, options=()),
                event(3),
            ],
        ).result()
    store.events.append("s2", [event(4, kind=EventKind.REVEALED, item="q2", options=())]).result()
    store.events.append("s1", [event(4, kind=EventKind.FLAGGED, item="q3", options=(), on=True)]).result()
    assert store.events.seen() == {"q1": 2, "q2": 1}
