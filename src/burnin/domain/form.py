"""The items of one sitting, as stored: rendered, addressed by content hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burnin.domain.item import Exhibit


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedSource:
    """A citation with everything needed to show it without the catalogue."""

    id: str
    title: str
    publisher: str
    url: str
    locator: str
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMisconception:
    """A named mistake as it read when the form was made."""

    id: str
    name: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedOption:
    """An option with its reason, as it read when the form was made."""

    id: str
    text: str
    correct: bool
    reason: str
    misconception: RenderedMisconception | None = None
    flip: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedItem:
    """A complete item that needs no catalogue to be asked, scored or explained."""

    id: str
    version: int
    exam: str
    domain: str
    domain_title: str
    objective: str
    objective_text: str
    official: str
    official_text: str
    choose: int
    stem: str
    options: tuple[RenderedOption, ...]
    sources: tuple[RenderedSource, ...]
    as_of: str
    scenario: bool
    difficulty: int
    seconds: int
    exhibit: Exhibit | None = None
    guide_says: str | None = None
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> frozenset[str]:
        """The ids of the right options."""
        return frozenset(option.id for option in self.options if option.correct)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOption:
    """An option without key, reason or flip point."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedItem:
    """An item as it may leave the server before submission: no key, no reasons."""

    id: str
    choose: int
    stem: str
    options: tuple[AskedOption, ...]
    exhibit: Exhibit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormEntry:
    """One place in a form. ``options`` is the order in which they are shown, by id."""

    item: str
    hash: str
    domain: str
    choose: int
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDomain:
    """A domain's share in a form, as its blueprint revision had it."""

    id: str
    title: str
    weight: int
    quota: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The items of one sitting. ``id`` is the hash of everything else in it."""

    id: str
    exam: str
    title: str
    revision: str
    minutes: int
    seed: int
    bank_version: str
    assembly_rule: str
    scoring_rule: str
    domains: tuple[FormDomain, ...]
    entries: tuple[FormEntry, ...]


def asked(item: RenderedItem, order: tuple[str, ...]) -> AskedItem:
    """Strip an item of key, reasons, flip points and sources.

    ``order`` lists the option ids as shown; ``KeyError`` if it names an unknown one.
    """
    texts = {option.id: option.text for option in item.options}
    return AskedItem(
        id=item.id,
        choose=item.choose,
        stem=item.stem,
        options=tuple(AskedOption(id=option_id, text=texts[option_id]) for option_id in order),
        exhibit=item.exhibit,
    )
