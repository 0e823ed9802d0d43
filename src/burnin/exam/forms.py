"""Quotas by domain, time, and from drawn items to a form that shows and keeps them.

Which items are drawn is decided in ``burnin.assembly``.
"""

from __future__ import annotations

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
from burnin.exam.render import render
from burnin.exam.scoring import ALL_OR_NOTHING

__all__ = ["DIAGNOSTIC_RULE", "REDO_RULE", "again", "compose", "minutes_for", "quotas", "render"]

DIAGNOSTIC_RULE = "diagnostic/1"
REDO_RULE = "redo/1"
"""Assembly rules that tell a sitting apart: no score, and the same questions again."""
"""The rule of a form that holds more items than will be asked: no score stands for all of it."""

T = TypeVar("T")


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


def compose(
    blueprint: Blueprint,
    drawn: Sequence[Item],
    library: Library,
    *,
    quota: Mapping[str, int],
    minutes: int,
    rng: Random,
    seed: int,
    bank_version: str,
    rule: str,
) -> tuple[Form, tuple[RenderedItem, ...]]:
    """Make a form of drawn items: order, order of options, texts as they read today.

    ``rng`` decides both orders; items that share an exhibit stand side by side. ``rule``
    names how the items were drawn. ``Unresolved`` as ``render``.
    """
    shown = [render(item, blueprint, library) for item in _ordered(drawn, rng)]
    entries = tuple(_entry(item, rng) for item in shown)
    form = Form(
        id="",
        exam=blueprint.code,
        title=blueprint.title,
        revision=blueprint.as_of,
        minutes=minutes,
        seed=seed,
        bank_version=bank_version,
        assembly_rule=rule,
        scoring_rule=ALL_OR_NOTHING,
        domains=tuple(
            FormDomain(id=d.id, title=d.title, weight=d.weight, quota=quota[d.id]) for d in blueprint.domains
        ),
        entries=entries,
    )
    return replace(form, id=content_hash(form)), tuple(shown)


def again(
    form: Form, items: Sequence[RenderedItem], *, rng: Random, seed: int, rule: str
) -> tuple[Form, tuple[RenderedItem, ...]]:
    """Make a form of the same places with ``items``, in the form's order, questions and options shuffled anew.

    ``ValueError`` unless there is one item for each place.
    """
    if len(items) != len(form.entries):
        raise ValueError(f"form {form.id} has {len(form.entries)} places, not {len(items)}")
    units: dict[str, list[RenderedItem]] = {}
    for item in _shuffled(items, rng):
        key = f"exhibit {item.exhibit.id}" if item.exhibit else f"item {item.id}"
        units.setdefault(key, []).append(item)
    shown = [item for unit in _shuffled(list(units.values()), rng) for item in unit]
    new = replace(
        form,
        id="",
        seed=seed,
        assembly_rule=rule,
        entries=tuple(_entry(item, rng) for item in shown),
    )
    return replace(new, id=content_hash(new)), tuple(shown)


def _entry(item: RenderedItem, rng: Random) -> FormEntry:
    return FormEntry(
        item=item.id,
        hash=content_hash(item),
        domain=item.domain,
        choose=item.choose,
        options=tuple(_shuffled([option.id for option in item.options], rng)),
    )


def _ordered(drawn: Sequence[Item], rng: Random) -> list[Item]:
    """Shuffle, but keep items that share an exhibit side by side."""
    units: dict[str, list[Item]] = {}
    for item in _shuffled(sorted(drawn, key=lambda i: i.id), rng):
        units.setdefault(f"exhibit {item.exhibit}" if item.exhibit else f"item {item.id}", []).append(item)
    return [item for unit in _shuffled(list(units.values()), rng) for item in unit]


def _shuffled(values: Sequence[T], rng: Random) -> list[T]:
    # Python promises the same random() for a seed in every version, but not the same shuffle().
    return sorted(values, key=lambda _: rng.random())
