"""Differential item functioning by the Mantel-Haenszel method."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from burnin.psychometrics.curves import Array
from burnin.psychometrics.responses import MISSING


@dataclass(frozen=True, slots=True)
class MantelHaenszel:
    """Common odds ratio over strata; above 1 the first row has the higher odds.

    ``chi_squared`` has one degree of freedom and a continuity correction; ``se_log``
    is the standard error of the log odds ratio. Not a number where no stratum informs.
    """

    odds_ratio: float
    se_log: float
    chi_squared: float
    p_value: float


def mantel_haenszel(tables: Array) -> MantelHaenszel:
    """Combine 2 x 2 tables, shape (strata, 2, 2): rows are groups, columns right and wrong.

    >>> round(mantel_haenszel(np.array([[[30, 10], [20, 20]]])).odds_ratio, 3)
    3.0

    Source: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22(4);
    error: Robins, Breslow and Greenland (1986), Biometrics 42(2), 311-323.
    """
    total = tables.sum(axis=(1, 2))
    # A stratum without both groups or without both outcomes says nothing.
    informs = (tables.sum(axis=1) > 0).all(axis=1) & (tables.sum(axis=2) > 0).all(axis=1) & (total > 1)
    tables, total = np.asarray(tables[informs], dtype=np.float64), total[informs]
    nothing = MantelHaenszel(float("nan"), float("nan"), float("nan"), float("nan"))
    if len(tables) == 0:
        return nothing
    a, b, c, d = tables[:, 0, 0], tables[:, 0, 1], tables[:, 1, 0], tables[:, 1, 1]
    r, s = a * d / total, b * c / total
    expected = (a + b) * (a + c) / total
    variance = (a + b) * (c + d) * (a + c) * (b + d) / (total**2 * (total - 1.0))
    if r.sum() <= 0 or s.sum() <= 0 or variance.sum() <= 0:
        return nothing
    p, q = (a + d) / total, (b + c) / total
    log_variance = (
        (p * r).sum() / (2 * r.sum() ** 2)
        + (p * s + q * r).sum() / (2 * r.sum() * s.sum())
        + (q * s).sum() / (2 * s.sum() ** 2)
    )
    chi = max(abs(float((a - expected).sum())) - 0.5, 0.0) ** 2 / float(variance.sum())
    return MantelHaenszel(
        float(r.sum() / s.sum()), sqrt(float(log_variance)), chi, erfc(sqrt(max(chi, 0.0) / 2.0))
    )


@dataclass(frozen=True, slots=True)
class Dif:
    """One item's verdict on the ETS delta scale.

    ``delta`` is -2.35 log(odds ratio): negative where the item is harder for the focal
    group than for equally able people of the reference group. ``size`` is A
    (negligible), B (moderate), C (large), or "?" where the table cannot tell.
    """

    item: int
    delta: float
    se: float
    chi_squared: float
    p_value: float
    size: str


def differential_functioning(
    rows: NDArray[np.int8], focal: NDArray[np.bool_], counts: Array | None = None
) -> list[Dif]:
    """Compare a focal group with the rest on every item, people matched on the score.

    ``rows`` has shape (n, k): 1, 0 or -1 for no answer; ``focal`` and ``counts`` (n,).
    Items found large in a first pass leave the matching score of the second, except
    for the item itself. With missing answers people are matched on the share right.

    Source: Holland and Thayer (1988) in Wainer and Braun, "Test Validity", chapter 9;
    A, B, C: Zieky (1993) in Holland and Wainer, "Differential Item Functioning", page 342.
    """
    weights = np.ones(len(rows)) if counts is None else np.asarray(counts, dtype=np.float64)
    k = rows.shape[1]
    everything = np.ones(k, dtype=np.bool_)
    first = [_one(rows, focal, weights, j, everything) for j in range(k)]
    clean = np.array([entry.size != "C" for entry in first])
    if clean.all() or clean.sum() < 2:
        return first
    return [_one(rows, focal, weights, j, clean) for j in range(k)]


def _one(
    rows: NDArray[np.int8], focal: NDArray[np.bool_], weights: Array, j: int, matching: NDArray[np.bool_]
) -> Dif:
    use = matching.copy()
    use[j] = True
    answered = rows[:, j] != MISSING
    part = rows[answered][:, use]
    seen = (part != MISSING).sum(axis=1)
    score = np.rint((part == 1).sum(axis=1) / seen * use.sum()).astype(np.intp)
    tables = np.zeros((int(use.sum()) + 1, 2, 2))
    group = focal[answered].astype(np.intp)
    np.add.at(tables, (score, group, (rows[answered, j] == 0).astype(np.intp)), weights[answered])
    found = mantel_haenszel(tables)
    if not np.isfinite(found.odds_ratio):
        return Dif(j, float("nan"), float("nan"), float("nan"), float("nan"), "?")
    delta, se = -2.35 * log(found.odds_ratio), 2.35 * found.se_log
    size = "B"
    if abs(delta) < 1.0 or found.p_value > 0.05:
        size = "A"
    elif abs(delta) >= 1.5 and abs(delta) - 1.0 > 1.645 * se:
        size = "C"
    return Dif(j, delta, se, found.chi_squared, found.p_value, size)


def odds_ratio_of(delta: float) -> float:
    """Return the odds ratio, reference to focal, that a delta stands for."""
    return exp(-delta / 2.35)
