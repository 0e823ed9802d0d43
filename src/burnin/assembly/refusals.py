"""Why no form can be made, and which one could."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Constraint = Literal["quota", "apart", "time", "choose-n", "unseen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A constraint that cannot be met beside those that are never given up.

    ``asked`` and ``possible`` are items, or seconds for ``time``. ``domains`` names whom
    it concerns; for ``apart`` with several, their items rule each other out.
    """

    constraint: Constraint
    asked: int
    possible: int
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """A form that can be made. ``items`` are those of the first form."""

    size: int
    forms: int
    seconds: int
    multiple: int
    seen: int
    items: tuple[str, ...] = field(repr=False)


class Infeasible(ValueError):
    """No legal form exists. ``short`` maps each domain that lacks items to how many it lacks.

    How many is 0 where each domain has enough items but they rule each other out.
    ``conflicts`` says the same as data, for every kind of wish. ``nearest`` is None only
    where not even a form of one item can be made.
    """

    def __init__(
        self,
        message: str,
        *,
        short: Mapping[str, int],
        conflicts: tuple[Conflict, ...],
        nearest: Nearest | None,
    ) -> None:
        super().__init__(message)
        self.short = dict(short)
        self.conflicts = conflicts
        self.nearest = nearest
