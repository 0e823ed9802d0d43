"""What an exam asks: a dated revision of its blueprint, as facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialObjective:
    """One numbered line of the vendor's own list, e.g. ``4.1``."""

    number: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A weighted part of an exam. Weights of a blueprint need not sum to 100."""

    id: str
    title: str
    weight: int
    official: tuple[OfficialObjective, ...]
    objectives: Mapping[str, str]
    focus: Mapping[str, str]
    traps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint:
    """A dated revision of one exam.

    ``facts`` holds the policy facts that are only shown (price, booking, retake,
    courses …), as the blueprint file states them.
    """

    code: str
    as_of: str
    title: str
    level: str
    minutes: int
    questions_min: int
    questions_max: int
    multiple_share: float
    domains: tuple[Domain, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def questions_usual(self) -> int:
        """The middle of the published range: how many questions a full form has."""
        return (self.questions_min + self.questions_max) // 2

    def domain(self, domain_id: str) -> Domain:
        """Return the domain with that id; ``KeyError`` if there is none."""
        for domain in self.domains:
            if domain.id == domain_id:
                return domain
        raise KeyError(domain_id)
