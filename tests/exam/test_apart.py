from __future__ import annotations

from burnin.exam.apart import conflicts

from .builders import item


def test_families_and_enemies_are_kept_apart_both_ways() -> None:
    bank = [
        item("a", family="f"),
        item("b", family="f"),
        item("c", enemies=("a", "elsewhere")),
        item("d", enemies=("d",)),
    ]
    assert conflicts(bank) == {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}, "d": frozenset()}
