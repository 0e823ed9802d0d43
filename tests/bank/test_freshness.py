"""Ages and versions, on a small bank whose dates are known and on the real one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from burnin.bank.freshness import freshness
from burnin.catalog import load
from burnin.figures.freshness import freshness_text
from tests.catalog.content import write


def test_an_item_turns_stale_on_the_day_after_the_limit(tmp_path: Path) -> None:
    catalog = load(built_in=write(tmp_path))
    checked = {item.id: date.fromisoformat(item.as_of) for item in catalog.items.values()}
    newest = max(checked.values())
    limit = 30
    on_the_day = freshness(catalog, date.fromordinal(newest.toordinal() + limit), older_than_days=limit)
    after = freshness(catalog, date.fromordinal(newest.toordinal() + limit + 1), older_than_days=limit)
    last = {name for name, day in checked.items() if day == newest}
    assert not last & set(on_the_day["stale"])
    assert set(after["stale"]) == set(checked)
    assert sum(after["by_as_of"].values()) == len(checked) == after["items"]


def test_versions_and_names_without_one_are_told_apart(tmp_path: Path) -> None:
    catalog = load(built_in=write(tmp_path / "bare", items=("What is it?", "What does Triton do?")))
    assert freshness(catalog, date(2026, 2, 1))["unversioned"] == ["first-item"]
    declared = ('official: "1.1"\n', 'official: "1.1"\n  products: {Triton: "25.10"}\n')
    folder = write(tmp_path / "declared", items=declared)
    path = folder / "items/i.yaml"
    path.write_text(path.read_text().replace("What is it?", "What does Triton do?"))
    found = freshness(load(built_in=folder), date(2026, 2, 1))
    assert found["by_product"] == {"Triton": {"25.10": ["first-item"]}}
    assert found["unversioned"] == []


def test_a_negative_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        freshness(load(built_in=write(tmp_path)), date(2026, 2, 1), older_than_days=-1)


def test_the_report_names_every_stale_item() -> None:
    catalog = load(None)
    found = freshness(catalog, date(2030, 1, 1), older_than_days=1)
    assert set(found["stale"]) == set(catalog.items)
    text = freshness_text(found)
    assert all(name in text for name in catalog.items)
