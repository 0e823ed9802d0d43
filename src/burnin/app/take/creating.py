"""From a wish for an exam to a form and the fixed terms of a sitting."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil

from burnin.app.errors import BadRequest, CannotAssemble
from burnin.app.pool import Bank, finished, pool, sound, without
from burnin.assembly import Infeasible, assemble
from burnin.domain.blueprint import Blueprint
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item
from burnin.domain.sitting import Conditions
from burnin.exam.render import Unresolved

MOST_QUESTIONS = 300
MOST_MINUTES = 24 * 60
MOST_EXTRA_PERCENT = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for. None means: as the real exam has it."""

    conditions: Conditions
    seed: int
    size: int | None = None
    minutes: int | None = None
    extra_time_percent: int = 0

    def check(self) -> None:
        """``BadRequest`` for a number out of range."""
        _within("Questions", self.size, 1, MOST_QUESTIONS)
        _within("Minutes", self.minutes, 1, MOST_MINUTES)
        _within("Extra time in percent", self.extra_time_percent, 0, MOST_EXTRA_PERCENT)
        if self.seed < 0:
            raise BadRequest("The seed must not be negative.")


def _within(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise BadRequest(f"{name} must lie between {low} and {high}, not {value}.")


def make_form(
    wish: Wish,
    blueprint: Blueprint,
    bank: Bank,
    history: Mapping[str, int],
    kept_back: Collection[str] = (),
) -> tuple[Form, tuple[RenderedItem, ...]]:
    """Assemble from the bank's items and generators; ``CannotAssemble`` says in words what the bank lacks.

    ``history`` maps items to times seen: those seen least come first. ``kept_back`` are
    those that an open exam asks: no practice may show them.
    """
    size = blueprint.questions_usual if wish.size is None else wish.size

    def make(items: Sequence[Item]) -> tuple[Form, tuple[RenderedItem, ...]]:
        return assemble(
            blueprint,
            items,
            bank,
            size=size,
            seed=wish.seed,
            bank_version=bank.version,
            history=history,
            finish=partial(finished, bank),
        )

    try:
        items = pool(bank, blueprint, wish.seed, computed=True)
        return sound(items if wish.conditions is Conditions.EXAM else without(items, kept_back), make)
    except (Infeasible, Unresolved) as error:
        raise CannotAssemble(f"No form can be made: {error}.") from error


def limit_ms(wish: Wish, form: Form) -> int | None:
    """The time allowed, accommodation included; None for a tutor sitting."""
    if wish.conditions is Conditions.TUTOR:
        return None
    minutes = form.minutes if wish.minutes is None else wish.minutes
    return ceil(Fraction(minutes * 60_000 * (100 + wish.extra_time_percent), 100))
