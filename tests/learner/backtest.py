"""Forecasts of people who do not share the model, against how they then sit an independent form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from burnin.assembly import Infeasible, assemble
from burnin.catalog import Catalog
from burnin.domain.blueprint import Blueprint
from burnin.domain.evidence import Evidence
from burnin.domain.form import Form, RenderedItem
from burnin.domain.item import Item
from burnin.domain.sitting import Conditions
from burnin.exam.forms import quotas
from burnin.exam.scoring import score
from burnin.learner.ability import Spread, belief
from burnin.learner.forecast import Change, Forecast, Sitting, forecast
from burnin.learner.weighing import weighed
from burnin.psychometrics.cold_start import ColdStart
from tests.learner.people import Kind, Person, World

DAY_MS = 86_400_000
START_MS = 1_790_000_000_000

Made = tuple[Form, tuple[RenderedItem, ...]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One learner: what was forecast and what came."""

    forecast: Forecast
    percent: float
    passed: bool


@dataclass(frozen=True, kw_only=True)
class Bank:
    """Forms from the real assembler: short ones to practise on and full ones to sit."""

    blueprint: Blueprint
    items: tuple[Item, ...]
    practice: tuple[Made, ...]
    full: tuple[Made, ...]


def bank(catalog: Catalog, exam: str, *, practice: int = 40, full: int = 20, size: int = 20) -> Bank:
    """Split the bank in two halves, one to practise on and one to sit, and draw forms of each."""
    blueprint = catalog.blueprints[exam]
    items = tuple(catalog.candidates(blueprint))
    order = sorted(np.random.default_rng(7).permutation(len(items)), key=lambda k: items[k].domain)
    halves = [[items[k] for k in order[part::2]] for part in (0, 1)]
    usual = _largest(blueprint, halves[1], catalog)

    def forms(pool: Sequence[Item], n: int, length: int, seed: int) -> tuple[Made, ...]:
        return tuple(
            assemble(blueprint, pool, catalog, size=length, seed=seed + k, bank_version="backtest")
            for k in range(n)
        )

    return Bank(
        blueprint=blueprint,
        items=items,
        practice=forms(halves[0], practice, size, 1000),
        full=forms(halves[1], full, usual, 5000),
    )


def _largest(blueprint: Blueprint, pool: Sequence[Item], catalog: Catalog) -> int:
    """Return the usual size of a form, or the largest in steps of five that half of the bank can fill."""
    for size in range(blueprint.questions_usual, 9, -5):
        try:
            assemble(blueprint, pool, catalog, size=size, seed=1, bank_version="backtest")
        except Infeasible:
            continue
        return size
    raise ValueError(f"half of the bank of {blueprint.code} fills no form")


def run(
    made: Bank,
    kind: Kind,
    n: int,
    seed: int,
    *,
    noise: float = 1.0,
    mark: float = 0.7,
    sessions: tuple[int, int] = (2, 7),
    lead: tuple[float, float] = (0.0, 21.0),
    spread: Spread | None = None,
    change: Change | None = None,
    strange: float | None = None,
    wrong_grades: bool = False,
    draws: int = 1000,
) -> list[Case]:
    """Let ``n`` people practise, forecast each, and let each sit a form of items never seen."""
    rng = np.random.default_rng(seed)
    worlds = [World(made.items, np.random.default_rng(seed * 31 + k), noise=noise) for k in range(100)]
    terms = _terms(made, mark, strange)
    grades = {item.id: item.difficulty for item in made.items}
    if wrong_grades:
        shuffled = rng.permutation([grades[item.id] for item in made.items])
        grades = {item.id: int(g) for item, g in zip(made.items, shuffled, strict=True)}
    cases = []
    for k in range(n):
        person = Person(world=worlds[k % len(worlds)], kind=kind, rng=np.random.default_rng([seed, k]))
        evidence = _practise(made, person, rng, int(rng.integers(sessions[0], sessions[1] + 1)), grades)
        if kind.crammer:
            person.cram()
            evidence += _practise(made, person, rng, 1, grades)
        wait = float(rng.uniform(*lead))
        now_ms = START_MS + round(person.day * DAY_MS)
        domains = [domain.id for domain in made.blueprint.domains]
        known = belief(weighed(evidence, now_ms), domains, spread=spread or Spread())
        told = forecast(known, terms, rng, weeks=wait / 7, change=change, draws=draws)
        person.wait(wait)
        form, items = made.full[int(rng.integers(len(made.full)))]
        answers = {item.id: person.answer(item.id)[0] for item in items}
        result = score(form, items, answers, form.scoring_rule)
        earned = sum(line.earned for line in result.items)
        percent = float(100 * earned / len(result.items))
        cases.append(Case(forecast=told, percent=percent, passed=percent >= 100 * mark - 1e-9))
    return cases


def _terms(made: Bank, mark: float, strange: float | None) -> Sitting:
    start = ColdStart()
    size = len(made.full[0][1])
    sitting = Sitting(
        quota=quotas({d.id: d.weight for d in made.blueprint.domains}, size),
        items={d.id: [start.of(i) for i in made.items if i.domain == d.id] for d in made.blueprint.domains},
        mark=mark,
    )
    return sitting if strange is None else replace(sitting, strange=strange)


def _practise(
    made: Bank, person: Person, rng: np.random.Generator, sessions: int, grades: dict[str, int]
) -> list[Evidence]:
    found: list[Evidence] = []
    for number in range(sessions):
        form, items = made.practice[int(rng.integers(len(made.practice)))]
        tutor = number % 2 == 1
        answers, guessed = {}, {}
        for item in items:
            answers[item.id], guessed[item.id] = person.answer(item.id)
            if tutor:
                person.read_reasons(item.id)
        lines = {line.item: line for line in score(form, items, answers, form.scoring_rule).items}
        for item in items:
            chosen = answers[item.id]
            found.append(
                Evidence(
                    subject=item.id,
                    sitting=f"{number} {form.id}",
                    exam=made.blueprint.code,
                    domain=item.domain,
                    objective=item.objective,
                    right=lines[item.id].outcome == "right",
                    at_ms=START_MS + round(person.day * DAY_MS),
                    conditions=Conditions.TUTOR if tutor else Conditions.TIMED,
                    difficulty=grades[item.id],
                    options=len(item.options),
                    choose=item.choose,
                    rating="guess" if guessed[item.id] and tutor else None,
                    misconceptions=tuple(
                        o.misconception.id for o in item.options if o.id in chosen and o.misconception
                    ),
                )
            )
        if not tutor:
            for item in items:
                person.read_reasons(item.id)
        person.wait(float(rng.uniform(1.0, 5.0)))
        person.study({int(d): 1.0 for d in rng.integers(len(person.world.domains), size=2)})
    return found


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """How far forecasts can be trusted. ``bins`` are (forecast, share passed, learners)."""

    n: int
    brier: float
    base: float
    ece: float
    coverage: float
    bias: float
    bins: tuple[tuple[float, float, int], ...]


def verdict(cases: Sequence[Case], bins: int = 10) -> Verdict:
    """Return Brier score (beside the base rate's), expected calibration error and coverage."""
    p = np.array([case.forecast.p_pass for case in cases])
    y = np.array([case.passed for case in cases], dtype=float)
    at = np.minimum((p * bins).astype(int), bins - 1)
    rows = [
        (float(p[at == b].mean()), float(y[at == b].mean()), int((at == b).sum()))
        for b in range(bins)
        if (at == b).any()
    ]
    inside = [c.forecast.score[0] - 1e-9 <= c.percent <= c.forecast.score[1] + 1e-9 for c in cases]
    return Verdict(
        n=len(cases),
        brier=float(((p - y) ** 2).mean()),
        base=float(y.mean() * (1 - y.mean())),
        ece=sum(n * abs(told - came) for told, came, n in rows) / len(cases),
        coverage=float(np.mean(inside)),
        bias=float(np.mean([c.forecast.score_mean - c.percent for c in cases])),
        bins=tuple(rows),
    )
