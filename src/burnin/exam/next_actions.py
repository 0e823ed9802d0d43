"""Three things to do next, the one that may win most of the exam first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from burnin.exam.error_class import ErrorClass
from burnin.exam.report import Report
from burnin.exam.selection import Selection

MANY = 3

Kind = Literal["domain", "misconception", "pace", "reading", "shaky", "new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to practise. ``points`` are the percentage points of the exam that it is about.

    ``subject`` is a domain or misconception id, else empty; ``items`` are those of this
    sitting that speak for it. ``selection`` is the practice set to make; ``timed`` says
    that it is for a clock.
    """

    kind: Kind
    subject: str
    points: float
    items: tuple[str, ...]
    selection: Selection
    timed: bool = False


def next_actions(
    made: Report,
    *,
    errors: Mapping[ErrorClass, Sequence[str]],
    misconceptions: Mapping[str, Sequence[str]],
    shaky: Sequence[str],
) -> tuple[Action, ...]:
    """Return three actions, fewer only where a sitting gives no reason for more.

    A domain is worth its weight times the share lost in it; what is about single items is
    worth their share of the form. The best of each kind goes before a second of any. A
    perfect, sure sitting leads to questions that were not seen yet.
    """
    size = len(made.items)
    whole = sum(domain.weight for domain in made.domains)

    def worth(items: Sequence[str]) -> float:
        return 100 * len(items) / size

    found = []
    for domain in made.domains:
        lost = tuple(line.item for line in made.items if line.domain == domain.id and line.earned < 1)
        if lost and domain.percent is not None:
            points = domain.weight / whole * (100 - domain.percent)
            wish = Selection(domains=(domain.id,))
            found.append(_action("domain", domain.id, points, lost, wish))
    for name, items in misconceptions.items():
        wish = Selection(misconceptions=(name,))
        found.append(_action("misconception", name, worth(items), items, wish))
    if errors["time"]:
        wish = Selection(slow=True, unseen=True)
        found.append(_action("pace", "", worth(errors["time"]), errors["time"], wish, timed=True))
    if errors["misread"]:
        found.append(
            _action("reading", "", worth(errors["misread"]), errors["misread"], Selection(missed=True))
        )
    if shaky:
        # A right answer that was not sure is worth half a point: the next time it may be wrong.
        found.append(_action("shaky", "", worth(shaky) / 2, shaky, Selection(unsure=True)))
    found.sort(key=lambda action: -action.points)
    best = {action.kind: action for action in reversed(found)}
    firsts = [action for action in found if best[action.kind] is action]
    rest = [action for action in found if best[action.kind] is not action]
    chosen = [*firsts, *rest][:MANY]
    if not chosen:
        return (_action("new", "", 0.0, (), Selection(unseen=True)),)
    return tuple(sorted(chosen, key=lambda action: -action.points))


def _action(
    kind: Kind,
    subject: str,
    points: float,
    items: Sequence[str],
    selection: Selection,
    *,
    timed: bool = False,
) -> Action:
    return Action(
        kind=kind,
        subject=subject,
        points=points,
        items=tuple(items),
        selection=selection,
        timed=timed,
    )
