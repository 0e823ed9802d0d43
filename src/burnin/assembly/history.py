"""How often a person saw an item."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.domain.exposure import exposed_as
from burnin.domain.item import Item

History = Mapping[str, int]
"""Times seen, by ``exposed_as``."""


def times_seen(item: Item, history: History) -> int:
    """Return how often the item, or another of its generator, was seen."""
    return history.get(exposed_as(item), 0)
