"""What a finished sitting teaches beyond its score: facts for the report, no words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from burnin.domain.exposure import exposed_as
from burnin.domain.form import Form, RenderedItem
from burnin.domain.sitting import Rating
from burnin.exam.error_class import CLASSES, ERROR_RULE, ErrorClass, error_class
from burnin.exam.next_actions import Action, next_actions
from burnin.exam.report import Interval, ItemLine, Report, report, wilson
from burnin.exam.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Some items' result: of an objective, an official objective or a level of confidence."""

    id: str
    text: str
    domain: str
    items: int
    earned: Fraction
    percent: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds an item. ``allowed`` is the sitting's time shared out evenly, None without a limit.

    ``slow`` are items over one and a half times the author's estimate, slowest first.
    """

    allowed: float | None
    median: float
    estimated: float
    slow: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Answers that were changed after a first complete selection, by what came of it."""

    helped: tuple[str, ...]
    hurt: tuple[str, ...]
    neither: tuple[str, ...]

    @property
    def net(self) -> int:
        """Points won by changing answers; negative where they were lost."""
        return len(self.helped) - len(self.hurt)


@dataclass(frozen=True, slots=True, kw_only=True)
class MisconceptionMet:
    """A named mistake behind chosen options, with the items where it was met."""

    id: str
    name: str
    remedy: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemInsight:
    """One item, complete enough for a row of an export."""

    line: ItemLine
    item: RenderedItem
    estimate_seconds: int
    rating: str | None
    error: ErrorClass | None
    misconceptions: tuple[str, ...]
    seen_before: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """All of it. ``confidence`` has a group for each level that was tapped, sure first.

    ``fresh`` is the result on the items that were not seen before, None if there is none.
    """

    report: Report
    items: tuple[ItemInsight, ...]
    objectives: tuple[Group, ...]
    official: tuple[Group, ...]
    pace: Pace
    changes: Changes
    confidence: tuple[Group, ...]
    unrated: int
    misconceptions: tuple[MisconceptionMet, ...]
    error_rule: str
    errors: dict[ErrorClass, tuple[str, ...]]
    seen_before: int
    fresh: Group | None
    actions: tuple[Action, ...]


def insight(
    form: Form,
    items: Sequence[RenderedItem],
    state: State,
    *,
    pass_mark_percent: Fraction | float,
    seen_before: Collection[str] = (),
) -> Insight:
    """Return what a finished sitting teaches. ``seen_before`` holds ``exposed_as`` names.

    Errors as ``report``.
    """
    made = report(form, items, state, pass_mark_percent=pass_mark_percent)
    by_id = {item.id: item for item in items}
    rows = tuple(_row(made, line, by_id[line.item], state, seen_before) for line in made.items)
    seconds = [row.line.seconds for row in rows]
    slow = [row for row in rows if row.line.seconds > 1.5 * row.estimate_seconds]
    fresh = [row for row in rows if not row.seen_before]
    errors: dict[ErrorClass, tuple[str, ...]] = {
        name: tuple(row.line.item for row in rows if row.error == name) for name in CLASSES
    }
    met = _misconceptions(rows)
    return Insight(
        report=made,
        items=rows,
        objectives=_groups(rows, lambda row: (row.item.objective, row.item.objective_text)),
        official=_groups(rows, lambda row: (row.item.official, row.item.official_text)),
        pace=Pace(
            allowed=None if made.limit_ms is None else made.limit_ms / 1000 / len(rows),
            median=median(seconds),
            estimated=sum(row.estimate_seconds for row in rows) / len(rows),
            slow=tuple(row.line.item for row in sorted(slow, key=lambda row: -row.line.seconds)),
        ),
        changes=_changes(rows),
        confidence=tuple(
            _group(level.value, level.value, "", [row for row in rows if row.rating == level])
            for level in Rating
            if any(row.rating == level for row in rows)
        ),
        unrated=sum(row.rating is None for row in rows),
        misconceptions=met,
        error_rule=ERROR_RULE,
        errors=errors,
        seen_before=len(rows) - len(fresh),
        fresh=_group("fresh", "", "", fresh) if fresh else None,
        actions=next_actions(
            made,
            errors=errors,
            misconceptions={one.id: one.items for one in met},
            shaky=[row.line.item for row in rows if row.line.earned == 1 and row.rating in _SHAKY],
        ),
    )


_SHAKY = (Rating.UNSURE, Rating.GUESS)


def _row(
    made: Report, line: ItemLine, item: RenderedItem, state: State, seen_before: Collection[str]
) -> ItemInsight:
    known = state.item(line.item)
    wrong = [o for o in item.options if o.id in line.final and not o.correct]
    return ItemInsight(
        line=line,
        item=item,
        estimate_seconds=item.seconds,
        rating=known.rating,
        error=error_class(made, line, item, known),
        misconceptions=tuple(o.misconception.id for o in wrong if o.misconception is not None),
        seen_before=exposed_as(item) in seen_before,
    )


def _groups(rows: Sequence[ItemInsight], key: Callable[[ItemInsight], tuple[str, str]]) -> tuple[Group, ...]:
    found: dict[tuple[str, str, str], list[ItemInsight]] = defaultdict(list)
    for row in rows:
        name, text = key(row)
        found[name, text, row.item.domain].append(row)
    return tuple(_group(*name, members) for name, members in sorted(found.items()))


def _group(name: str, text: str, domain: str, rows: Sequence[ItemInsight]) -> Group:
    earned, possible = sum((row.line.earned for row in rows), Fraction(0)), Fraction(len(rows))
    return Group(
        id=name,
        text=text,
        domain=domain,
        items=len(rows),
        earned=earned,
        percent=float(100 * earned / possible),
        interval=wilson(earned, possible),
    )


def _changes(rows: Sequence[ItemInsight]) -> Changes:
    changed = [row.line for row in rows if row.line.changed]
    return Changes(
        helped=tuple(line.item for line in changed if line.earned > line.first_earned),
        hurt=tuple(line.item for line in changed if line.earned < line.first_earned),
        neither=tuple(line.item for line in changed if line.earned == line.first_earned),
    )


def _misconceptions(rows: Sequence[ItemInsight]) -> tuple[MisconceptionMet, ...]:
    """Those met most first."""
    where: dict[str, list[str]] = defaultdict(list)
    named = {}
    for row in rows:
        for option in row.item.options:
            if option.misconception is not None and option.misconception.id in row.misconceptions:
                named[option.misconception.id] = option.misconception
        for name in dict.fromkeys(row.misconceptions):
            where[name].append(row.line.item)
    return tuple(
        MisconceptionMet(id=name, name=named[name].name, remedy=named[name].remedy, items=tuple(items))
        for name, items in sorted(where.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    )
