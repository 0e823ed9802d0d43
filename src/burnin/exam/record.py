"""What a sitting says about each of its items: the facts that practice and reports go by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from burnin.domain.exposure import exposed_as
from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions
from burnin.exam.forms import DIAGNOSTIC_RULE
from burnin.exam.scoring import Outcome, score
from burnin.exam.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One item in one sitting. ``misconceptions`` are those of the wrong options chosen.

    ``known_as`` is the same for all computed items of a generator. ``pace_seconds`` is
    the author's estimate.
    """

    sitting: str
    exam: str
    conditions: Conditions
    wall_ms: int
    item: str
    known_as: str
    domain: str
    objective: str
    outcome: Outcome
    seconds: float
    pace_seconds: int
    flagged: bool
    rating: str | None
    misconceptions: tuple[str, ...]
    difficulty: int = 3
    options: int = 4
    choose: int = 1

    @property
    def right(self) -> bool:
        """Whether the item earned its point."""
        return self.outcome == "right"

    @property
    def slow(self) -> bool:
        """Whether it took more than one and a half times the author's estimate."""
        return self.seconds > 1.5 * self.pace_seconds

    @property
    def unsure(self) -> bool:
        """Whether the learner said so."""
        return self.rating in ("unsure", "guess")


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingRecord:
    """A sitting as a whole. ``places`` are its items as (known_as, points earned), asked or not."""

    sitting: str
    form: str
    exam: str
    conditions: Conditions
    rule: str
    wall_ms: int
    over: bool
    interrupted: bool
    places: tuple[tuple[str, Fraction], ...]
    attempts: tuple[Attempt, ...]


def record(form: Form, items: Sequence[RenderedItem], state: State) -> SittingRecord:
    """Return what a sitting says. Errors as ``score``."""
    by_id = {item.id: item for item in items}
    lines = score(form, items, state.answers, form.scoring_rule).items
    return SittingRecord(
        sitting=state.spec.id,
        form=form.id,
        exam=form.exam,
        conditions=state.spec.conditions,
        rule=form.assembly_rule,
        wall_ms=state.spec.created.wall_ms,
        over=state.over,
        interrupted=state.interrupted,
        places=tuple((exposed_as(by_id[line.item]), line.earned) for line in lines),
        attempts=attempts(form, items, state),
    )


def attempts(form: Form, items: Sequence[RenderedItem], state: State) -> tuple[Attempt, ...]:
    """Return what is settled: every item that was looked at in a finished sitting.

    In an open one, and in a diagnostic, only the items whose reasons were shown, which
    fixes their answers.
    Errors as ``score``.
    """
    by_id = {item.id: item for item in items}
    found = []
    for line in score(form, items, state.answers, form.scoring_rule).items:
        known, item = state.item(line.item), by_id[line.item]
        looked_at = (known.seen > 0 or known.ms > 0) and form.assembly_rule != DIAGNOSTIC_RULE
        if not (known.revealed or (state.over and looked_at)):
            continue
        wrong = [o for o in item.options if o.id in line.selected and not o.correct]
        found.append(
            Attempt(
                sitting=state.spec.id,
                exam=form.exam,
                conditions=state.spec.conditions,
                wall_ms=state.spec.created.wall_ms,
                item=item.id,
                known_as=exposed_as(item),
                domain=line.domain,
                objective=item.objective,
                outcome=line.outcome,
                seconds=known.ms / 1000,
                pace_seconds=item.seconds,
                flagged=known.flagged,
                rating=known.rating,
                misconceptions=tuple(o.misconception.id for o in wrong if o.misconception is not None),
                difficulty=item.difficulty,
                options=len(item.options),
                choose=item.choose,
            )
        )
    return tuple(found)


def latest(all_attempts: Iterable[Attempt]) -> dict[str, Attempt]:
    """Return the last attempt at each item, by ``known_as``."""
    last: dict[str, Attempt] = {}
    for attempt in all_attempts:
        before = last.get(attempt.known_as)
        if before is None or attempt.wall_ms >= before.wall_ms:
            last[attempt.known_as] = attempt
    return last
