from __future__ import annotations

from sqlalchemy import insert

from burnin.store import Store, tables


def test_values_come_back_and_are_replaced(store: Store) -> None:
    assert store.settings.get("exam") is None
    assert store.settings.get("exam", "none yet") == "none yet"
    store.settings.set("exam", {"code": "NCP-GENL", "when": [2027, 3]}).result()
    store.settings.set("exam", "NCA-GENM ✓").result()
    store.settings.set_all({"a": 1, "b": None, "exam": False}).result()
    store.settings.set_all({}).result()
    assert store.settings.get("exam", True) is False
    assert store.settings.all() == {"a": 1, "b": None, "exam": False}


def test_a_value_that_is_no_json_is_as_if_never_set(store: Store) -> None:
    with store._engine.connect().execution_options(burnin_write=True) as connection, connection.begin():
        connection.execute(insert(tables.settings), {"key": "exam", "value": "{"})
    store.settings.set("b", 2).result()
    assert store.settings.get("exam", "default") == "default"
    assert store.settings.all() == {"b": 2}
