from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import func, select, update

from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import RenderedMisconception
from burnin.domain.item import Exhibit, Series
from burnin.store import Store, StoreError, Unknown, tables
from tests.exam.builders import blueprint, item, shelf, whole_form
from tests.store.builders import form

CHART = Exhibit(
    id="curve",
    title="Loss",
    kind="chart",
    chart="line",
    x_values=("1", "2"),
    series=(Series(name="train", values=(2, 1.5)),),
    summary="It falls.",
)


def test_a_form_and_its_items_come_back_equal(store: Store) -> None:
    made, items = whole_form(
        blueprint({"a": 1}),
        [item("q1", exhibit="curve", guide_says="Some say …", products={"NeMo": "2"}), item("q2", choose=2)],
        shelf(exhibits={"curve": CHART}),
        seed=5,
        bank_version="b1",
    )
    store.forms.put(made, items).result()
    stored_form, stored_items = store.forms.get(made.id)
    assert stored_form == made
    assert [i.id for i in stored_items] == [entry.item for entry in made.entries]
    assert [canonical_bytes(i) for i in items] == list(store.forms.bodies(made.id))
    assert {i.id: i for i in stored_items}["q2"] == {i.id: i for i in items}["q2"]


def test_a_misconception_comes_back(store: Store) -> None:
    made, items = form("q1")
    named = RenderedMisconception(id="free", name="ZeRO is free", remedy="Count the bytes.")
    options = (replace(items[0].options[0], misconception=named, flip="at 2 GPUs"), *items[0].options[1:])
    changed = replace(items[0], options=options)
    from burnin.domain.canonical import content_hash

    made = replace(made, entries=(replace(made.entries[0], hash=content_hash(changed)),))
    store.forms.put(made, [changed]).result()
    assert store.forms.get(made.id) == (made, (changed,))


def test_an_item_is_stored_once_however_many_forms_hold_it(store: Store) -> None:
    for names in (("q1", "q2"), ("q2", "q3"), ("q1", "q2")):
        store.forms.put(*form(*names)).result()
    with store._engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(tables.rendered)) == 3
        assert connection.scalar(select(func.count()).select_from(tables.forms)) == 2


def test_a_form_without_its_items_is_refused(store: Store) -> None:
    made, items = form("q1", "q2")
    with pytest.raises(ValueError, match=made.entries[1].item):
        store.forms.put(made, [i for i in items if i.id == made.entries[0].item])


def test_an_unknown_form_is_named(store: Store) -> None:
    with pytest.raises(Unknown, match="nothing-like-it"):
        store.forms.get("nothing-like-it")


def test_a_changed_item_is_noticed(store: Store) -> None:
    made, items = form("q1")
    store.forms.put(made, items).result()
    forged = json.loads(canonical_bytes(items[0]))
    forged["options"][0]["correct"] = False
    with store._engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        connection.execute(update(tables.rendered).values(body=canonical_bytes(forged)))
    with pytest.raises(StoreError, match="q1 is missing or damaged"):
        store.forms.get(made.id)
