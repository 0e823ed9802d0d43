"""Which concepts an item asks, and which none does."""

from __future__ import annotations

from typing import Any

from burnin.catalog import Catalog


def coverage(catalog: Catalog) -> dict[str, Any]:
    """Count concepts with and without an item, by exam and by objective.

    Example: ``coverage(load())["missing"]`` names the concepts that no item asks yet.
    An objective without a concept is listed in ``objectives_without_concept``.
    """
    concepts = sorted(catalog.concepts.values(), key=lambda concept: (concept.exam, concept.id))
    return {
        "concepts": len(concepts),
        "with_item": sum(bool(concept.items) for concept in concepts),
        "missing": [concept.id for concept in concepts if not concept.items],
        "exams": {code: _exam(catalog, code) for code in sorted(catalog.blueprints)},
    }


def _exam(catalog: Catalog, code: str) -> dict[str, Any]:
    mine = [concept for concept in catalog.concepts.values() if concept.exam == code]
    objectives = {
        f"{domain.id}/{name}": {"concepts": 0, "with_item": 0}
        for domain in catalog.blueprints[code].domains
        for name in domain.objectives
    }
    for concept in mine:
        for reference in concept.objectives:
            objectives[reference]["concepts"] += 1
            objectives[reference]["with_item"] += bool(concept.items)
    asked = {item for concept in mine for item in concept.items}
    return {
        "concepts": len(mine),
        "with_item": sum(bool(concept.items) for concept in mine),
        "objectives": objectives,
        "objectives_without_concept": [ref for ref, n in objectives.items() if not n["concepts"]],
        "items_without_concept": sorted(
            item.id for item in catalog.items.values() if item.exam == code and item.id not in asked
        ),
    }
