"""Computed questions: which generators can be used, and one question by its id."""

from __future__ import annotations

from typing import Any

from burnin.bank.stats import stats as counted
from burnin.catalog import Catalog
from burnin.domain.item import Item


def stats(catalog: Catalog) -> dict[str, Any]:
    """Count the bank, generators included."""
    from burnin.itemgen import usable

    return counted(catalog, usable(catalog.generators.values()))


def computed(catalog: Catalog, item_id: str) -> Item | None:
    """Return the question with the id ``GENERATOR-SEED``; None where no generator has that name."""
    name, _, seed = item_id.rpartition("-")
    words = catalog.generators.get(name)
    if words is None or not seed.isdecimal():
        return None
    from burnin.app.computing import computed as made

    return made(words, int(seed))
