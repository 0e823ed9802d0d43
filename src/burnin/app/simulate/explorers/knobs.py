"""What can be turned on a model: numbers and choices, read from an address and written into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

Values = Mapping[str, Any]
SHOWN_LETTERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number from the first to the last of ``stops``; a slider rests at each of them.

    Between stops every whole number can be typed, or any number where ``whole`` is false.
    """

    name: str
    label: str
    stops: tuple[float, ...]
    default: float
    whole: bool = True
    hint: str = ""

    @property
    def low(self) -> float:
        """The smallest value."""
        return self.stops[0]

    @property
    def high(self) -> float:
        """The largest value."""
        return self.stops[-1]

    @property
    def rests(self) -> tuple[str, ...]:
        """The stops as a field holds them."""
        return tuple(write(stop) for stop in self.stops)

    @property
    def kind(self) -> str:
        """What the number is, for people."""
        return "a whole number" if self.whole else "a number"

    def read(self, text: str) -> float | int:
        """Return the number a text holds; ValueError says in one sentence what is allowed."""
        allowed = f"{self.kind} from {write(self.low)} to {write(self.high)}"
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            raise ValueError(f"This is {allowed}, not “{_short(text)}”.") from None
        # A comparison with NaN is false, so NaN is outside too.
        if not self.low <= value <= self.high:
            raise ValueError(f"This is {allowed}; {_short(text)} is outside.")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of a few; ``options`` are (value, words)."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    default: str
    hint: str = ""

    def read(self, text: str) -> str:
        """Return the choice; ValueError where there is none of that name."""
        if text not in dict(self.options):
            raise ValueError(f"There is no “{_short(text)}” to choose here.")
        return text


Knob = Number | Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Knobs that belong together; ``folded`` ones open at a click."""

    title: str
    knobs: tuple[Knob, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An address read: a value for every knob, its text, and what is wrong with which.

    A knob whose text cannot be read has its default as value; a number keeps the text.
    """

    values: dict[str, Any]
    texts: dict[str, str]
    faults: dict[str, str]


def read(knobs: Iterable[Knob], query: Mapping[str, str]) -> Reading:
    """Read a query leniently: what is missing has its default, what is wrong is told and has it too."""
    values: dict[str, Any] = {}
    fields: dict[str, str] = {}
    faults: dict[str, str] = {}
    for knob in knobs:
        text = query.get(knob.name, "").strip()
        values[knob.name] = knob.default
        fields[knob.name] = text or _written(knob, knob.default)
        if not text:
            continue
        try:
            values[knob.name] = knob.read(text)
        except ValueError as error:
            shown = _written(knob, knob.default)
            if isinstance(knob, Choice):
                # A list cannot show what is not in it.
                fields[knob.name], shown = knob.default, dict(knob.options)[knob.default]
            faults[knob.name] = f"{error} Shown with {shown}."
    return Reading(values=values, texts=fields, faults=faults)


def texts(knobs: Iterable[Knob], values: Values) -> dict[str, str]:
    """Return what the fields of all knobs hold at these values."""
    return {knob.name: _written(knob, values[knob.name]) for knob in knobs}


def address(knobs: Iterable[Knob], values: Values) -> str:
    """Return the query that asks for these values, every knob in it."""
    return urlencode(texts(knobs, values))


def write(value: float) -> str:
    """Write a number without needless zeros.

    >>> write(4), write(2.50), write(131072)
    ('4', '2.5', '131072')
    """
    return str(int(value)) if value == int(value) else f"{value:.6g}"


def doubling(low: int, high: int) -> tuple[float, ...]:
    """Return powers of two times ``low`` up to ``high``.

    >>> doubling(1, 8)
    (1, 2, 4, 8)
    """
    stops = [low]
    while stops[-1] * 2 <= high:
        stops.append(stops[-1] * 2)
    return tuple(stops)


def _written(knob: Knob, value: Any) -> str:
    return write(value) if isinstance(knob, Number) else str(value)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "…"
