"""Adaptive choice of the next item: information at the EAP, content balance, exposure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array, Items, information, log_probabilities
from burnin.psychometrics.grid import Grid, Latent, fitting

_TABLE_STEP = 0.02
_TABLE_REACH = 6.0


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of a person after some answers: an immutable state.

    ``log_weights`` (Q,) is the log posterior up to a constant, ``asked`` the items in
    order, ``open`` (k,) which were not asked, ``per_domain`` how many of each domain.
    """

    log_weights: Array
    theta: float
    se: float
    asked: tuple[int, ...]
    open: NDArray[np.bool_]
    per_domain: tuple[int, ...]


@dataclass(frozen=True)
class Exposure:
    """How often items were used: ``used`` (k,) in ``tests`` tests, kept under ``max_rate``."""

    used: NDArray[np.integer]
    tests: int
    max_rate: float

    @cached_property
    def worn(self) -> NDArray[np.bool_]:
        """Items that one more use would push over the rate."""
        return np.asarray(self.used + 1 > self.max_rate * (self.tests + 1))


@dataclass(frozen=True)
class Pool:
    """Calibrated items with the domain of each and the domains' shares of a test.

    >>> pool = Pool.of(Items.of([1.0, 1.5, 1.0], [-1.0, 0.0, 1.0]), [0, 0, 1], [0.5, 0.5])
    >>> belief = pool.begin()
    >>> first = pool.choose(belief)
    >>> first
    1
    >>> belief = pool.answered(belief, first, right=True)
    >>> pool.choose(belief)
    2
    """

    items: Items
    domain: NDArray[np.intp]
    share: Array
    latent: Latent

    @classmethod
    def of(
        cls, items: Items, domain: object = None, share: object = None, latent: Latent | None = None
    ) -> Pool:
        """Make a pool; without domains there is one. Shares are scaled to sum to 1.

        Raises ValueError where shapes do not fit or an item has no finite parameters.
        """
        k = len(items)
        where = np.zeros(k, dtype=np.intp) if domain is None else np.asarray(domain, dtype=np.intp)
        parts = np.ones(1) if share is None else np.asarray(share, dtype=np.float64)
        if where.shape != (k,) or k == 0 or where.min() < 0 or where.max() >= len(parts):
            raise ValueError("each item needs the number of a domain that has a share")
        if not (np.isfinite(items.a).all() and np.isfinite(items.d).all()):
            raise ValueError("an item without finite parameters cannot be chosen by information")
        if (parts < 0).any() or parts.sum() <= 0:
            raise ValueError("shares are zero or more, and not all zero")
        return cls(items, where, parts / parts.sum(), latent or Latent())

    @cached_property
    def grid(self) -> Grid:
        # A test sees a fraction of the pool: the steepest forty bound its precision.
        steepest = np.argsort(-np.abs(self.items.a))[:40]
        return fitting(self.items.take(steepest), self.latent)

    @cached_property
    def _curves(self) -> tuple[Array, Array]:
        return log_probabilities(self.items, self.grid.nodes)

    @cached_property
    def _powers(self) -> Array:
        return np.column_stack([np.ones(len(self.grid)), self.grid.nodes, self.grid.nodes**2])

    @cached_property
    def _domains(self) -> list[int]:
        domains: list[int] = self.domain.tolist()
        return domains

    @cached_property
    def _shares(self) -> list[float]:
        shares: list[float] = self.share.tolist()
        return shares

    @cached_property
    def _masks(self) -> dict[tuple[bool, ...], NDArray[np.bool_]]:
        return {}

    @cached_property
    def _information(self) -> Array:
        """Information of every item at close abilities, shape (abilities, k)."""
        theta = np.arange(-_TABLE_REACH, _TABLE_REACH + _TABLE_STEP / 2, _TABLE_STEP)
        return np.ascontiguousarray(information(self.items, theta).T)

    def begin(self) -> Belief:
        """Return the state before the first answer."""
        log_weights = self.grid.log_weights(self.latent)
        theta, se = self._moments(log_weights)
        everything = np.ones(len(self.items), dtype=np.bool_)
        return Belief(log_weights, theta, se, (), everything, (0,) * len(self.share))

    def answered(self, belief: Belief, item: int, *, right: bool) -> Belief:
        """Return the state after one more answer."""
        log_weights = belief.log_weights + self._curves[0 if right else 1][item]
        theta, se = self._moments(log_weights)
        still = belief.open.copy()
        still[item] = False
        count = list(belief.per_domain)
        count[self._domains[item]] += 1
        return Belief(log_weights, theta, se, (*belief.asked, item), still, tuple(count))

    def choose(
        self, belief: Belief, *, draw: float = 0.0, among: int = 1, exposure: Exposure | None = None
    ) -> int | None:
        """Return the next item, None when all were asked.

        The most informative item at the EAP is taken from the domains that are not
        ahead: a domain never holds more than its share of the test so far, rounded up.
        With ``among`` m > 1 one of the m best is taken by ``draw`` in [0, 1)
        (randomesque). Items worn out by ``exposure`` are left aside. Content goes
        before exposure: a worn item is taken rather than a domain overfilled, and
        where a domain has no item left the others go on.

        Source: Kingsbury and Zara (1989, 1991), Applied Measurement in Education 2(4)
        and 4(3).
        """
        if len(belief.asked) == len(self.items):
            return None
        row = round((min(max(belief.theta, -_TABLE_REACH), _TABLE_REACH) + _TABLE_REACH) / _TABLE_STEP)
        value = self._information[row]
        for allowed in self._preferences(belief, exposure):
            tried = np.where(allowed & belief.open, value, -1.0)
            best = int(tried.argmax())
            if tried[best] < 0.0:
                continue
            if among <= 1:
                return best
            top = np.argpartition(-tried, min(among, len(tried)) - 1)[:among]
            top = top[tried[top] >= 0.0]
            top = top[np.argsort(-tried[top], kind="stable")]
            return int(top[min(int(draw * len(top)), len(top) - 1)])
        return None

    def _preferences(self, belief: Belief, exposure: Exposure | None) -> Iterator[NDArray[np.bool_]]:
        """Yield masks to try in turn, the last of which allows every item."""
        length = len(belief.asked) + 1
        behind = self._behind(
            tuple([n < ceil(s * length - 1e-9) for n, s in zip(belief.per_domain, self._shares, strict=True)])
        )
        if exposure is not None:
            fresh = ~exposure.worn
            yield behind & fresh
            yield behind
            yield fresh
        else:
            yield behind
        yield np.ones(len(self.items), dtype=np.bool_)

    def _behind(self, domains: tuple[bool, ...]) -> NDArray[np.bool_]:
        """Return which items lie in the given domains."""
        mask = self._masks.get(domains)
        if mask is None:
            mask = self._masks[domains] = np.array(domains)[self.domain]
        return mask

    def _moments(self, log_weights: Array) -> tuple[float, float]:
        weights = np.exp(log_weights - log_weights.max())
        total, first, second = (weights @ self._powers).tolist()
        mean = first / total
        return mean, max(second / total - mean * mean, 0.0) ** 0.5
