"""What the answers say of a learner: overall and in each domain, with how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from burnin.domain.evidence import Evidence
from burnin.learner.weighing import Weighed
from burnin.psychometrics.cold_start import ColdStart, ItemPrior
from burnin.psychometrics.curves import Array, log_probabilities
from burnin.psychometrics.domains import NODES, blurred

PriorOf = Callable[[Evidence], ItemPrior]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How abilities lie before any answer, in logits; assumptions that the back-test was run with.

    Overall ability is normal. A domain lies near it (``near``), or, for one learner and
    domain in ``blind`` of cases, ``gap`` below it: people have domains that they never
    worked in, which a single normal would smooth away.
    """

    mean: float = 0.1
    sd: float = 0.7
    near: float = 0.4
    blind: float = 0.06
    gap: float = 1.8
    gap_sd: float = 0.7

    def kernel(self) -> Array:
        """Return P(domain at node j | overall at node i), shape (121, 121), rows summing to one."""
        near, below = self.parts()
        found: Array = (1.0 - self.blind) * near + self.blind * below
        return found

    def parts(self) -> tuple[Array, Array]:
        """Return the kernel's two parts, each with rows summing to one."""
        return _parts(self)

    def overall(self) -> Array:
        """Return P(overall at node i), shape (121,)."""
        heights: Array = np.exp(-0.5 * ((NODES - self.mean) / self.sd) ** 2)
        found: Array = heights / heights.sum()
        return found


@lru_cache(maxsize=8)
def _parts(spread: Spread) -> tuple[Array, Array]:
    off = NODES[None, :] - NODES[:, None]
    near = np.exp(-0.5 * (off / spread.near) ** 2)
    below = np.exp(-0.5 * ((off + spread.gap) / spread.gap_sd) ** 2)
    return _rows(near), _rows(below)


SPREAD = Spread()


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """The posterior on a grid of 121 nodes from -6 to 6.

    ``overall`` (121,) is the overall ability's; ``likelihood`` (domains, 121) what each
    domain's answers say of that domain; ``kernel`` ties the two together. ``domains``
    names the rows, ``weight`` (domains,) is the sum of the answers' weights.
    """

    domains: tuple[str, ...]
    overall: Array
    likelihood: Array
    kernel: Array
    weight: Array
    spread: Spread = SPREAD

    @property
    def marginal(self) -> Array:
        """P(domain at node), shape (domains, 121)."""
        return np.stack([self.overall @ self._given(row) for row in range(len(self.domains))])

    @property
    def mean(self) -> Array:
        """Posterior mean of each domain, shape (domains,)."""
        found: Array = self.marginal @ NODES
        return found

    @property
    def sd(self) -> Array:
        """Posterior standard deviation of each domain, shape (domains,)."""
        marginal = self.marginal
        variance: Array = np.maximum(marginal @ NODES**2 - (marginal @ NODES) ** 2, 0.0)
        return np.sqrt(variance)

    def draws(self, rng: np.random.Generator, n: int) -> Array:
        """Draw joint abilities, shape (n, domains)."""
        at = rng.choice(len(NODES), size=n, p=self.overall)
        step = NODES[1] - NODES[0]
        found = np.empty((n, len(self.domains)))
        for row in range(len(self.domains)):
            edges = np.cumsum(self._given(row), axis=1)[at]
            node = (rng.random((n, 1)) > edges[:, :-1]).sum(axis=1)
            found[:, row] = NODES[node]
        # The grid's steps are finer than any posterior here, but a forecast counts thresholds.
        return found + rng.uniform(-step / 2, step / 2, size=found.shape)

    def lags(self, row: int) -> float:
        """P(a domain is one that the learner never worked in, against one that lies near the rest)."""
        near, below = self.spread.parts()
        of_near = (1.0 - self.spread.blind) * near @ self.likelihood[row]
        of_below = self.spread.blind * below @ self.likelihood[row]
        return float(self.overall @ (of_below / (of_near + of_below)))

    def _given(self, row: int) -> Array:
        return _rows(self.kernel * self.likelihood[row])


def belief(
    answers: Sequence[Weighed],
    domains: Sequence[str],
    *,
    prior_of: PriorOf | None = None,
    spread: Spread = SPREAD,
) -> Belief:
    """Return what weighed answers say; answers in other domains are left out.

    ``prior_of`` gives an item's parameters, by default from its author's difficulty and kind.
    Answers depend on the domain's ability only, so the posterior is exact on the grid.

    Source: the higher-order model of de la Torre and Song (2009), Applied Psychological
    Measurement 33(8), 620-639, with fixed loadings and a two-part spread; the weights make
    it a power posterior.
    """
    prior_of = prior_of or author_prior
    place = {name: row for row, name in enumerate(domains)}
    mine = [answer for answer in answers if answer.evidence.domain in place]
    log_likelihood = np.zeros((len(place), len(NODES)))
    weight = np.zeros(len(place))
    if mine:
        rows = np.array([place[answer.evidence.domain] for answer in mine])
        weights = np.array([answer.weight for answer in mine])
        worth = np.array([answer.worth for answer in mine])
        log_right, log_wrong = log_probabilities(blurred([prior_of(a.evidence) for a in mine]), NODES)
        each = worth[:, None] * log_right + (1.0 - worth)[:, None] * log_wrong
        np.add.at(log_likelihood, rows, weights[:, None] * each)
        np.add.at(weight, rows, weights)
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    kernel = spread.kernel()
    told = np.log(np.maximum(likelihood @ kernel.T, 1e-300))
    overall = np.log(spread.overall()) + told.sum(axis=0)
    return Belief(
        domains=tuple(domains),
        overall=_rows(np.exp(overall - overall.max())[None, :])[0],
        likelihood=np.maximum(likelihood, 1e-300),
        kernel=kernel,
        weight=weight,
        spread=spread,
    )


def author_prior(entry: Evidence, *, start: ColdStart | None = None) -> ItemPrior:
    """Return an item's prior from its author's difficulty and its kind."""
    return (start or ColdStart()).prior(
        difficulty=entry.difficulty, options=entry.options, choose=entry.choose
    )


def by_subject(known: Mapping[str, ItemPrior]) -> PriorOf:
    """Return a rule that takes an item's own parameters where they are known."""
    return lambda entry: known.get(entry.subject) or author_prior(entry)


def _rows(values: Array) -> Array:
    found: Array = values / values.sum(axis=1, keepdims=True)
    return found
