"""Glossary terms in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from burnin.domain.item import Term

if TYPE_CHECKING:
    from burnin.app.inspect import Catalog
    from burnin.domain.form import RenderedItem

MOST = 12


def in_item(catalog: Catalog, item: RenderedItem) -> list[Term]:
    """Return the terms that stand in an item's stem, options and reasons, in the order of the text."""
    parts = [item.stem, *(f"{option.text}\n{option.reason}" for option in item.options)]
    return found("\n".join(parts), catalog.glossary)


def found(text: str, glossary: Mapping[str, Term]) -> list[Term]:
    """Return terms that stand in a text by name or other name, each once, the first dozen."""
    if not glossary:
        return []
    pattern, ids = _pattern(tuple(glossary.values()))
    seen = dict.fromkeys(ids[match.group().casefold()] for match in pattern.finditer(text))
    return [glossary[term_id] for term_id in list(seen)[:MOST]]


@lru_cache(maxsize=4)
def _pattern(terms: tuple[Term, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    ids: dict[str, str] = {}
    for term in terms:
        for name in (term.term, *term.also):
            ids.setdefault(name.casefold(), term.id)
            # A plural is the same term.
            ids.setdefault(f"{name.casefold()}s", term.id)
    # Longer names first: "mixed precision" before "precision".
    names = sorted(ids, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE), ids
