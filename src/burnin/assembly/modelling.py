"""The model: which items stand in which form.

Always: the quotas, families and enemies apart, no item in two forms. Beyond that a form
is the cheapest by ``Weights``, and chance decides only between forms that cost the same.

Source: van der Linden (2005), "Linear Models for Optimal Test Design", chapters 3 to 6.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, floor
from random import Random

from burnin.assembly.solver import EXACT, INFINITY, Model
from burnin.domain.item import Item

LEVEL_CAP = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a departure costs. Larger by far is: goes first.

    ``missing`` is for an item that a quota lacks (only where it may lack one), ``multiple``
    and ``difficulty`` for an item beyond or short of the share, ``seen`` for each time an
    item was seen before, ``official``, ``objective`` and ``domain`` for an item beyond an even
    spread, relative to the even share, ``minute`` for a minute beyond the time, ``exhibit``
    for each item that is left out although its exhibit is read anyway. ``worth`` is the
    gain of an item as informative as the average one.
    """

    missing: float = 1000.0
    multiple: float = 100.0
    seen: float = 40.0
    domain: float = 9.0
    official: float = 6.0
    objective: float = 3.0
    difficulty: float = 5.0
    minute: float = 5.0
    exhibit: float = 1.5
    worth: float = 1.0
    chance: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A pool and everything asked of the forms drawn from it.

    ``quota`` None asks for ``size`` items of any domain; ``shares`` are the weights that
    quotas of another size would go by. ``short_allowed`` lets quotas
    lack items. Aims that are None are not pursued; with ``firm`` an aim is exact.
    """

    pool: Sequence[Item]
    forms: int
    size: int
    quota: Mapping[str, int] | None
    shares: Mapping[str, int] = field(default_factory=dict)
    apart: Mapping[str, frozenset[str]]
    multiple: int | None = None
    multiple_firm: bool = False
    seconds: int | None = None
    seconds_firm: bool = False
    difficulty: Mapping[int, float] = field(default_factory=dict)
    seen: Mapping[str, int] = field(default_factory=dict)
    seen_barred: bool = False
    worth: Mapping[str, float] = field(default_factory=dict)
    short_allowed: bool = False
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The items of each form, and how many each quota lacks over all forms."""

    forms: tuple[tuple[Item, ...], ...]
    lacking: Mapping[str, int]


def draw(task: Task, rng: Random) -> Drawn | None:
    """Return the cheapest forms, or None where none satisfies what must hold."""
    model = Model()
    chosen: list[list[int]] = []
    lacking: dict[str, list[int]] = defaultdict(list)
    for _ in range(task.forms):
        columns = [model.binary(_price(task, item, rng)) for item in task.pool]
        chosen.append(columns)
        _must(task, model, columns, lacking)
        _should(task, model, columns)
    if task.forms > 1:
        for copies in zip(*chosen, strict=True):
            model.row([(column, 1.0) for column in copies], 0.0, 1.0)
    values = model.minimum(_gap(task))
    if values is None:
        return None
    return Drawn(
        tuple(
            tuple(item for item, column in zip(task.pool, columns, strict=True) if values[column] > 0.5)
            for columns in chosen
        ),
        {name: round(sum(values[column] for column in columns)) for name, columns in lacking.items()},
    )


def _gap(task: Task) -> float:
    """How far from the cheapest forms may be: half of what chance weighs in one item.

    Forms drawn to be informative may each miss half of one average item's information.
    """
    if task.worth:
        return task.weights.worth * task.forms / 2
    return EXACT if task.forms == 1 else task.weights.chance / 2


def _price(task: Task, item: Item, rng: Random) -> float:
    weights = task.weights
    price = weights.chance * rng.random() + weights.seen * min(task.seen.get(item.id, 0), 10)
    return price - weights.worth * task.worth.get(item.id, 0.0)


def _must(task: Task, model: Model, columns: Sequence[int], lacking: dict[str, list[int]]) -> None:
    groups: dict[str, list[int]] = defaultdict(list)
    for item, column in zip(task.pool, columns, strict=True):
        groups[item.domain if task.quota is not None else ""].append(column)
    for name, need in ({"": task.size} if task.quota is None else task.quota).items():
        terms = _sum(groups[name])
        if task.short_allowed:
            lack = model.amount(task.weights.missing, need)
            lacking[name].append(lack)
            terms.append((lack, 1.0))
        model.row(terms, need, need)
    place = {item.id: column for item, column in zip(task.pool, columns, strict=True)}
    for clique in cliques(task.pool, task.apart):
        model.row(_sum(place[item] for item in clique), 0.0, 1.0)
    if task.seen_barred:
        model.row(_sum(place[item] for item, times in task.seen.items() if times and item in place), 0.0, 0.0)


def cliques(pool: Sequence[Item], apart: Mapping[str, frozenset[str]]) -> list[tuple[str, ...]]:
    """Return sets of items of which only one may stand: families first, then pairs of enemies.

    One row for a family of five binds the relaxed model more than ten rows for its pairs.
    """
    families: dict[str, list[str]] = defaultdict(list)
    for item in pool:
        if item.family is not None:
            families[item.family].append(item.id)
    found = [tuple(members) for members in families.values() if len(members) > 1]
    family = {item.id: item.family for item in pool}
    for one in sorted(apart):
        for other in sorted(apart[one]):
            together = family[one] is not None and family[one] == family[other]
            if one < other and not together:
                found.append((one, other))
    return found


def _should(task: Task, model: Model, columns: Sequence[int]) -> None:
    weights = task.weights
    by = _Groups(task.pool, columns)
    if task.quota is None:
        _evenly(model, by.domain, task.size, weights.domain)
        whole = {"": task.size}
    else:
        whole = dict(task.quota)
    for part, weight in ((by.official, weights.official), (by.objective, weights.objective)):
        for domain, need in whole.items():
            within = {
                name[1]: members for name, members in part.items() if task.quota is None or name[0] == domain
            }
            _evenly(model, within, need, weight)
    if task.multiple is not None:
        _near(
            model, by.multiple, task.multiple, task.multiple, None if task.multiple_firm else weights.multiple
        )
    for grade, share in task.difficulty.items():
        low, high = floor(share + 1e-9), ceil(share - 1e-9)
        _near(model, by.difficulty[grade], low, high, weights.difficulty)
    if task.seconds is not None:
        terms = [(column, float(item.seconds)) for item, column in zip(task.pool, columns, strict=True)]
        if not task.seconds_firm:
            terms.append((model.amount(weights.minute / 60.0), -1.0))
        model.row(terms, 0.0, float(task.seconds))
    for members in by.exhibit.values():
        _whole(model, members, task.apart, weights.exhibit)


class _Groups:
    """The columns of a form by what their items have in common."""

    def __init__(self, pool: Sequence[Item], columns: Sequence[int]) -> None:
        self.domain: dict[str, list[int]] = defaultdict(list)
        self.official: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.objective: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.difficulty: dict[int, list[int]] = defaultdict(list)
        self.exhibit: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self.multiple: list[int] = []
        for item, column in zip(pool, columns, strict=True):
            self.domain[item.domain].append(column)
            self.official[item.domain, item.official].append(column)
            self.objective[item.domain, item.objective].append(column)
            self.difficulty[item.difficulty].append(column)
            if item.choose > 1:
                self.multiple.append(column)
            if item.exhibit is not None:
                self.exhibit[item.exhibit].append((item.id, column))


def _evenly(model: Model, groups: Mapping[str, Sequence[int]], total: int, weight: float) -> None:
    """Make each further item of a group dearer than the one before: the cheapest spread is the evenest.

    The n-th costs in proportion to n over the even share, up to ``LEVEL_CAP``.
    """
    if len(groups) < 2 or total == 0:
        return
    share = total / len(groups)
    for members in groups.values():
        steps = []
        most = min(len(members), total)
        for level in range(1, most + 1):
            price = (level - 0.5) / share
            if price >= LEVEL_CAP:
                steps.append((model.amount(weight * LEVEL_CAP, most - level + 1), -1.0))
                break
            steps.append((model.amount(weight * price, 1.0), -1.0))
        model.row([*_sum(members), *steps], 0.0, 0.0)


def _near(model: Model, members: Sequence[int], low: int, high: int, weight: float | None) -> None:
    """Hold a count between two bounds; with a weight each item beyond them has a price."""
    terms = _sum(members)
    if weight is not None:
        terms += [(model.amount(weight), 1.0), (model.amount(weight), -1.0)]
    model.row(terms, low, high)


def _whole(
    model: Model, members: Sequence[tuple[str, int]], apart: Mapping[str, frozenset[str]], weight: float
) -> None:
    """An exhibit that is read anyway should serve as many items as can stand together."""
    most = _most_together([item for item, _ in members], apart)
    if most < 2:
        return
    read = model.amount(weight * most, 1.0)
    for _, column in members:
        model.row([(read, 1.0), (column, -1.0)], 0.0, INFINITY)
        model.costs[column] -= weight


def _most_together(items: Sequence[str], apart: Mapping[str, frozenset[str]]) -> int:
    """Exhibits serve a handful of items, so trying every set is quick enough."""
    for size in range(min(len(items), 6), 1, -1):
        for some in combinations(items, size):
            if not any(b in apart.get(a, ()) for a, b in combinations(some, 2)):
                return size
    return 1


def _sum(columns: Iterable[int]) -> list[tuple[int, float]]:
    return [(column, 1.0) for column in columns]


def difficulty_shares(pool: Sequence[Item], quota: Mapping[str, int]) -> dict[int, float]:
    """Return how many items of each grade a form would hold if each domain's were drawn blindly.

    Every form of a bank has the same aim, so its forms are of equal difficulty.
    """
    grades: dict[str, Counter[int]] = defaultdict(Counter)
    for item in pool:
        grades[item.domain][item.difficulty] += 1
    shares: dict[int, float] = defaultdict(float)
    for domain, need in quota.items():
        for grade, count in grades[domain].items():
            shares[grade] += need * count / grades[domain].total()
    return dict(sorted(shares.items()))
