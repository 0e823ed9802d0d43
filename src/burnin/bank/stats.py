"""How many items there are of what, against each blueprint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnin.catalog import Catalog
from burnin.domain.blueprint import Blueprint, Domain
from burnin.domain.generator import GeneratorWords
from burnin.domain.item import Item


def stats(catalog: Catalog, generators: Sequence[GeneratorWords] = ()) -> dict[str, Any]:
    """Count static items by exam, domain, objective, focus point, trap and official number.

    ``generators`` are those that can be used; they are counted by exam and domain.

    Objectives and official numbers count an item's primary one. A trap counts an
    item of its domain only where a wrong option carries that misconception.
    """
    return {
        "items_static": len(catalog.items),
        "generators": len(generators),
        "exams": {
            code: _exam(catalog, blueprint, [words for words in generators if words.exam == code])
            for code, blueprint in sorted(catalog.blueprints.items())
        },
        "glossary": len(catalog.glossary),
        "misconceptions": len(catalog.misconceptions),
        "sources": len(catalog.sources),
        "exhibits": len(catalog.exhibits),
        "bank_version": catalog.version,
    }


def _exam(catalog: Catalog, blueprint: Blueprint, generators: Sequence[GeneratorWords]) -> dict[str, Any]:
    items = catalog.candidates(blueprint)
    return {
        "items_static": len(items),
        "generators": len(generators),
        "multiple": sum(item.choose > 1 for item in items),
        "scenario": sum(item.scenario for item in items),
        "with_flip_point": sum(any(option.flip for option in item.options) for item in items),
        "several_steps": sum(item.steps > 1 for item in items),
        "cross_domain": sum(_crosses(item) for item in items),
        "domains": {domain.id: _domain(domain, items, generators) for domain in blueprint.domains},
    }


def _domain(domain: Domain, items: Sequence[Item], generators: Sequence[GeneratorWords]) -> dict[str, Any]:
    mine = [item for item in items if item.domain == domain.id]
    return {
        "items_static": len(mine),
        "generators": sum(words.domain == domain.id for words in generators),
        "weight": domain.weight,
        "objectives": {
            name: sum(item.objective == f"{domain.id}/{name}" for item in mine) for name in domain.objectives
        },
        "focus": {name: sum(f"{domain.id}/{name}" in item.focus for item in items) for name in domain.focus},
        "traps": {trap: sum(_carries(item, trap) for item in mine) for trap in domain.traps},
        "official": {o.number: sum(item.official == o.number for item in mine) for o in domain.official},
    }


def _carries(item: Item, misconception: str) -> bool:
    return any(option.misconception == misconception for option in item.options if not option.correct)


def _crosses(item: Item) -> bool:
    return any(reference.partition("/")[0] != item.domain for reference in item.secondary)
