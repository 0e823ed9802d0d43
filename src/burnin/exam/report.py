"""What a finished sitting shows: score, interval, domains, items, and what it is evidence of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Conditions
from burnin.exam.scoring import Outcome, score
from burnin.exam.state import Phase, State

Z_95 = 1.959963984540054
"""The standard normal quantile of .975."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A 95 % Wilson score interval of a share, in percent.

    It says how far another draw of as many items might lie from this one.
    """

    low_percent: float
    high_percent: float
    level_percent: int = 95
    method: str = "Wilson"


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLine:
    """A domain's result beside its weight and the items it had in the form."""

    id: str
    title: str
    weight: int
    items: int
    earned: Fraction
    possible: Fraction
    percent: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """One item's result. ``first`` is the first complete selection, or the final one if none was."""

    number: int
    item: str
    domain: str
    outcome: Outcome
    earned: Fraction
    seconds: float
    first: frozenset[str]
    final: frozenset[str]
    first_earned: Fraction
    changed: bool
    flagged: bool
    revealed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A finished sitting. The pass mark is an assumption: the vendor publishes none."""

    sitting: str
    form: str
    exam: str
    title: str
    conditions: Conditions
    rule: str
    earned: Fraction
    possible: Fraction
    percent: float
    interval: Interval
    pass_mark_percent: Fraction
    passed: bool
    domains: tuple[DomainLine, ...]
    items: tuple[ItemLine, ...]
    unanswered: tuple[str, ...]
    incomplete: tuple[str, ...]
    first_earned: Fraction
    ended: Phase
    elapsed_ms: int
    away_ms: int
    limit_ms: int | None
    pauses: int
    interrupted: bool
    exam_evidence: bool


def wilson(earned: Fraction, possible: Fraction) -> Interval:
    """Return the 95 % Wilson score interval of ``earned / possible``, without continuity correction.

    ``ValueError`` unless 0 <= earned <= possible and possible > 0.
    Source: Wilson 1927, JASA 22:209-212; Newcombe 1998, Stat Med 17:857-872, method 3.
    """
    if not 0 <= earned <= possible or possible <= 0:
        raise ValueError(f"no share: {earned} of {possible}")
    n, share, square = float(possible), float(earned / possible), Z_95 * Z_95
    centre = share + square / (2 * n)
    spread = Z_95 * sqrt(share * (1 - share) / n + square / (4 * n * n))
    low = 0.0 if earned == 0 else (centre - spread) / (1 + square / n)
    high = 1.0 if earned == possible else (centre + spread) / (1 + square / n)
    return Interval(low_percent=100 * low, high_percent=100 * high)


def report(
    form: Form, items: Sequence[RenderedItem], state: State, *, pass_mark_percent: Fraction | float
) -> Report:
    """Score a finished sitting under the rule that its form names.

    ``ValueError`` if the sitting is still open, if it is of another form, if the pass
    mark is no percentage, or as ``score``.
    """
    # str() keeps the decimal that was typed: 72.1 is 721/10, not the nearest binary fraction.
    mark = Fraction(str(pass_mark_percent))
    if not 0 <= mark <= 100:
        raise ValueError(f"a pass mark of {pass_mark_percent} % is not between 0 and 100")
    if not state.over:
        raise ValueError(f"sitting {state.spec.id} is not over")
    if state.spec.form != form.id:
        raise ValueError(f"sitting {state.spec.id} is of form {state.spec.form}, not {form.id}")
    by_id = {item.id: item for item in items}
    final = score(form, items, state.answers, form.scoring_rule)
    firsts = {entry.item: _first(state, by_id[entry.item]) for entry in form.entries}
    first = score(form, items, firsts, form.scoring_rule)

    lines = tuple(
        ItemLine(
            number=number,
            item=line.item,
            domain=line.domain,
            outcome=line.outcome,
            earned=line.earned,
            seconds=state.item(line.item).ms / 1000,
            first=before.selected,
            final=line.selected,
            first_earned=before.earned,
            changed=bool(before.selected) and before.selected != line.selected,
            flagged=state.item(line.item).flagged,
            revealed=state.item(line.item).revealed,
        )
        for number, (line, before) in enumerate(zip(final.items, first.items, strict=True), start=1)
    )
    domains = tuple(
        DomainLine(
            id=domain.id,
            title=domain.title,
            weight=domain.weight,
            items=int(domain.possible),
            earned=domain.earned,
            possible=domain.possible,
            percent=float(100 * domain.earned / domain.possible) if domain.possible else None,
            interval=wilson(domain.earned, domain.possible) if domain.possible else None,
        )
        for domain in final.domains
    )
    return Report(
        sitting=state.spec.id,
        form=form.id,
        exam=form.exam,
        title=form.title,
        conditions=state.spec.conditions,
        rule=final.rule,
        earned=final.earned,
        possible=final.possible,
        percent=float(100 * final.earned / final.possible),
        interval=wilson(final.earned, final.possible),
        pass_mark_percent=mark,
        passed=100 * final.earned >= mark * final.possible,
        domains=domains,
        items=lines,
        unanswered=tuple(line.item for line in lines if line.outcome == "unanswered"),
        incomplete=tuple(line.item for line in lines if line.outcome == "incomplete"),
        first_earned=first.earned,
        ended=state.phase,
        elapsed_ms=state.used_ms,
        away_ms=state.away_ms,
        limit_ms=state.spec.limit_ms,
        pauses=state.pauses,
        interrupted=state.interrupted,
        exam_evidence=state.spec.conditions is Conditions.EXAM and not state.interrupted,
    )


def _first(state: State, item: RenderedItem) -> tuple[str, ...]:
    """The first selection with as many options as the item asks for, else the last one."""
    known = state.item(item.id)
    return next((s for s in known.history if len(s) == item.choose), known.answer)
