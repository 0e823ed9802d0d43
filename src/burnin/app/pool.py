"""The items that a form may be drawn from: those in the bank, and one of each generator."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from burnin.app.errors import CannotAssemble
from burnin.domain.blueprint import Blueprint
from burnin.domain.exposure import exposed_as, exposures
from burnin.domain.generator import GeneratorWords
from burnin.domain.item import Item, Option
from burnin.domain.library import Library
from burnin.domain.sitting import Conditions

if TYPE_CHECKING:
    from burnin.store import Store

log = logging.getLogger("burnin.pool")


class Bank(Library, Protocol):
    """What sittings are made from."""

    @property
    def blueprints(self) -> Mapping[str, Blueprint]: ...

    @property
    def generators(self) -> Mapping[str, GeneratorWords]: ...

    @property
    def version(self) -> str: ...

    def candidates(self, blueprint: Blueprint) -> Sequence[Item]: ...


class NoQuestion(CannotAssemble):
    """A generator gives no question."""

    def __init__(self, generator: str) -> None:
        super().__init__(f"The generator {generator} gives no question.")
        self.generator = generator


T = TypeVar("T")


def sound(items: Sequence[Item], make: Callable[[Sequence[Item]], T]) -> T:
    """Return what ``make`` makes of the items, leaving out generators that give no question."""
    while True:
        try:
            return make(items)
        except NoQuestion as error:
            log.warning("%s It is left out.", error)
            items = [item for item in items if item.provenance.get("generator") != error.generator]


def pool(bank: Bank, blueprint: Blueprint, seed: int, *, computed: bool = False) -> list[Item]:
    """Return the bank's items for an exam and, where asked for, a place for one of each generator.

    A place has all that assembly goes by but no text; ``finished`` gives it its numbers
    once it is drawn.
    """
    items = list(bank.candidates(blueprint))
    if computed:
        domains = {domain.id for domain in blueprint.domains}
        items += [
            _place(words, seed)
            for words in bank.generators.values()
            if words.exam == blueprint.code and words.domain in domains
        ]
    return items


def _place(words: GeneratorWords, seed: int) -> Item:
    return Item(
        id=f"{words.id}-{seed}",
        version=words.version,
        exam=words.exam,
        objective=words.objective,
        secondary=words.secondary,
        focus=words.focus,
        official=words.official,
        choose=1,
        stem="",
        options=tuple(
            Option(id=slip.misconception, text="", reason="", misconception=slip.misconception)
            for slip in words.slips
        ),
        sources=words.sources,
        as_of=words.as_of,
        scenario=words.scenario,
        steps=words.steps,
        difficulty=words.difficulty,
        seconds=words.seconds,
        family=words.family or words.id,
        provenance={"generator": words.id, "seed": str(seed)},
    )


def finished(bank: Bank, item: Item) -> Item:
    """Return a drawn item with its text. ``NoQuestion`` where a generator gives none."""
    if item.stem:
        return item
    made = renumbered(bank, item.provenance["generator"], int(item.provenance["seed"]))
    if made is None:
        raise NoQuestion(item.provenance["generator"])
    return made


def renumbered(bank: Bank, generator: str, seed: int) -> Item | None:
    """Return a generator's item with a seed's numbers, or None where it is gone or gives none."""
    # The models behind the numbers need numpy, which the first page does without.
    from burnin.app.computing import computed
    from burnin.itemgen import CannotMake

    words = bank.generators.get(generator)
    if words is None:
        return None
    try:
        return computed(words, seed)
    except CannotMake as error:
        log.warning("%s", error)
        return None


def in_open_exams(store: Store) -> frozenset[str]:
    """Return what open sittings in exam conditions ask, by ``exposed_as``. Reads the store: call it in a thread.

    Practice that served it would give away, with reasons, what such a sitting keeps back.
    """
    from burnin.store import StoreError, Unavailable

    found: set[str] = set()
    for sitting in store.sittings.open_ids():
        try:
            spec = store.sittings.get(sitting)
            if spec.conditions is Conditions.EXAM:
                found.update(exposed_as(item) for item in store.forms.get(spec.form)[1])
        except Unavailable:
            raise
        except StoreError:
            continue  # a damaged sitting cannot go on; its own page tells
    return frozenset(found)


def without(items: Sequence[Item], asked: Collection[str]) -> list[Item]:
    """Return the items that are neither asked, by ``exposed_as``, nor share family or exhibit with one that is.

    What is shared is looked up among ``items``: give the whole pool, and choose from what is left.
    """
    hot = [item for item in items if exposed_as(item) in asked]
    families = {item.family for item in hot if item.family}
    exhibits = {item.exhibit for item in hot if item.exhibit}
    return [
        item
        for item in items
        if exposed_as(item) not in asked and item.family not in families and item.exhibit not in exhibits
    ]


def history(store: Store, bank: Bank) -> dict[str, int]:
    """Return how often each item was seen, by ``exposed_as``. Reads the store: call it in a thread."""
    return exposures(store.events.seen(), bank.generators)
