"""From an item as written to an item that needs no catalogue any more."""

from __future__ import annotations

from burnin.domain.blueprint import Blueprint
from burnin.domain.form import RenderedItem, RenderedMisconception, RenderedOption, RenderedSource
from burnin.domain.item import Citation, Item, Option
from burnin.domain.library import Library


class Unresolved(LookupError):
    """An item refers to something that the blueprint or the library does not hold."""


def render(item: Item, blueprint: Blueprint, library: Library) -> RenderedItem:
    """Return the item with every reference replaced by what it reads today.

    ``Unresolved`` names the item and the reference that leads nowhere.
    """
    domain_id, _, objective_id = item.objective.partition("/")
    domain = next((d for d in blueprint.domains if d.id == domain_id), None)
    if domain is None or objective_id not in domain.objectives:
        raise Unresolved(f"item {item.id}: {blueprint.code} has no objective {item.objective!r}")
    official = next((o for o in domain.official if o.number == item.official), None)
    if official is None:
        raise Unresolved(f"item {item.id}: domain {domain_id} has no official objective {item.official!r}")
    if item.exhibit is not None and item.exhibit not in library.exhibits:
        raise Unresolved(f"item {item.id}: no exhibit {item.exhibit!r}")
    return RenderedItem(
        id=item.id,
        version=item.version,
        exam=item.exam,
        domain=domain.id,
        domain_title=domain.title,
        objective=item.objective,
        objective_text=domain.objectives[objective_id],
        official=official.number,
        official_text=official.text,
        choose=item.choose,
        stem=item.stem,
        options=tuple(_option(item, option, library) for option in item.options),
        sources=tuple(_source(item, citation, library) for citation in item.sources),
        as_of=item.as_of,
        scenario=item.scenario,
        difficulty=item.difficulty,
        seconds=item.seconds,
        exhibit=library.exhibits[item.exhibit] if item.exhibit is not None else None,
        guide_says=item.guide_says,
        provenance={
            **item.provenance,
            **({"explore": item.explore} if item.explore else {}),
            **{f"product {name}": version for name, version in sorted(item.products.items())},
        },
    )


def _option(item: Item, option: Option, library: Library) -> RenderedOption:
    named = None
    if option.misconception is not None:
        found = library.misconceptions.get(option.misconception)
        if found is None:
            raise Unresolved(f"item {item.id}, option {option.id}: no misconception {option.misconception!r}")
        named = RenderedMisconception(id=found.id, name=found.name, remedy=found.remedy)
    return RenderedOption(
        id=option.id,
        text=option.text,
        correct=option.correct,
        reason=option.reason,
        misconception=named,
        flip=option.flip,
    )


def _source(item: Item, citation: Citation, library: Library) -> RenderedSource:
    source = library.sources.get(citation.source)
    if source is None:
        raise Unresolved(f"item {item.id}: no source {citation.source!r}")
    return RenderedSource(
        id=source.id,
        title=source.title,
        publisher=source.publisher,
        url=source.url,
        locator=citation.locator,
        version=source.version,
    )
