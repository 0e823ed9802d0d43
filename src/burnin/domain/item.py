"""A question as its author wrote it, and what it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where in a source a claim stands."""

    source: str
    locator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A paper or documentation page that claims are checked against."""

    id: str
    kind: str
    title: str
    publisher: str
    url: str
    seen: str
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misconception:
    """A named mistake with its remedy. A trap of a blueprint is one with that id."""

    id: str
    name: str
    belief: str
    why: str
    remedy: str
    sources: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """What a term is taken for, and the difference. ``term`` is a glossary id or plain words."""

    term: str
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A glossary entry: what a word means and what it gets confused with."""

    id: str
    term: str
    meaning: str
    confused_with: tuple[Confusion, ...]
    sources: tuple[Citation, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One thing that a demanding examiner could ask, and the items that ask it.

    ``objectives`` are written ``domain/objective``; ``items`` names static items and generators.
    """

    id: str
    exam: str
    fact: str
    objectives: tuple[str, ...]
    sources: tuple[Citation, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line or group of bars of a chart exhibit."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A table, a piece of text or a small chart that items may share."""

    id: str
    title: str
    kind: str  # table | code | chart
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    language: str = ""
    text: str = ""
    chart: str = ""  # line | bar
    x_label: str = ""
    x_values: tuple[str, ...] = ()
    y_label: str = ""
    series: tuple[Series, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer to choose, with the reason that belongs to it.

    ``flip`` says under what changed facts a wrong option would have been right.
    """

    id: str
    text: str
    reason: str
    correct: bool = False
    misconception: str | None = None
    flip: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A question: stem, options, key, objectives, sources.

    Objectives and focus points are written ``domain/id``; the primary objective
    decides the domain that the item counts for. ``explore`` names the explorer that shows
    the item's own numbers, with its knobs: ``pipeline?stages=4&micro_batches=8``. ``provenance`` says how a computed item
    was made; for one that somebody wrote it is empty.
    """

    id: str
    version: int
    exam: str
    objective: str
    official: str
    choose: int
    stem: str
    options: tuple[Option, ...]
    sources: tuple[Citation, ...]
    as_of: str
    secondary: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    scenario: bool = False
    steps: int = 1
    difficulty: int = 3
    seconds: int = 100
    exhibit: str | None = None
    family: str | None = None
    enemies: tuple[str, ...] = ()
    guide_says: str | None = None
    explore: str | None = None
    products: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """The domain id of the primary objective."""
        return self.objective.partition("/")[0]

    @property
    def key(self) -> frozenset[str]:
        """The ids of the right options."""
        return frozenset(option.id for option in self.options if option.correct)
