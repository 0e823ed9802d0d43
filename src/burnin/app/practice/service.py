"""Making practice sittings. They are taken, shown and scored like any other."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from burnin.app.clock import Clock
from burnin.app.errors import (
    BadRequest,
    CannotAssemble,
    Damaged,
    NotYet,
    UnknownExam,
    UnknownSitting,
)
from burnin.app.opening import open_sitting
from burnin.app.past import Past
from burnin.app.pool import Bank, finished, history, in_open_exams, pool, renumbered, sound, without
from burnin.app.storing import read
from burnin.assembly import assemble_set
from burnin.domain.blueprint import Blueprint
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item
from burnin.domain.sitting import Conditions
from burnin.exam.forms import REDO_RULE, again
from burnin.exam.render import Unresolved, render
from burnin.exam.selection import Selection, selected, unknown
from burnin.exam.sitting import BrokenLog, fold
from burnin.store import Store, StoreError, Unavailable, Unknown

MOST_QUESTIONS = 300
MOST_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """How many items a selection means, altogether and by domain (every domain is named).

    ``kept_back`` more are meant but stand in an open exam, and come back when it is over.
    """

    exam: str
    items: int
    by_domain: Mapping[str, int]
    kept_back: int = 0


class Practice:
    """Sittings in timed or tutor conditions; neither is ever exam-condition evidence."""

    def __init__(
        self,
        store: Store,
        bank: Bank,
        clock: Clock,
        past: Past,
        *,
        settle: Callable[[str], Awaitable[None]],
        new_id: Callable[[], str],
        new_seed: Callable[[], int],
    ) -> None:
        self._store = store
        self._bank = bank
        self._clock = clock
        self._past = past
        self._settle = settle
        self._new_id = new_id
        self._new_seed = new_seed

    async def matching(self, exam: str, selection: Selection, *, computed: bool = False) -> Matching:
        """Count what a selection means. Errors: ``UnknownExam``, ``BadRequest`` for an unknown name."""
        blueprint = self._blueprint(exam)
        items, kept_back = await self._selected(blueprint, selection, 0, computed)
        held = Counter(item.domain for item in items)
        return Matching(
            exam=blueprint.code,
            items=len(items),
            by_domain={domain.id: held[domain.id] for domain in blueprint.domains},
            kept_back=kept_back,
        )

    def mistakes(self, exam: str) -> Mapping[str, int]:
        """Count the questions that offer each misconception, computed ones as one of each generator.

        Errors: ``UnknownExam``.
        """
        return Counter(name for _, name in self._offers(exam))

    def mistakes_by_domain(self, exam: str) -> Mapping[str, frozenset[str]]:
        """Return the misconceptions that the questions of each domain offer. Errors: ``UnknownExam``."""
        found: dict[str, set[str]] = defaultdict(set)
        for domain, name in self._offers(exam):
            found[domain].add(name)
        return {domain: frozenset(names) for domain, names in found.items()}

    def _offers(self, exam: str) -> list[tuple[str, str]]:
        items = pool(self._bank, self._blueprint(exam), 0, computed=True)
        return [
            (item.domain, name)
            for item in items
            for name in {option.misconception for option in item.options}
            if name is not None
        ]

    async def create(
        self,
        exam: str,
        selection: Selection,
        *,
        conditions: Conditions,
        count: int = 20,
        minutes: int | None = None,
        computed: bool = False,
        seed: int | None = None,
    ) -> str:
        """Start a sitting on up to ``count`` of the items meant; return its id.

        Those seen least come first. With ``minutes`` no more are drawn than can be
        worked in that time, and timed conditions end with it; without, the exam's pace
        holds. ``computed`` adds one question of each generator, with new numbers. Errors:
        ``UnknownExam``, ``BadRequest``, ``CannotAssemble`` where no item is meant,
        ``CannotSave``.
        """
        _practice_only(conditions)
        _within("Questions", count, MOST_QUESTIONS)
        if minutes is not None:
            _within("Minutes", minutes, MOST_MINUTES)
        blueprint = self._blueprint(exam)
        number = self._new_seed() if seed is None else seed
        items, kept_back = await self._selected(blueprint, selection, number, computed)
        seen = await read(history, self._store, self._bank)
        bank = self._bank

        def make(meant: Sequence[Item]) -> tuple[Form, tuple[RenderedItem, ...]] | None:
            return assemble_set(
                blueprint,
                meant,
                bank,
                most=count,
                seed=number,
                bank_version=bank.version,
                history=seen,
                seconds=None if minutes is None else 60 * minutes,
                finish=partial(finished, bank),
            )

        try:
            made = await asyncio.to_thread(sound, items, make)
        except Unresolved as error:
            raise CannotAssemble(f"No practice set can be made: {error}.") from error
        if made is None:
            raise CannotAssemble(
                f"All {kept_back} questions meant stand in an open exam; they come back when it is over."
                if not items and kept_back
                else f"No question of {blueprint.code} is meant by that."
                if not items
                else f"None of the {len(items)} questions meant can be worked in {minutes} minutes."
            )
        form, shown = made
        return await self._open(form, shown, conditions, form.minutes if minutes is None else minutes)

    async def redo(self, sitting_id: str, *, conditions: Conditions, seed: int | None = None) -> str:
        """Start a sitting on the same questions, computed ones with new numbers; return its id.

        Questions and options stand in a new order. A question stands as it was asked
        then, whatever the bank says today; a computed one whose generator is gone keeps
        its numbers. Errors: ``UnknownSitting``, ``Damaged``, ``BadRequest``, ``CannotSave``;
        ``NotYet`` while the reasons of that sitting are still kept back.
        """
        _practice_only(conditions)
        number = self._new_seed() if seed is None else seed
        # A sitting whose time is up is over only once that is written down.
        await self._settle(sitting_id)
        form, items = await read(self._stored, sitting_id)
        fresh = await asyncio.to_thread(self._renumbered, form, items, number)
        rng = Random(number)  # noqa: S311  # an order that can be repeated, not a secret
        new_form, shown = again(form, fresh, rng=rng, seed=number, rule=REDO_RULE)
        return await self._open(new_form, shown, conditions, new_form.minutes)

    async def _open(
        self, form: Form, items: Sequence[RenderedItem], conditions: Conditions, minutes: int
    ) -> str:
        return await open_sitting(
            self._store,
            self._clock,
            self._new_id,
            form,
            items,
            conditions=conditions,
            limit_ms=None if conditions is Conditions.TUTOR else minutes * 60_000,
        )

    async def _selected(
        self, blueprint: Blueprint, selection: Selection, seed: int, computed: bool
    ) -> tuple[list[Item], int]:
        if wrong := unknown(selection, blueprint, self._bank.misconceptions):
            raise BadRequest("; ".join(wrong) + ".")
        last = await read(self._past.last, blueprint.code) if selection.by_history else {}
        # A twin may be of another domain than what is meant, so the whole pool is looked through.
        every = pool(self._bank, blueprint, seed, computed=True)
        allowed = {item.id for item in without(every, await read(in_open_exams, self._store))}
        meant = selected(
            selection, [item for item in every if computed or "generator" not in item.provenance], last
        )
        free = [item for item in meant if item.id in allowed]
        return free, len(meant) - len(free)

    def _stored(self, sitting_id: str) -> tuple[Form, tuple[RenderedItem, ...]]:
        try:
            spec = self._store.sittings.get(sitting_id)
        except Unknown as error:
            raise UnknownSitting(f"No sitting has the id {sitting_id!r}.") from error
        try:
            form, items = self._store.forms.get(spec.form)
            over = fold(spec, self._store.events.load(sitting_id)).over
        except Unavailable:
            raise
        except (StoreError, BrokenLog) as error:
            raise Damaged(f"Sitting {sitting_id} cannot be read: {error}") from error
        if not over and spec.conditions is not Conditions.TUTOR:
            # A twin with reasons at once would give away what this sitting keeps back.
            raise NotYet("The same questions can be asked again once this sitting is over.")
        return form, items

    def _renumbered(self, form: Form, items: Sequence[RenderedItem], seed: int) -> list[RenderedItem]:
        blueprint = self._bank.blueprints.get(form.exam)
        fresh = []
        for item in items:
            maker = item.provenance.get("generator")
            made = renumbered(self._bank, maker, seed) if maker is not None and blueprint else None
            if made is None or blueprint is None:
                fresh.append(item)
                continue
            try:
                fresh.append(render(made, blueprint, self._bank))
            except Unresolved:
                fresh.append(item)
        return fresh

    def _blueprint(self, exam: str) -> Blueprint:
        for code, blueprint in self._bank.blueprints.items():
            if code.casefold() == exam.strip().casefold():
                return blueprint
        known = ", ".join(sorted(self._bank.blueprints))
        raise UnknownExam(f"No exam has the code {exam!r}. Known: {known}.")


def _practice_only(conditions: Conditions) -> None:
    if conditions is Conditions.EXAM:
        raise BadRequest("Practice is timed or tutor; exam conditions belong to a whole form.")


def _within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise BadRequest(f"{name} must lie between 1 and {most}, not {value}.")
