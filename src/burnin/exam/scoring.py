"""Exact scores under named, versioned rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from burnin.domain.form import Form, RenderedItem

Rule = Callable[[frozenset[str], frozenset[str]], Fraction]
"""From selection and key to a share of the item's one point, 0 to 1."""

Outcome = Literal["right", "partly", "wrong", "incomplete", "unanswered"]


def all_or_nothing(selected: frozenset[str], key: frozenset[str]) -> Fraction:
    """One point for exactly the key, else nothing; nothing is ever taken away."""
    return Fraction(int(selected == key))


ALL_OR_NOTHING = "all-or-nothing/1"

RULES: Mapping[str, Rule] = MappingProxyType({ALL_OR_NOTHING: all_or_nothing})
"""Rules by name and version. A changed rule gets a new version; an old one stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScore:
    """One item's result. ``incomplete``: something is selected, but not ``choose`` options."""

    item: str
    domain: str
    selected: frozenset[str]
    earned: Fraction
    possible: Fraction
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainScore:
    """What a domain's items earned, beside the domain's weight in the blueprint."""

    id: str
    title: str
    weight: int
    earned: Fraction
    possible: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A form's result under ``rule``. Every item is worth one point."""

    rule: str
    earned: Fraction
    possible: Fraction
    domains: tuple[DomainScore, ...]
    items: tuple[ItemScore, ...]


def score(
    form: Form,
    items: Sequence[RenderedItem],
    answers: Mapping[str, Collection[str]],
    rule: str,
    *,
    rules: Mapping[str, Rule] = RULES,
) -> Score:
    """Score answers by option id; an item without an answer earns nothing.

    ``ValueError`` for an unknown rule, an item of the form that is not given, an
    answer to an item that the form lacks, or a selected option that its item lacks.
    """
    if rule not in rules:
        raise ValueError(f"unknown scoring rule {rule!r}; known: {', '.join(sorted(rules))}")
    by_id = {item.id: item for item in items}
    listed = {entry.item for entry in form.entries}
    if missing := sorted(listed - by_id.keys()):
        raise ValueError(f"form {form.id}: rendered items are missing: {', '.join(missing)}")
    if strangers := sorted(answers.keys() - listed):
        raise ValueError(f"form {form.id}: answers to items it lacks: {', '.join(strangers)}")

    scores = tuple(
        _item_score(by_id[entry.item], entry.domain, frozenset(answers.get(entry.item, ())), rules[rule])
        for entry in form.entries
    )
    domains = tuple(
        DomainScore(
            id=domain.id,
            title=domain.title,
            weight=domain.weight,
            earned=sum((s.earned for s in scores if s.domain == domain.id), Fraction(0)),
            possible=sum((s.possible for s in scores if s.domain == domain.id), Fraction(0)),
        )
        for domain in form.domains
    )
    return Score(
        rule=rule,
        earned=sum((s.earned for s in scores), Fraction(0)),
        possible=sum((s.possible for s in scores), Fraction(0)),
        domains=domains,
        items=scores,
    )


def _item_score(item: RenderedItem, domain: str, selected: frozenset[str], rule: Rule) -> ItemScore:
    if unknown := sorted(selected - {option.id for option in item.options}):
        raise ValueError(f"item {item.id} has no option {', '.join(unknown)}")
    earned = rule(selected, item.key)
    outcome: Outcome
    if not selected:
        outcome = "unanswered"
    elif len(selected) != item.choose:
        outcome = "incomplete"
    elif earned == 1:
        outcome = "right"
    else:
        outcome = "partly" if earned else "wrong"
    return ItemScore(
        item=item.id, domain=domain, selected=selected, earned=earned, possible=Fraction(1), outcome=outcome
    )
