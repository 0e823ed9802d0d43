"""Find out which constraint makes a form impossible, and the nearest form that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from burnin.assembly.modelling import Task, Weights, draw
from burnin.assembly.refusals import Conflict, Infeasible, Nearest
from burnin.domain.item import Item
from burnin.exam.forms import quotas

# Only violations cost; the cheapest form is the nearest one.
VIOLATIONS = Weights(
    missing=1000.0,
    multiple=10.0,
    seen=10.0,
    minute=1.0,
    domain=0.0,
    official=0.0,
    objective=0.0,
    difficulty=0.0,
    exhibit=0.0,
    worth=0.0,
    chance=1e-3,
)


def explained(exam: str, task: Task) -> Infeasible:
    """Return the error for a task that has no solution."""
    assert task.quota is not None
    named = f"{exam}, {task.size} items" + (f" in each of {task.forms} forms" if task.forms > 1 else "")
    bare = _bare(task)
    conflicts = _scarce(bare) or _kept_apart(bare) or _wishes(task)
    heading = ", families and enemies apart" if conflicts[0].constraint == "apart" else ""
    nearest = _nearest(task)
    instead = _instead(task, nearest)
    return Infeasible(
        f"{named}{heading}: {'; '.join(_line(task, c) for c in conflicts)}{instead}",
        short=_short(conflicts),
        conflicts=tuple(conflicts),
        nearest=nearest,
    )


def _bare(task: Task) -> Task:
    """Only what is never given up: quotas, families and enemies."""
    return replace(
        task,
        multiple=None,
        seconds=None,
        seen_barred=False,
        seen={},
        worth={},
        difficulty={},
        weights=VIOLATIONS,
    )


def _solve(task: Task) -> tuple[tuple[Item, ...], ...] | None:
    drawn = draw(task, Random(0))  # noqa: S311  # any order among equals will do, but always the same
    return None if drawn is None else drawn.forms


def _scarce(task: Task) -> list[Conflict]:
    assert task.quota is not None
    have = Counter(item.domain for item in task.pool)
    return [
        Conflict(constraint="quota", asked=need * task.forms, possible=have[domain], domains=(domain,))
        for domain, need in task.quota.items()
        if need * task.forms > have[domain]
    ]


def _kept_apart(task: Task) -> list[Conflict]:
    assert task.quota is not None
    if _solve(task) is not None:
        return []
    found = []
    for domain, need in task.quota.items():
        alone = _only(task, {domain: need})
        drawn = draw(replace(alone, short_allowed=True), Random(0))  # noqa: S311
        lacking = drawn.lacking.get(domain, 0) if drawn is not None else need
        if lacking:
            asked = need * task.forms
            found.append(
                Conflict(constraint="apart", asked=asked, possible=asked - lacking, domains=(domain,))
            )
    if found:
        return found
    # Each domain can be filled alone; leave out those without which the others still cannot.
    mixed = dict(task.quota)
    for domain in task.quota:
        others = {d: n for d, n in mixed.items() if d != domain}
        if _solve(_only(task, others)) is None:
            mixed = others
    asked = sum(mixed.values()) * task.forms
    drawn = draw(replace(_only(task, mixed), short_allowed=True), Random(0))  # noqa: S311
    lacking = sum(drawn.lacking.values()) if drawn is not None else asked
    return [Conflict(constraint="apart", asked=asked, possible=asked - lacking, domains=tuple(mixed))]


def _only(task: Task, quota: Mapping[str, int]) -> Task:
    pool = [item for item in task.pool if item.domain in quota]
    apart = {item.id: task.apart[item.id] for item in pool}
    within = {item: frozenset(others & apart.keys()) for item, others in apart.items()}
    return replace(task, pool=pool, apart=within, quota=quota, size=sum(quota.values()))


def _wishes(task: Task) -> list[Conflict]:
    """Turn each exact demand into a price for missing it; those missed stand in the way.

    The price of a second is small beside that of an item, so that time gives way first:
    which demand is named when several rule each other out is a choice.
    """
    drawn = _solve(_softened(task))
    assert drawn is not None  # without demands the task was found to be possible
    found = []
    seconds = max(sum(item.seconds for item in form) for form in drawn)
    if task.seconds_firm and task.seconds is not None and seconds > task.seconds:
        found.append(Conflict(constraint="time", asked=task.seconds, possible=seconds))
    if task.multiple_firm and task.multiple is not None:
        for count in {sum(item.choose > 1 for item in form) for form in drawn} - {task.multiple}:
            found.append(Conflict(constraint="choose-n", asked=task.multiple, possible=count))
            break
    seen = [item for form in drawn for item in form if task.seen.get(item.id, 0)]
    if task.seen_barred and seen:
        domains = tuple(dict.fromkeys(item.domain for item in seen))
        asked = task.size * task.forms
        found.append(Conflict(constraint="unseen", asked=asked, possible=asked - len(seen), domains=domains))
    return found


def _softened(task: Task) -> Task:
    return replace(
        task,
        multiple=task.multiple if task.multiple_firm else None,
        multiple_firm=False,
        seconds=task.seconds if task.seconds_firm else None,
        seconds_firm=False,
        seen={i: min(1, n) for i, n in task.seen.items()} if task.seen_barred else {},
        seen_barred=False,
        difficulty={},
        worth={},
        weights=VIOLATIONS,
    )


def _nearest(task: Task) -> Nearest | None:
    """The same form with wishes relaxed; where items lack, fewer forms, then fewer items."""
    assert task.quota is not None
    drawn = _solve(_softened(task))
    if drawn is not None:
        return _as_nearest(task, drawn)
    for forms in range(task.forms - 1, 0, -1):
        fewer = _softened(replace(task, forms=forms))
        if not _scarce(fewer) and (drawn := _solve(fewer)) is not None:
            return _as_nearest(fewer, drawn)
    for size in range(task.size - 1, 0, -1):
        quota = quotas(task.shares, size)
        smaller = _softened(replace(task, forms=1, size=size, quota=quota))
        if not _scarce(smaller) and (drawn := _solve(smaller)) is not None:
            return _as_nearest(smaller, drawn)
    return None


def _as_nearest(task: Task, drawn: Sequence[Sequence[Item]]) -> Nearest:
    first = drawn[0]
    return Nearest(
        size=len(first),
        forms=len(drawn),
        seconds=sum(item.seconds for item in first),
        multiple=sum(item.choose > 1 for item in first),
        seen=sum(bool(task.seen.get(item.id, 0)) for item in first),
        items=tuple(item.id for item in first),
    )


def _short(conflicts: Sequence[Conflict]) -> dict[str, int]:
    short: dict[str, int] = {}
    for conflict in conflicts:
        if conflict.constraint in ("quota", "apart"):
            lacks = conflict.asked - conflict.possible if len(conflict.domains) == 1 else 0
            short |= dict.fromkeys(conflict.domains, lacks)
    return short


def _line(task: Task, conflict: Conflict) -> str:
    domain = ", ".join(conflict.domains)
    match conflict.constraint:
        case "quota":
            return f"{domain} needs {conflict.asked} items and has {conflict.possible}"
        case "apart" if len(conflict.domains) == 1:
            have = sum(item.domain == domain for item in task.pool)
            return (
                f"{domain} needs {conflict.asked} items, and of its {have} at most "
                f"{conflict.possible} can stand together"
            )
        case "apart":
            return f"{domain} take items from each other"
        case "time":
            return f"its items take {conflict.possible} s at the least, and {conflict.asked} s are allowed"
        case "choose-n":
            return f"{conflict.asked} choose-N items are asked for, and {conflict.possible} is the nearest number"
        case "unseen":
            return (
                f"only {conflict.possible} of {conflict.asked} items can be unseen; seen ones lie in {domain}"
            )


def _instead(task: Task, nearest: Nearest | None) -> str:
    if nearest is None:
        return ". No smaller form can be made either"
    if nearest.forms != task.forms:
        many = "one form" if nearest.forms == 1 else f"{nearest.forms} forms"
        return f". Possible: {many} of {nearest.size} items"
    if nearest.size != task.size:
        return f". The largest form that can be made has {nearest.size} items"
    return (
        f". Nearest: {nearest.size} items of {nearest.seconds} s, {nearest.multiple} of them choose-N, "
        f"{nearest.seen} seen before"
    )
