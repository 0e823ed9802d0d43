"""Which items must not meet in one form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from burnin.domain.item import Item


def conflicts(pool: Sequence[Item]) -> dict[str, frozenset[str]]:
    """Return, by item id, the ids of the pool's items that it must not meet.

    Two items of one family must not, nor two of which either names the other an enemy.
    """
    families: dict[str, set[str]] = defaultdict(set)
    for item in pool:
        if item.family is not None:
            families[item.family].add(item.id)
    apart: dict[str, set[str]] = {item.id: set() for item in pool}
    for item in pool:
        if item.family is not None:
            apart[item.id] |= families[item.family]
        for enemy in item.enemies:
            if enemy in apart:
                apart[item.id].add(enemy)
                apart[enemy].add(item.id)
    return {item: frozenset(others - {item}) for item, others in apart.items()}
