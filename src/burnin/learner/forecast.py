"""The chance to pass on a date: sittings simulated from what is known of the learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, erf, sqrt

import numpy as np

from burnin.learner.ability import Belief
from burnin.psychometrics.cold_start import ItemPrior
from burnin.psychometrics.curves import Array, probability
from burnin.psychometrics.domains import blurred

CURVE = np.linspace(-8.0, 8.0, 321)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How ability moves until the exam; assumptions that the back-test was run with.

    Without study a domain loses ``loss`` logits in a week on average, with a spread of
    ``drift`` times the root of the weeks. ``gain`` logits come with the first ten hours
    of study in a domain, half of that again with the next ten, and so on; how much a
    learner really gains lies within ``gain_sd`` of it, as a share.
    """

    loss: float = 0.02
    drift: float = 0.05
    gain: float = 0.35
    gain_sd: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What will be sat: questions by domain, items that they may be like, and the mark.

    ``quota`` and ``items`` have an entry for each domain; an item there is one that a form
    could hold. ``mark`` is a share of the questions. ``strange`` is the spread, in
    logits, of how much harder the real exam is than the bank: nobody has measured it.
    """

    quota: Mapping[str, int]
    items: Mapping[str, Sequence[ItemPrior]]
    mark: float
    strange: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainForecast:
    """A domain's expected share right, in percent, with a 90 % interval, and whether it lags."""

    id: str
    mean_percent: float
    interval: tuple[float, float]
    p_lagging: float
    lagging: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The chance to reach the mark, its 90 % interval, and the score's.

    ``interval`` says how far the chance could be from ``p_pass`` if all of the learner's
    abilities were known; ``score`` holds the score of a sitting in 9 of 10 cases, luck with
    the questions included. ``p_even`` is the chance to pass with no domain lagging.
    """

    p_pass: float
    interval: tuple[float, float]
    score_mean: float
    score: tuple[float, float]
    p_even: float
    domains: tuple[DomainForecast, ...]
    hours: Mapping[str, float] = field(default_factory=dict)


LAG = 1.0
"""How far below the learner's mean a domain may end up, in logits, before it counts as lagging."""

SURE = 0.5
"""How sure that must be before the learner is told."""


def forecast(
    belief: Belief,
    sitting: Sitting,
    rng: np.random.Generator,
    *,
    weeks: float = 0.0,
    hours: Mapping[str, float] | None = None,
    change: Change | None = None,
    draws: int = 4000,
) -> Forecast:
    """Simulate ``draws`` sittings ``weeks`` from now, with ``hours`` of study by domain until then.

    ``ValueError`` for a domain that is asked and has no items, and for weeks below zero.
    """
    if weeks < 0:
        raise ValueError("a forecast looks ahead")
    change = change or Change()
    hours = dict(hours or {})
    theta = moved(belief.draws(rng, draws), belief.domains, rng, weeks=weeks, hours=hours, change=change)
    theta = theta - sitting.strange * rng.standard_normal((draws, 1))
    total, expected, variance = np.zeros(draws), np.zeros(draws), np.zeros(draws)
    shares: list[Array] = []
    asked = 0
    for row, name in enumerate(belief.domains):
        n = sitting.quota.get(name, 0)
        items = sitting.items.get(name, ())
        if not items:
            if n:
                raise ValueError(f"no items in {name}")
            shares.append(np.zeros(draws))
            continue
        share = np.clip(np.interp(theta[:, row], CURVE, share_curve(items)), 1e-9, 1 - 1e-9)
        # Draws of items from a large bank are independent, so a sitting's count is binomial.
        total += rng.binomial(n, share)
        expected += n * share
        variance += n * share * (1 - share)
        shares.append(share)
        asked += n
    scores = total / asked
    passing = scores >= sitting.mark - 1e-12
    known = _passing(expected, variance, sitting.mark * asked)
    lagging = [belief.lags(row) for row in range(len(belief.domains))]
    even = theta > theta.mean(axis=1, keepdims=True) - LAG
    return Forecast(
        p_pass=float(passing.mean()),
        interval=_range(known),
        score_mean=100.0 * float(scores.mean()),
        # A sitting has few scores, and whole steps at both ends would hold more than was asked for.
        score=_range(100.0 * (scores + rng.uniform(-0.5, 0.5, draws) / asked)),
        p_even=float((passing & even.all(axis=1)).mean()),
        domains=tuple(
            DomainForecast(
                id=name,
                mean_percent=100.0 * float(shares[row].mean()),
                interval=_range(100.0 * shares[row]),
                p_lagging=lagging[row],
                lagging=lagging[row] >= SURE,
            )
            for row, name in enumerate(belief.domains)
        ),
        hours=hours,
    )


def moved(
    theta: Array,
    domains: Sequence[str],
    rng: np.random.Generator,
    *,
    weeks: float,
    hours: Mapping[str, float],
    change: Change,
) -> Array:
    """Return abilities after some weeks with study; shapes (n, domains)."""
    study = np.array([hours.get(name, 0.0) for name in domains])
    gain: Array = change.gain * np.log2(1.0 + study / 10.0)
    factor = np.maximum(1.0 + change.gain_sd * rng.standard_normal((len(theta), 1)), 0.0)
    # What is studied is not forgotten meanwhile: an hour a week keeps a domain.
    kept = np.minimum(study / max(weeks, 1e-9), 1.0) if weeks else np.ones(len(domains))
    drift = change.drift * np.sqrt(weeks) * rng.standard_normal(theta.shape)
    found: Array = theta + factor * gain - change.loss * weeks * (1.0 - kept) + drift
    return found


def share_curve(items: Sequence[ItemPrior]) -> Array:
    """Return the mean chance of a right answer over items at each node of ``CURVE``."""
    found: Array = probability(blurred(items), CURVE).mean(axis=0)
    return found


def _passing(expected: Array, variance: Array, mark: float) -> Array:
    """Return P(count >= mark) for counts that are nearly normal, continuity corrected."""
    least = ceil(mark - 1e-9) - 0.5
    z = (expected - least) / np.sqrt(np.maximum(variance, 1e-9))
    return np.array([0.5 * (1.0 + erf(value / sqrt(2.0))) for value in z])


def _range(values: Array, level: float = 0.9) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
