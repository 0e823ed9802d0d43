"""Which items somebody wants to practise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from burnin.domain.blueprint import Blueprint
from burnin.domain.exposure import exposed_as
from burnin.domain.item import Item
from burnin.exam.record import Attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A wish for items: what they are about, and how the learner fared with them.

    Several values of one field mean any of them; fields narrow each other. Objectives
    and focus points are written ``domain/id``; ``items`` are items and generators. The switches widen each other: ``missed``
    and ``slow`` together are items that were missed or slow, going by the last attempt.
    """

    domains: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    missed: bool = False
    flagged: bool = False
    slow: bool = False
    unsure: bool = False
    unseen: bool = False

    @property
    def by_history(self) -> bool:
        """Whether any switch is on."""
        return self.missed or self.flagged or self.slow or self.unsure or self.unseen


def unknown(selection: Selection, blueprint: Blueprint, misconceptions: Mapping[str, object]) -> list[str]:
    """Return a line for each value that names nothing of this exam."""
    domains = blueprint.domains
    known: dict[str, Sequence[str]] = {
        "domains": [d.id for d in domains],
        "objectives": [f"{d.id}/{o}" for d in domains for o in d.objectives],
        "focus": [f"{d.id}/{f}" for d in domains for f in d.focus],
        "misconceptions": [*misconceptions, *(t for d in domains for t in d.traps)],
    }
    return [
        f"{blueprint.code} has no {_NAMES[name]} {value!r}"
        for name, values in known.items()
        for value in getattr(selection, name)
        if value not in values
    ]


_NAMES = {
    "domains": "domain",
    "objectives": "objective",
    "focus": "focus point",
    "misconceptions": "misconception",
}


def selected(selection: Selection, pool: Sequence[Item], last: Mapping[str, Attempt]) -> list[Item]:
    """Return the items of the pool that the selection means.

    ``last`` maps ``exposed_as`` to the last attempt; what is not in it is unseen.
    """
    return [
        item for item in pool if _about(selection, item) and _fared(selection, last.get(exposed_as(item)))
    ]


def _about(selection: Selection, item: Item) -> bool:
    if selection.items and exposed_as(item) not in selection.items:
        return False
    if selection.domains and item.domain not in selection.domains:
        return False
    if selection.objectives and not set(selection.objectives) & {item.objective, *item.secondary}:
        return False
    if selection.focus and not set(selection.focus) & set(item.focus):
        return False
    carried = {option.misconception for option in item.options}
    return not selection.misconceptions or bool(set(selection.misconceptions) & carried)


def _fared(selection: Selection, last: Attempt | None) -> bool:
    if not selection.by_history:
        return True
    if last is None:
        return selection.unseen
    return (
        (selection.missed and not last.right)
        or (selection.flagged and last.flagged)
        or (selection.slow and last.slow)
        or (selection.unsure and last.unsure)
    )


def described(selection: Selection) -> dict[str, object]:
    """Return what was asked for, without what was left open."""
    values = {field.name: getattr(selection, field.name) for field in fields(selection)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v}
