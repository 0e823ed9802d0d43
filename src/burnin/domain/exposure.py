"""What counts as the same question, also where its numbers differ each time."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from burnin.domain.form import RenderedItem
from burnin.domain.item import Item


def exposed_as(item: Item | RenderedItem) -> str:
    """Return the generator of a computed item, else the item's id."""
    return item.provenance.get("generator", item.id)


def exposures(times: Mapping[str, int], generators: Collection[str]) -> dict[str, int]:
    """Add up how often items were seen, by ``exposed_as``, from their ids alone.

    A computed item's id is its generator's with the seed behind a hyphen.
    """
    counted: dict[str, int] = {}
    for item, count in times.items():
        maker, _, seed = item.rpartition("-")
        known_as = maker if seed.isdigit() and maker in generators else item
        counted[known_as] = counted.get(known_as, 0) + count
    return counted
