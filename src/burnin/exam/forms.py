"""Form assembly: exact quotas by domain, a seed, and items that go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import TypeVar

from burnin.domain.blueprint import Blueprint
from burnin.domain.canonical import content_hash
from burnin.domain.form import Form, FormDomain, FormEntry, RenderedItem
from burnin.domain.item import Item
from burnin.domain.library import Library
from burnin.exam.apart import compatible, conflicts
from burnin.exam.render import render
from burnin.exam.scoring import ALL_OR_NOTHING

__all__ = ["ASSEMBLY_RULE", "Infeasible", "assemble", "minutes_for", "quotas", "render"]

ASSEMBLY_RULE = "quota-greedy/1"

T = TypeVar("T")


class Infeasible(ValueError):
    """No legal form exists. ``short`` maps each domain that lacks items to how many it lacks.

    How many is 0 where each domain has enough items but they rule each other out.
    """

    def __init__(self, message: str, short: Mapping[str, int]) -> None:
        super().__init__(message)
        self.short = dict(short)


def quotas(weights: Mapping[str, int], total: int) -> dict[str, int]:
    """Share ``total`` out by weight: the exact largest-remainder (Hamilton) method.

    Weights need not sum to 100. Equal remainders go to whoever stands first.
    ``ValueError`` for a negative weight or total, or weights that are all zero.
    """
    if total < 0 or any(weight < 0 for weight in weights.values()):
        raise ValueError("weights and total must not be negative")
    whole = sum(weights.values())
    if whole == 0:
        if total == 0:
            return dict.fromkeys(weights, 0)
        raise ValueError("no domain has a weight")
    ideal = {name: Fraction(weight * total, whole) for name, weight in weights.items()}
    shares = {name: floor(share) for name, share in ideal.items()}
    left = total - sum(shares.values())
    # sorted() is stable, so blueprint order breaks ties.
    for name in sorted(ideal, key=lambda n: shares[n] - ideal[n])[:left]:
        shares[name] += 1
    return shares


def minutes_for(blueprint: Blueprint, size: int) -> int:
    """Return the exam's minutes for a full form, and its pace for a shorter or longer one."""
    low, high = blueprint.questions_min, blueprint.questions_max
    return ceil(Fraction(blueprint.minutes * size, min(max(size, low), high)))


def assemble(
    blueprint: Blueprint,
    pool: Sequence[Item],
    library: Library,
    *,
    size: int,
    seed: int,
    bank_version: str,
) -> tuple[Form, tuple[RenderedItem, ...]]:
    """Draw a form of ``size`` items; the same arguments give the same form anywhere.

    Always: the blueprint's quotas by domain, families and enemies apart, items that
    share an exhibit side by side. As near as the pool allows: the blueprint's share of
    choose-N items, and every objective of a domain before one comes twice.
    ``Infeasible`` names the domain and what is short; ``ValueError`` for a size below 1
    or an id that stands twice in the pool; ``Unresolved`` as ``render``.
    """
    if size < 1:
        raise ValueError(f"a form needs at least one item, not {size}")
    quota = quotas({domain.id: domain.weight for domain in blueprint.domains}, size)
    mine = sorted((i for i in pool if i.exam == blueprint.code and i.domain in quota), key=lambda i: i.id)
    if twice := [item for item, n in Counter(i.id for i in mine).items() if n > 1]:
        raise ValueError(f"items stand twice in the pool: {', '.join(twice)}")
    rng = Random(seed)  # noqa: S311  # a draw that can be repeated, not a secret
    drawn = _draw(blueprint, quota, mine, rng)
    shown = [render(item, blueprint, library) for item in _ordered(drawn, rng)]
    entries = tuple(
        FormEntry(
            item=item.id,
            hash=content_hash(item),
            domain=item.domain,
            choose=item.choose,
            options=tuple(_shuffled([option.id for option in item.options], rng)),
        )
        for item in shown
    )
    form = Form(
        id="",
        exam=blueprint.code,
        title=blueprint.title,
        revision=blueprint.as_of,
        minutes=minutes_for(blueprint, size),
        seed=seed,
        bank_version=bank_version,
        assembly_rule=ASSEMBLY_RULE,
        scoring_rule=ALL_OR_NOTHING,
        domains=tuple(
            FormDomain(id=d.id, title=d.title, weight=d.weight, quota=quota[d.id]) for d in blueprint.domains
        ),
        entries=entries,
    )
    return replace(form, id=content_hash(form)), tuple(shown)


def _draw(blueprint: Blueprint, quota: Mapping[str, int], pool: Sequence[Item], rng: Random) -> list[Item]:
    groups: dict[str, list[str]] = {domain: [] for domain in quota}
    for item in pool:
        groups[item.domain].append(item.id)
    short = {d: n - len(groups[d]) for d, n in quota.items() if n > len(groups[d])}
    if short:
        lines = [f"{d} needs {quota[d]} items and has {len(groups[d])}" for d in short]
        raise Infeasible(f"{blueprint.code}, {sum(quota.values())} items: {'; '.join(lines)}", short)

    apart = conflicts(pool)
    multiple = _multiple_targets(blueprint, quota, pool, rng)
    order = _shuffled(pool, rng)
    drawn = _greedy(quota, multiple, order, apart, core=())
    if drawn is None:
        shuffled = {d: [item.id for item in order if item.domain == d] for d in quota}
        core = compatible(quota, shuffled, apart)
        if core is None:
            raise _kept_apart(blueprint, quota, shuffled, apart)
        drawn = _greedy(quota, multiple, order, apart, core=core)
    assert drawn is not None  # a core leaves each domain enough items without conflicts
    return drawn


def _kept_apart(
    blueprint: Blueprint,
    quota: Mapping[str, int],
    groups: Mapping[str, Sequence[str]],
    apart: Mapping[str, frozenset[str]],
) -> Infeasible:
    """Say which domain lacks items once families and enemies are kept apart."""
    short = {}
    for domain, need in quota.items():
        most = need
        while compatible({domain: most}, groups, apart) is None:
            most -= 1
        if most < need:
            short[domain] = need - most
    lines = [
        f"{d} needs {quota[d]} items, and of its {len(groups[d])} at most {quota[d] - n} can stand together"
        for d, n in short.items()
    ]
    if not lines:
        mixed = list(quota)
        for domain in quota:
            others = [d for d in mixed if d != domain]
            if compatible({d: quota[d] for d in others}, groups, apart) is None:
                mixed = others
        lines = [f"{', '.join(mixed)} take items from each other"]
        short = dict.fromkeys(mixed, 0)
    return Infeasible(
        f"{blueprint.code}, {sum(quota.values())} items, families and enemies apart: {'; '.join(lines)}",
        short,
    )


def _multiple_targets(
    blueprint: Blueprint, quota: Mapping[str, int], pool: Sequence[Item], rng: Random
) -> dict[str, int]:
    """How many choose-N items each domain should give, within what it has.

    Every domain gets its share of the pool's on average over seeds (systematic
    sampling), so that a domain's only such item does not stand in every form.
    """
    have = Counter(item.domain for item in pool if item.choose > 1)
    total = Counter(item.domain for item in pool)
    most = {d: min(n, have[d]) for d, n in quota.items()}
    least = {d: max(0, n - (total[d] - have[d])) for d, n in quota.items()}
    wanted = floor(Fraction(str(blueprint.multiple_share)) * sum(quota.values()) + Fraction(1, 2))
    wanted = min(max(wanted, sum(least.values())), sum(most.values()))

    target = dict.fromkeys(quota, 0)
    mark = Fraction(rng.random())
    for domain in _shuffled(list(quota), rng):
        share = Fraction(most[domain] * wanted, max(1, sum(most.values())))
        target[domain] = max(least[domain], ceil(share - mark))
        mark += target[domain] - share
    # What some domain must give beyond its share, those with the most to spare need not give.
    while sum(target.values()) > wanted:
        target[max(target, key=lambda d: target[d] - least[d])] -= 1
    return target


def _greedy(
    quota: Mapping[str, int],
    multiple: Mapping[str, int],
    order: Sequence[Item],
    apart: Mapping[str, frozenset[str]],
    core: Sequence[str],
) -> list[Item] | None:
    """Fill every domain from a shuffled pool, or return None where conflicts bar the way.

    ``core`` is taken first: its items and those without conflicts suffice for all quotas.
    """
    by_id = {item.id: item for item in order}
    drawn = [by_id[item] for item in core]
    barred = {other for item in core for other in apart[item]} | set(core)
    spare = {d: sum(item.domain == d for item in order) - n for d, n in quota.items()}
    for domain in sorted(quota, key=lambda d: spare[d]):
        mine = [item for item in order if item.domain == domain]
        taken = [item for item in drawn if item.domain == domain]
        used = Counter(item.objective for item in taken)
        multiples = sum(item.choose > 1 for item in taken)
        for _ in range(quota[domain] - len(taken)):
            choices = [item for item in mine if item.id not in barred and (not core or not apart[item.id])]
            if not choices:
                return None
            want_multiple = multiples < multiple[domain]
            # min() keeps the shuffled order among equals.
            pick = min(choices, key=lambda i: ((i.choose > 1) != want_multiple, used[i.objective]))
            drawn.append(pick)
            barred |= apart[pick.id] | {pick.id}
            used[pick.objective] += 1
            multiples += pick.choose > 1
    return drawn


def _ordered(drawn: Sequence[Item], rng: Random) -> list[Item]:
    """Shuffle, but keep items that share an exhibit side by side."""
    units: dict[str, list[Item]] = {}
    for item in _shuffled(sorted(drawn, key=lambda i: i.id), rng):
        units.setdefault(f"exhibit {item.exhibit}" if item.exhibit else f"item {item.id}", []).append(item)
    return [item for unit in _shuffled(list(units.values()), rng) for item in unit]


def _shuffled(values: Sequence[T], rng: Random) -> list[T]:
    # Python promises the same random() for a seed in every version, but not the same shuffle().
    return sorted(values, key=lambda _: rng.random())
