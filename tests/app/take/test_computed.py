"""Computed questions in exam forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnin.app.inspect import draft_form
from burnin.app.take import Conditions
from burnin.catalog import Catalog, load
from tests.app.desk import HandClock, open_at

FEW = ("calc-kv-cache-gib", "calc-zero-gb", "calc-grid-world-size")


def bank(*, without: str = "") -> Catalog:
    """The bank with three generators, and none of a domain's written items."""
    catalog = load(None)
    items = {name: item for name, item in catalog.items.items() if item.domain != without}
    return replace(catalog, items=items, generators={name: catalog.generators[name] for name in FEW})


@pytest.mark.asyncio
async def test_an_exam_form_holds_computed_questions_ready_to_be_asked(home: Path, clock: HandClock) -> None:
    services = open_at(home, clock, bank(without="gpu-acceleration"))
    sitting = await services.take.create("NCP-GENL", conditions=Conditions.EXAM, seed=3, size=10)
    form, items = services.store.forms.get(services.store.sittings.get(sitting).form)
    assert len(items) == len(form.entries) == 10
    assert all(item.stem and len(item.key) == item.choose for item in items)
    made = {item.id for item in items if item.objective.startswith("gpu-acceleration/")}
    assert made
    assert made <= {f"{name}-3" for name in FEW}
    services.close()


@pytest.mark.asyncio
async def test_a_draft_is_the_form_that_a_sitting_takes(home: Path, clock: HandClock) -> None:
    catalog = bank()
    services = open_at(home, clock, catalog)
    sitting = await services.take.create("NCP-GENL", conditions=Conditions.EXAM, seed=4)
    assert draft_form(catalog, "NCP-GENL", seed=4)["form"] == services.store.sittings.get(sitting).form
    services.close()


def test_a_generator_that_gives_no_question_is_left_out() -> None:
    catalog = bank(without="gpu-acceleration")
    faulty = replace(catalog.generators["calc-zero-gb"], stems=("{no_such_number} GPUs?",))
    broken = replace(catalog, generators={**catalog.generators, "calc-zero-gb": faulty})
    with_it = [{e["id"] for e in draft_form(catalog, "NCP-GENL", seed=s, size=10)["items"]} for s in range(6)]
    assert any(f"calc-zero-gb-{s}" in ids for s, ids in enumerate(with_it))
    for seed in range(6):
        ids = {e["id"] for e in draft_form(broken, "NCP-GENL", seed=seed, size=10)["items"]}
        assert f"calc-grid-world-size-{seed}" in ids
        assert f"calc-zero-gb-{seed}" not in ids
