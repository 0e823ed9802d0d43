"""What rendering an item needs to look up, and how a pool of candidates is offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from burnin.domain.blueprint import Blueprint
from burnin.domain.item import Exhibit, Item, Misconception, Source


class Library(Protocol):
    """Everything an item may refer to, by id."""

    @property
    def misconceptions(self) -> Mapping[str, Misconception]: ...

    @property
    def sources(self) -> Mapping[str, Source]: ...

    @property
    def exhibits(self) -> Mapping[str, Exhibit]: ...


class CandidatePool(Protocol):
    """Items that a form may be assembled from."""

    def candidates(self, blueprint: Blueprint) -> Sequence[Item]: ...
