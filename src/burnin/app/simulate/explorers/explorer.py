"""An explorer: knobs, a model behind them, and what a page or a terminal shows of its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate.explorers.knobs import Group, Knob, Reading, Values, address, read, texts
from burnin.catalog import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text under heads. Columns named in ``numbers`` hold figures, in ``code`` formulas.

    ``links`` turns the first cell of a row into a link: the knobs that it changes.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    code: frozenset[int] = frozenset()
    links: tuple[Values | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A way to go on from here: words, and the knobs that it changes."""

    words: str
    values: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a model answers.

    ``answer`` is one or two sentences; ``verdict`` is ``good``, ``bad`` or empty.
    ``pictures`` are figures to draw, ``tables`` hold every number behind them,
    ``sums`` the formulas with their numbers and sources. ``command`` asks the same in a terminal.
    """

    answer: str
    pictures: tuple[Any, ...]
    tables: tuple[Table, ...]
    sums: tuple[Table, ...]
    command: str
    verdict: str = ""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named example: the knobs that differ from the defaults."""

    title: str
    values: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Explorer:
    """One model with knobs. ``groups`` may depend on what cards and models the catalogue holds."""

    name: str
    title: str
    lead: str
    terminal: str
    groups: Callable[[Catalog], tuple[Group, ...]]
    presets: tuple[Preset, ...]
    show: Callable[[Catalog, Values], View]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """One answer with all that a page needs around it.

    Where the knobs contradict each other there is no ``view`` and ``refusal`` says why.
    ``here`` and the presets' addresses are queries.
    """

    explorer: Explorer
    groups: tuple[Group, ...]
    reading: Reading
    view: View | None
    refusal: str
    here: str
    presets: tuple[tuple[str, str], ...]

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """All knobs in order."""
        return tuple(knob for group in self.groups for knob in group.knobs)

    def to(self, changed: Values) -> str:
        """Return the query of this place with some knobs changed."""
        return address(self.knobs, {**self.reading.values, **changed})


def explore(explorer: Explorer, catalog: Catalog, query: Mapping[str, str]) -> Explored:
    """Answer a query. Values that cannot be read are told, never raised.

    A preset that names a card or model which the catalogue lacks is left out.
    """
    groups = explorer.groups(catalog)
    knobs = tuple(knob for group in groups for knob in group.knobs)
    reading = read(knobs, query)
    view, refusal = None, ""
    try:
        view = explorer.show(catalog, reading.values)
    except BadRequest as error:
        refusal = sentence(str(error))
    defaults = {knob.name: knob.default for knob in knobs}
    return Explored(
        explorer=explorer,
        groups=groups,
        reading=reading,
        view=view,
        refusal=refusal,
        here=address(knobs, reading.values),
        presets=tuple(
            (preset.title, address(knobs, defaults | dict(preset.values)))
            for preset in explorer.presets
            if not read(knobs, texts(knobs, defaults | dict(preset.values))).faults
        ),
    )


def sentence(words: str) -> str:
    """Begin with a capital and end with a stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")
