"""Concepts against items, on a small bank and on the real one."""

from __future__ import annotations

from pathlib import Path

from burnin.bank.coverage import coverage
from burnin.catalog import load
from tests.catalog.content import write


def test_a_concept_without_an_item_is_missing(tmp_path: Path) -> None:
    found = coverage(load(built_in=write(tmp_path)))
    assert (found["concepts"], found["with_item"], found["missing"]) == (2, 1, ["not-asked"])
    exam = found["exams"]["TST-ONE"]
    assert exam["objectives"]["alpha/one"] == {"concepts": 2, "with_item": 1}
    assert exam["objectives"]["beta/three"] == {"concepts": 1, "with_item": 0}
    assert exam["objectives_without_concept"] == ["alpha/two"]
    assert exam["items_without_concept"] == ["second-item"]
