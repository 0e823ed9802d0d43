"""Which items must not meet in one form, and whether enough others can."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from burnin.domain.item import Item

SEARCH_LIMIT = 20_000
"""Steps after which the search for a compatible set gives up."""


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


def compatible(
    needed: Mapping[str, int], groups: Mapping[str, Sequence[str]], apart: Mapping[str, frozenset[str]]
) -> list[str] | None:
    """Return compatible items with at least ``needed[group]`` of each group, or None.

    Exact: None means that there is no such set, unless ``SEARCH_LIMIT`` steps were
    taken. Items without conflicts are left out of the result wherever they do.
    """
    group_of = {item: group for group, items in groups.items() for item in items}
    free = Counter(group_of[item] for item in group_of if not apart[item])
    short = {group: need - free[group] for group, need in needed.items() if need > free[group]}
    bound = {group: [item for item in groups[group] if apart[item]] for group in short}
    steps = 0

    def search(short: dict[str, int], left: dict[str, list[str]]) -> list[str] | None:
        nonlocal steps
        short = {group: need for group, need in short.items() if need > 0}
        if not short:
            return []
        while steps < SEARCH_LIMIT and all(len(left[group]) >= need for group, need in short.items()):
            steps += 1
            group = min(short, key=lambda g: len(left[g]) - short[g])
            rivals = {item for g in short for item in left[g]}
            # The item that rules out least comes first.
            item = min(left[group], key=lambda i: len(apart[i] & rivals))
            ruled_out = apart[item] & rivals
            taken = {item} | ruled_out
            rest = {g: [i for i in items if i not in taken] for g, items in left.items()}
            found = search({**short, group: short[group] - 1}, rest)
            if found is not None:
                return [item, *found]
            # Without it, whatever rules out as much or more is no better.
            worse = {i for i in left[group] if ruled_out <= (apart[i] | {i})} | {item}
            left = {**left, group: [i for i in left[group] if i not in worse]}
        return None

    return search(short, bound)
