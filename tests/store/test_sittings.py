from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.domain.sitting import Conditions, EventKind
from burnin.store import Duplicate, Store, Unknown
from tests.store.builders import add_sitting, event, form, spec


def test_a_sitting_comes_back_as_it_was(store: Store) -> None:
    made, items = form()
    store.forms.put(made, items).result()
    timed = spec("s1", form_id=made.id)
    tutor = replace(spec("s2", form_id=made.id), conditions=Conditions.TUTOR, limit_ms=None)
    store.sittings.create(timed).result()
    store.sittings.create(tutor, (event(1), event(2))).result()
    assert store.sittings.get("s1") == timed
    assert store.sittings.get("s2") == tutor
    assert len(store.events.load("s2")) == 2


def test_a_sitting_and_its_first_events_are_stored_together_or_not_at_all(store: Store) -> None:
    made, items = form()
    store.forms.put(made, items).result()
    with pytest.raises(Exception, match="stored"):
        store.sittings.create(spec("s1", form_id=made.id), (event(1, "same"), event(2, "same"))).result()
    with pytest.raises(Unknown):
        store.sittings.get("s1")


def test_an_id_is_taken_once_and_a_form_must_exist(store: Store) -> None:
    terms = add_sitting(store)
    with pytest.raises(Duplicate):
        store.sittings.create(terms).result()
    with pytest.raises(Unknown, match="no-such-form"):
        store.sittings.create(spec("s2", form_id="no-such-form")).result()
    with pytest.raises(Unknown, match="s2"):
        store.sittings.get("s2")


def test_recent_sittings_come_newest_first(store: Store) -> None:
    for n in range(5):
        add_sitting(store, f"s{n}", seconds=n)
    assert [s.id for s in store.sittings.recent(3)] == ["s4", "s3", "s2"]
    assert len(store.sittings.recent()) == 5


def test_a_sitting_is_open_until_it_is_submitted_or_expires(store: Store) -> None:
    for n in range(4):
        add_sitting(store, f"s{n}", seconds=n)
    for n, kind in enumerate((EventKind.ANSWERED, EventKind.SUBMITTED, EventKind.EXPIRED)):
        store.events.append(f"s{n}", [event(1, kind=kind)]).result()
    assert store.sittings.open_ids() == ("s0", "s3")
