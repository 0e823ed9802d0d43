"""Single items and samples in plain form, with or without their key."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from burnin.app.errors import BadRequest, UnknownExam
from burnin.app.inspect.computed import computed
from burnin.catalog import Catalog
from burnin.domain.blueprint import Blueprint
from burnin.domain.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An item and the order in which its options are shown, by id."""

    item: Item
    order: tuple[str, ...]


def blueprint_of(catalog: Catalog, code: str) -> Blueprint:
    """Return the newest revision of an exam, whatever the case of its code; UnknownExam if there is none."""
    for known, blueprint in catalog.blueprints.items():
        if known.lower() == code.lower():
            return blueprint
    raise UnknownExam(f"no exam {code!r}; known: {', '.join(sorted(catalog.blueprints))}")


def shown(catalog: Catalog, item_id: str) -> Shown:
    """Return one item in its author's order; BadRequest if there is none with that id."""
    item = catalog.items.get(item_id) or computed(catalog, item_id)
    if item is None:
        near = [known for known in catalog.items if item_id in known][:5]
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise BadRequest(f"no item {item_id!r}{hint}")
    return Shown(item=item, order=tuple(option.id for option in item.options))


def sample(catalog: Catalog, code: str, *, number: int, seed: int, domain: str | None = None) -> list[Shown]:
    """Draw up to ``number`` items, options shuffled; the same arguments draw the same.

    Raises UnknownExam or BadRequest for an exam or a domain that is not there.
    """
    blueprint = blueprint_of(catalog, code)
    pool: Sequence[Item] = catalog.candidates(blueprint)
    if domain is not None:
        ids = [d.id for d in blueprint.domains]
        if domain not in ids:
            raise BadRequest(f"{blueprint.code} has no domain {domain!r}; known: {', '.join(ids)}")
        pool = [item for item in pool if item.domain == domain]
    chance = random.Random(seed)  # noqa: S311 - a reproducible draw, not a secret
    drawn = chance.sample(pool, min(number, len(pool)))
    return [
        Shown(item=item, order=tuple(chance.sample([o.id for o in item.options], len(item.options))))
        for item in drawn
    ]


def plain_item(catalog: Catalog, entry: Shown, *, key: bool) -> dict[str, Any]:
    """Return an item as plain data; key, reasons, flip points and sources only with ``key``."""
    item = entry.item
    options = {option.id: option for option in item.options}
    exhibit = catalog.exhibits[item.exhibit] if item.exhibit else None
    plain: dict[str, Any] = {
        "id": item.id,
        "version": item.version,
        "exam": item.exam,
        "domain": item.domain,
        "objective": item.objective,
        "official": item.official,
        "scenario": item.scenario,
        "difficulty": item.difficulty,
        "choose": item.choose,
        "stem": item.stem,
        "exhibit": {name: value for name, value in asdict(exhibit).items() if value} if exhibit else None,
        "options": [{"id": option_id, "text": options[option_id].text} for option_id in entry.order],
    }
    if not key:
        return plain
    for shown_option in plain["options"]:
        option = options[shown_option["id"]]
        shown_option.update(
            correct=option.correct, reason=option.reason, misconception=option.misconception, flip=option.flip
        )
    plain["key"] = [option_id for option_id in entry.order if options[option_id].correct]
    plain["sources"] = [
        {
            "id": citation.source,
            "title": catalog.sources[citation.source].title,
            "url": catalog.sources[citation.source].url,
            "locator": citation.locator,
        }
        for citation in item.sources
    ]
    plain["as_of"] = item.as_of
    plain["guide_says"] = item.guide_says
    return plain
