"""Learners who do not share burnin's model of them.

They know facets of objectives, or do not; what they know fades by half-lives of its own;
they hold misconceptions, eliminate options they can refute, guess among the rest, and
learn from reasons and from study. There is no ability scale and no item curve here, and
nothing is imported from ``psychometrics`` or ``learner``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from burnin.domain.item import Item

FACETS = 6
"""Facets of an objective."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A population. Shares are of learners or of facets; times are days."""

    start: tuple[float, float] = (0.25, 0.85)
    uneven: float = 0.12
    blind: float = 0.08
    slip: float = 0.05
    refutes: tuple[float, float] = (0.1, 0.5)
    half_life: tuple[float, float] = (20.0, 400.0)
    learns: float = 0.35
    study: float = 0.12
    holds: float = 0.35
    guesser: bool = False
    crammer: bool = False


class World:
    """Items with the facets that they take. ``noise`` blurs how well authors grade difficulty."""

    def __init__(self, items: Sequence[Item], rng: np.random.Generator, *, noise: float = 1.0) -> None:
        self.items = {item.id: item for item in items}
        objectives = sorted({item.objective for item in items})
        place = {name: k for k, name in enumerate(objectives)}
        self.domains = sorted({item.domain for item in items})
        self.domain_of_facet = np.repeat(
            [self.domains.index(o.partition("/")[0]) for o in objectives], FACETS
        )
        # How well known a facet is among people who work in its domain.
        self.fame = np.clip(rng.normal(0.0, 0.22, len(self.domain_of_facet)), -0.5, 0.5)
        self.facets: dict[str, np.ndarray] = {}
        for item in items:
            first = place[item.objective] * FACETS
            order = np.argsort(-self.fame[first : first + FACETS])
            wanted = (item.difficulty - 1) / 4 * (FACETS - 1) + rng.normal(0.0, noise)
            at = int(np.clip(round(wanted), 0, FACETS - 1))
            count = 1 + (item.steps > 2) + (item.difficulty > 4)
            near = np.argsort(np.abs(np.arange(FACETS) - at), kind="stable")[:count]
            self.facets[item.id] = first + order[near]


@dataclass
class Person:
    """One learner in a world, at a day."""

    world: World
    kind: Kind
    rng: np.random.Generator
    day: float = 0.0
    strength: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        world, kind, rng = self.world, self.kind, self.rng
        base = rng.uniform(*kind.start)
        self.strength = np.clip(base + rng.normal(0.0, kind.uneven, len(world.domains)), 0.02, 0.98)
        if rng.random() < kind.blind:
            self.strength[rng.integers(len(world.domains))] = 0.05
        chance = np.clip(self.strength[world.domain_of_facet] + world.fame, 0.02, 0.98)
        self.known = rng.random(len(chance)) < chance
        self.half_life = np.exp(rng.uniform(*np.log(kind.half_life), len(chance)))
        self.touched = np.full(len(chance), self.day) - rng.exponential(5.0, len(chance))
        self.refutes = rng.uniform(*kind.refutes)
        self.beliefs: dict[str, bool] = {}

    def wait(self, days: float) -> None:
        """Time passes."""
        self.day += days

    def study(self, hours_a_domain: Mapping[int, float]) -> None:
        """Learn some facets of the domains studied, and refresh known ones."""
        for domain, hours in hours_a_domain.items():
            mine = self.world.domain_of_facet == domain
            learnt = mine & (self.rng.random(len(mine)) < 1.0 - np.exp(-self.kind.study * hours))
            self._learn(learnt)

    def cram(self) -> None:
        """Learn a fifth of everything for three days."""
        learnt = ~self.known & (self.rng.random(len(self.known)) < 0.2)
        self.known |= learnt
        self.touched[learnt] = self.day
        self.half_life[learnt] = 3.0

    def answer(self, item_id: str) -> tuple[frozenset[str], bool]:
        """Choose options; return them and whether it was a guess."""
        item, rng = self.world.items[item_id], self.rng
        facets = self.world.facets[item_id]
        recalled = self.known[facets] & (
            rng.random(len(facets)) < 2.0 ** (-(self.day - self.touched[facets]) / self.half_life[facets])
        )
        if not self.kind.guesser and recalled.all() and rng.random() > self.kind.slip:
            self.touched[facets] = self.day
            return item.key, False
        for option in item.options:
            if option.misconception and not option.correct and item.choose == 1:
                if option.misconception not in self.beliefs:
                    self.beliefs[option.misconception] = bool(rng.random() < self.kind.holds)
                if self.beliefs[option.misconception] and not self.kind.guesser:
                    return frozenset({option.id}), False
        refutes = 0.0 if self.kind.guesser else self.refutes
        left = [o.id for o in item.options if o.correct or rng.random() >= refutes]
        picked = rng.choice(len(left), size=min(item.choose, len(left)), replace=False)
        return frozenset(left[k] for k in picked), True

    def read_reasons(self, item_id: str) -> None:
        """Learn from an explanation, sometimes."""
        facets = self.world.facets[item_id]
        learnt = np.zeros(len(self.known), dtype=bool)
        learnt[facets] = self.rng.random(len(facets)) < self.kind.learns
        self._learn(learnt)
        for option in self.world.items[item_id].options:
            if option.misconception in self.beliefs and self.rng.random() < self.kind.learns:
                self.beliefs[option.misconception] = False

    def _learn(self, learnt: np.ndarray) -> None:
        self.half_life[learnt & self.known] *= 1.5
        self.known |= learnt
        self.touched[learnt] = self.day
