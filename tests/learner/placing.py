"""People who do not share the model sit an adaptive placement: who is told of a lagging domain?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burnin.catalog import Catalog
from burnin.domain.evidence import Evidence
from burnin.domain.sitting import Conditions
from burnin.learner.ability import Belief, author_prior, belief
from burnin.learner.placement import Questions, next_question
from burnin.learner.weighing import weighed
from tests.learner.backtest import START_MS
from tests.learner.people import Kind, Person, World


@dataclass(frozen=True, kw_only=True)
class Placed:
    """One learner's placement. ``weak`` is the domain never worked in, if there is one."""

    weak: str | None
    lags: tuple[float, ...]
    asked: int
    belief: Belief


def place(catalog: Catalog, exam: str, kind: Kind, n: int, seed: int, *, most: int = 40) -> list[Placed]:
    """Let ``n`` people answer up to ``most`` questions that the placement chooses."""
    blueprint = catalog.blueprints[exam]
    items = tuple(catalog.candidates(blueprint))
    worlds = [World(items, np.random.default_rng(seed * 31 + k)) for k in range(20)]
    domains = [domain.id for domain in blueprint.domains]
    rows = {name: row for row, name in enumerate(domains)}
    entries = [
        Evidence(
            subject=item.id,
            sitting="placement",
            exam=exam,
            domain=item.domain,
            objective=item.objective,
            right=False,
            at_ms=START_MS,
            conditions=Conditions.TUTOR,
            difficulty=item.difficulty,
            options=len(item.options),
            choose=item.choose,
        )
        for item in items
    ]
    questions = Questions.of([author_prior(e) for e in entries], [rows[e.domain] for e in entries])
    found = []
    for k in range(n):
        person = Person(world=worlds[k % len(worlds)], kind=kind, rng=np.random.default_rng([seed, k]))
        answers: list[Evidence] = []
        asked: list[int] = []
        # A form holds a handful of each domain, drawn beforehand.
        drawn = _drawn(entries, np.random.default_rng([seed, k, 1]))
        pool = Questions(
            tuple(questions.priors[j] for j in drawn), questions.domain[drawn], questions.curves[drawn]
        )
        known = belief((), domains)
        while (chosen := next_question(known, pool, asked, most=most)) is not None:
            asked.append(chosen)
            entry = entries[drawn[chosen]]
            item = person.world.items[entry.subject]
            right = person.answer(item.id)[0] == item.key
            answers.append(_answered(entry, right))
            known = belief(weighed(answers, START_MS), domains)
        order = person.world.domains
        weakest = int(np.argmin(person.strength))
        weak = order[weakest] if person.strength[weakest] <= 0.05 else None
        found.append(
            Placed(
                weak=weak,
                lags=tuple(known.lags(row) for row in range(len(domains))),
                asked=len(asked),
                belief=known,
            )
        )
    return found


def _drawn(entries: list[Evidence], rng: np.random.Generator, each: int = 10) -> np.ndarray:
    found: list[int] = []
    for name in sorted({entry.domain for entry in entries}):
        mine = [k for k, entry in enumerate(entries) if entry.domain == name]
        found += rng.permutation(mine)[:each].tolist()
    return np.array(found)


def _answered(entry: Evidence, right: bool) -> Evidence:
    return Evidence(
        **{name: getattr(entry, name) for name in Evidence.__dataclass_fields__ if name != "right"},
        right=right,
    )
