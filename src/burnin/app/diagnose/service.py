"""Choosing the next question, and saying where to start."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TYPE_CHECKING

from burnin.app.clock import Clock
from burnin.app.diagnose.views import DiagnosticResult, DomainStart, Step
from burnin.app.errors import (
    BadRequest,
    CannotAssemble,
    Damaged,
    NotYet,
    UnknownExam,
    UnknownSitting,
)
from burnin.app.opening import open_sitting
from burnin.app.pool import Bank, history, in_open_exams, pool, without
from burnin.app.storing import read
from burnin.assembly import Infeasible, Terms, assemble_parallel
from burnin.domain.blueprint import Blueprint
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item
from burnin.domain.sitting import Conditions, EventKind
from burnin.exam.forms import DIAGNOSTIC_RULE
from burnin.exam.render import Unresolved
from burnin.exam.scoring import score
from burnin.exam.sitting import BrokenLog, Command, State, fold
from burnin.store import Store, StoreError, Unavailable, Unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from burnin.psychometrics.adaptive import Belief, Pool
    from burnin.psychometrics.curves import Items

EACH = 4
"""How many questions of a domain lie ready; two are asked at most of all but the heaviest."""

FEWEST, MOST = 10, 15
ENOUGH_SE = 0.45
LEVEL = 0.8


class Diagnose:
    """A diagnostic is a tutor sitting on a form that holds more than will be asked.

    Which question comes next follows from the answers fixed so far and from nothing else,
    so that it survives any interruption. An answer is fixed by showing the reasons.
    """

    def __init__(
        self,
        store: Store,
        bank: Bank,
        clock: Clock,
        *,
        act: Callable[[str, Command], Awaitable[object]],
        new_id: Callable[[], str],
        new_seed: Callable[[], int],
    ) -> None:
        self._store = store
        self._bank = bank
        self._clock = clock
        self._act = act
        self._new_id = new_id
        self._new_seed = new_seed

    async def start(self, exam: str, *, seed: int | None = None) -> str:
        """Start a diagnostic; return the sitting's id.

        Errors: ``UnknownExam``, ``CannotAssemble``, ``CannotSave``.
        """
        blueprint = self._blueprint(exam)
        number = self._new_seed() if seed is None else seed
        seen = await read(history, self._store, self._bank)
        kept_back = await read(in_open_exams, self._store)
        form, items = await asyncio.to_thread(self._form, blueprint, number, seen, kept_back)
        return await open_sitting(
            self._store,
            self._clock,
            self._new_id,
            form,
            items,
            conditions=Conditions.TUTOR,
            limit_ms=None,
        )

    async def step(self, sitting_id: str) -> Step:
        """Say which question comes next, and turn the sitting to it.

        Errors: ``UnknownSitting``, ``BadRequest`` if it is no diagnostic, ``CannotSave``.
        """
        form, items, state = await read(self._stored, sitting_id)
        step = await asyncio.to_thread(_step, form, items, state)
        if step.item is None and not state.over:
            await self._do(sitting_id, Command("server:diagnosed", EventKind.SUBMITTED))
        elif step.item is not None and state.current != step.item:
            turn = Command(f"server:turn:{state.version}", EventKind.MOVED, step.item)
            await self._do(sitting_id, turn)
        return step

    async def answer(self, sitting_id: str, item: str, options: Sequence[str], *, client_id: str) -> Step:
        """Fix the answer to the present question, none for "I do not know"; say what comes next.

        Sent again with the same client id it changes nothing. Errors as ``step``;
        ``BadRequest`` for an answer that the sitting refuses.
        """
        if options:
            await self._do(
                sitting_id, Command(f"{client_id}:answer", EventKind.ANSWERED, item, tuple(options))
            )
        await self._do(sitting_id, Command(f"{client_id}:fix", EventKind.REVEALED, item))
        return await self.step(sitting_id)

    async def result(self, sitting_id: str) -> DiagnosticResult:
        """Say where to start. Errors as ``step``; ``NotYet`` while questions are left to ask."""
        form, items, state = await read(self._stored, sitting_id)
        return await asyncio.to_thread(self._result, form, items, state)

    async def _do(self, sitting_id: str, command: Command) -> None:
        ack = await self._act(sitting_id, command)
        if not getattr(ack, "ok", False) and getattr(ack, "code", None) not in ("revealed", "over"):
            raise BadRequest(str(getattr(ack, "message", "The answer was refused.")))

    def _form(
        self, blueprint: Blueprint, seed: int, seen: dict[str, int], kept_back: Collection[str]
    ) -> tuple[Form, tuple[RenderedItem, ...]]:
        items = without(pool(self._bank, blueprint, seed), kept_back)
        held = Counter(item.domain for item in items)
        refusal: Exception | None = None
        for each in range(EACH, 0, -1):
            quota = {domain.id: min(each, held[domain.id]) for domain in blueprint.domains}
            if not any(quota.values()):
                break
            try:
                (made,) = assemble_parallel(
                    blueprint,
                    items,
                    self._bank,
                    terms=Terms(size=sum(quota.values()), quota=quota),
                    seed=seed,
                    bank_version=self._bank.version,
                    history=seen,
                    rule=DIAGNOSTIC_RULE,
                )
            except Infeasible as error:
                refusal = error
                continue
            except Unresolved as error:
                raise CannotAssemble(f"No diagnostic can be made: {error}.") from error
            return made
        raise CannotAssemble(f"No diagnostic of {blueprint.code} can be made.") from refusal

    def _stored(self, sitting_id: str) -> tuple[Form, tuple[RenderedItem, ...], State]:
        try:
            spec = self._store.sittings.get(sitting_id)
        except Unknown as error:
            raise UnknownSitting(f"No sitting has the id {sitting_id!r}.") from error
        try:
            form, items = self._store.forms.get(spec.form)
            state = fold(spec, self._store.events.load(sitting_id))
        except Unavailable:
            raise
        except (StoreError, BrokenLog) as error:
            raise Damaged(f"Sitting {sitting_id} cannot be read: {error}") from error
        if form.assembly_rule != DIAGNOSTIC_RULE:
            raise BadRequest("That sitting is no diagnostic.")
        return form, items, state

    def _result(self, form: Form, items: tuple[RenderedItem, ...], state: State) -> DiagnosticResult:
        from burnin.psychometrics.domains import domain_abilities

        drawn, belief, fixed = _belief(form, items, state)
        if not state.over and _next(drawn, belief) is not None:
            raise NotYet("The diagnostic is not finished.")
        places = {domain.id: n for n, domain in enumerate(form.domains)}
        where = [places[entry.domain] for entry in form.entries]
        asked = sorted(fixed)
        ability = domain_abilities(
            drawn.items.take(_index(asked)),
            [where[n] for n in asked],
            [fixed[n] for n in asked],
            len(form.domains),
        )
        whole = sum(domain.weight for domain in form.domains)
        bank = self._by_domain(form)
        lines = []
        for n, domain in enumerate(form.domains):
            if domain.id not in bank:
                continue
            mean, low, high = ability.percent(n, bank[domain.id], level=LEVEL)
            mine = [fixed[k] for k in asked if where[k] == n]
            lines.append(
                DomainStart(
                    id=domain.id,
                    title=domain.title,
                    weight=domain.weight,
                    asked=len(mine),
                    right=sum(mine),
                    mean_percent=mean,
                    low_percent=low,
                    high_percent=high,
                    open_points=domain.weight / whole * (100 - mean),
                )
            )
        lines.sort(key=lambda line: -line.open_points)
        return DiagnosticResult(
            sitting=state.spec.id,
            exam=form.exam,
            asked=len(asked),
            right=sum(fixed.values()),
            theta=belief.theta,
            se=belief.se,
            level_percent=round(100 * LEVEL),
            clear=_clear(lines, whole),
            domains=tuple(lines),
        )

    def _by_domain(self, form: Form) -> dict[str, Items]:
        """The bank's items of each domain of the form, as their authors' grades have them."""
        blueprint = self._blueprint(form.exam)
        grouped: dict[str, list[Item]] = {}
        for item in self._bank.candidates(blueprint):
            grouped.setdefault(item.domain, []).append(item)
        return {domain: _items([_facts(i) for i in mine]) for domain, mine in grouped.items()}

    def _blueprint(self, exam: str) -> Blueprint:
        for code, blueprint in self._bank.blueprints.items():
            if code.casefold() == exam.strip().casefold():
                return blueprint
        known = ", ".join(sorted(self._bank.blueprints))
        raise UnknownExam(f"No exam has the code {exam!r}. Known: {known}.")


def _facts(item: Item | RenderedItem) -> tuple[int, int, int]:
    return item.difficulty, len(item.options), item.choose


def _items(facts: Sequence[tuple[int, int, int]]) -> Items:
    from burnin.psychometrics.cold_start import ColdStart
    from burnin.psychometrics.domains import blurred

    start = ColdStart()
    return blurred([start.prior(difficulty=d, options=n, choose=c) for d, n, c in facts])


def _index(places: Sequence[int]) -> NDArray[np.intp]:
    import numpy as np

    return np.array(places, dtype=np.intp)


def _belief(form: Form, items: Sequence[RenderedItem], state: State) -> tuple[Pool, Belief, dict[int, bool]]:
    """The form's items as a pool, what their fixed answers say, and which were right, by place."""
    from burnin.psychometrics.adaptive import Pool

    places = {domain.id: n for n, domain in enumerate(form.domains)}
    held = {entry.domain for entry in form.entries}
    # Every domain has the same share: the diagnostic looks everywhere before it looks again.
    drawn = Pool.of(
        _items([_facts(item) for item in items]),
        [places[entry.domain] for entry in form.entries],
        [1.0 if domain.id in held else 0.0 for domain in form.domains],
    )
    scores = score(form, items, state.answers, form.scoring_rule).items
    fixed = {n: line.outcome == "right" for n, line in enumerate(scores) if state.item(line.item).revealed}
    belief = drawn.begin()
    for place, right in fixed.items():
        belief = drawn.answered(belief, place, right=right)
    return drawn, belief, fixed


def _next(drawn: Pool, belief: Belief) -> int | None:
    asked = len(belief.asked)
    if asked >= MOST or (asked >= FEWEST and belief.se < ENOUGH_SE):
        return None
    return drawn.choose(belief)


def _step(form: Form, items: Sequence[RenderedItem], state: State) -> Step:
    drawn, belief, fixed = _belief(form, items, state)
    place = None if state.over else _next(drawn, belief)
    return Step(
        sitting=state.spec.id,
        exam=form.exam,
        asked=len(fixed),
        fewest=min(FEWEST, len(form.entries)),
        most=min(MOST, len(form.entries)),
        number=None if place is None else place + 1,
        item=None if place is None else form.entries[place].item,
    )


def _clear(lines: Sequence[DomainStart], whole: int) -> bool:
    if not lines:
        return False
    average = sum(line.open_points for line in lines) / len(lines)
    first = lines[0]
    return first.weight / whole * (100 - first.high_percent) > average
