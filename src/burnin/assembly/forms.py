"""From a pool to forms: exact quotas, what belongs apart, what was not seen yet, and a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor
from random import Random

from burnin.assembly.explaining import explained
from burnin.assembly.history import History, times_seen
from burnin.assembly.modelling import Task, Weights, difficulty_shares, draw
from burnin.assembly.terms import Terms
from burnin.domain.blueprint import Blueprint
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item
from burnin.domain.library import Library
from burnin.exam.apart import conflicts
from burnin.exam.forms import compose, minutes_for, quotas

ASSEMBLY_RULE = "mixed-integer/1"
PRACTICE_RULE = "practice-set/1"

Made = tuple[Form, tuple[RenderedItem, ...]]
Finish = Callable[[Item], Item]


def assemble(
    blueprint: Blueprint,
    pool: Sequence[Item],
    library: Library,
    *,
    size: int,
    seed: int,
    bank_version: str,
    history: History | None = None,
    finish: Finish | None = None,
) -> Made:
    """Draw a form of ``size`` items; the same arguments give the same form.

    Always: the blueprint's quotas by domain, families and enemies apart, items that
    share an exhibit side by side. As near as the pool allows, in this order: the
    blueprint's share of choose-N items, the items seen least by ``history`` (which maps
    ``exposed_as`` to times seen), an even spread over official objectives and
    objectives, the bank's mix of difficulty, the exam's time, exhibits that serve all
    their items. ``finish`` gives a drawn item its text where the pool's has none yet.
    ``Infeasible`` says what stands in the way and what could be made
    instead; ``ValueError`` for a size below 1 or an id that stands twice in the pool;
    ``Unresolved`` as ``exam.render``.
    """
    (made,) = assemble_parallel(
        blueprint,
        pool,
        library,
        terms=Terms(size=size),
        seed=seed,
        bank_version=bank_version,
        history=history,
        finish=finish,
    )
    return made


def assemble_parallel(
    blueprint: Blueprint,
    pool: Sequence[Item],
    library: Library,
    *,
    terms: Terms,
    seed: int,
    bank_version: str,
    history: History | None = None,
    worth: Mapping[str, float] | None = None,
    rule: str = ASSEMBLY_RULE,
    finish: Finish | None = None,
) -> tuple[Made, ...]:
    """Draw ``terms.forms`` forms that share no item, all of them at once.

    ``worth`` maps item ids to information where the bank is calibrated. Errors as
    ``assemble``.
    """
    quota = terms.quota
    if quota is None:
        quota = quotas({domain.id: domain.weight for domain in blueprint.domains}, terms.size)
    mine = _candidates(blueprint, pool, quota)
    task = _task(blueprint, mine, terms, quota, history or {}, worth or {})
    rng = Random(seed)  # noqa: S311  # a draw that can be repeated, not a secret
    drawn = draw(task, rng)
    if drawn is None:
        raise explained(blueprint.code, task)
    return tuple(
        compose(
            blueprint,
            _finished(items, finish),
            library,
            quota=quota,
            minutes=minutes_for(blueprint, terms.size),
            rng=rng,
            seed=seed,
            bank_version=bank_version,
            rule=rule,
        )
        for items in drawn.forms
    )


def assemble_set(
    blueprint: Blueprint,
    pool: Sequence[Item],
    library: Library,
    *,
    most: int,
    seed: int,
    bank_version: str,
    history: History | None = None,
    seconds: int | None = None,
    finish: Finish | None = None,
) -> Made | None:
    """Draw up to ``most`` items for practice, without quotas; None where the pool is empty.

    As many as families, enemies and the working time of ``seconds`` allow; the items seen
    least first, spread evenly over domains and objectives. The form's quotas are what
    was drawn. ``finish`` gives a drawn item its text where the pool's has none yet.
    """
    mine = _candidates(blueprint, pool, {domain.id: 1 for domain in blueprint.domains})
    task = Task(
        pool=mine,
        forms=1,
        size=most,
        quota=None,
        apart=conflicts(mine),
        seconds=seconds,
        seconds_firm=True,
        seen={item.id: times_seen(item, history or {}) for item in mine},
        short_allowed=True,
    )
    rng = Random(seed)  # noqa: S311  # a draw that can be repeated, not a secret
    drawn = draw(task, rng) if mine else None
    if drawn is None or not drawn.forms[0]:
        return None
    items = _finished(drawn.forms[0], finish)
    held = Counter(item.domain for item in items)
    return compose(
        blueprint,
        items,
        library,
        quota={domain.id: held[domain.id] for domain in blueprint.domains},
        minutes=minutes_for(blueprint, len(items)),
        rng=rng,
        seed=seed,
        bank_version=bank_version,
        rule=PRACTICE_RULE,
    )


def _candidates(blueprint: Blueprint, pool: Sequence[Item], quota: Mapping[str, int]) -> list[Item]:
    mine = sorted((i for i in pool if i.exam == blueprint.code and i.domain in quota), key=lambda i: i.id)
    if twice := [item for item, n in Counter(i.id for i in mine).items() if n > 1]:
        raise ValueError(f"items stand twice in the pool: {', '.join(twice)}")
    return mine


def _task(
    blueprint: Blueprint,
    mine: Sequence[Item],
    terms: Terms,
    quota: Mapping[str, int],
    history: History,
    worth: Mapping[str, float],
) -> Task:
    multiple, seconds = terms.multiple, terms.seconds
    if multiple is None:
        multiple = floor(Fraction(str(blueprint.multiple_share)) * terms.size + Fraction(1, 2))
    if seconds is None:
        seconds = 60 * minutes_for(blueprint, terms.size)
    known = [worth[item.id] for item in mine if item.id in worth]
    mean = sum(known) / len(known) if known else 0.0
    return Task(
        pool=mine,
        forms=terms.forms,
        size=terms.size,
        quota=quota,
        shares={domain.id: domain.weight for domain in blueprint.domains},
        apart=conflicts(mine),
        multiple=multiple,
        multiple_firm=terms.multiple is not None,
        seconds=seconds,
        seconds_firm=terms.seconds is not None,
        difficulty=difficulty_shares(mine, quota),
        seen={item.id: times_seen(item, history) for item in mine},
        seen_barred=terms.unseen_only,
        worth={item.id: worth[item.id] / mean for item in mine if item.id in worth} if mean > 0 else {},
        weights=Weights(),
    )


def _finished(items: Sequence[Item], finish: Finish | None) -> tuple[Item, ...]:
    return tuple(items) if finish is None else tuple(map(finish, items))
