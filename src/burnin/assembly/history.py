"""How often a person saw an item, also where its numbers differ each time."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.domain.form import RenderedItem
from burnin.domain.item import Item

History = Mapping[str, int]
"""Times seen, by ``exposed_as``."""


def exposed_as(item: Item | RenderedItem) -> str:
    """Return what counts as the same question: the generator of a computed item, else the item's id."""
    return item.provenance.get("generator", item.id)


def times_seen(item: Item, history: History) -> int:
    """Return how often the item, or another of its generator, was seen."""
    return history.get(exposed_as(item), 0)
