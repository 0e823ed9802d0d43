"""What papers say about each schedule with equal stages, and the sizes they say it for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from burnin.systems.pipeline import Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A closed form with its numbers filled in.

    ``bubble`` is idle time a rank and batch, ``peak`` the largest number of micro-batches
    whose activations a rank holds. None where the paper's assumptions do not hold;
    ``assumes`` says what they are.
    """

    formula: str
    bubble: Time | None
    peak_formula: str
    peak: Fraction | None
    assumes: str
    source: str


def published(
    name: str,
    *,
    ranks: int,
    micro_batches: int,
    forward: Time,
    backward_input: Time,
    backward_weight: Time,
    chunks: int = 2,
    hidden: Time = 0,
) -> Published:
    """Return the published bubble and activation peak for equal stages and free sending.

    >>> published("1f1b", ranks=4, micro_batches=8, forward=1, backward_input=1, backward_weight=1).bubble
    9

    Times are per rank and micro-batch, F, I (input gradient) and W (weight gradient); the
    papers' whole backward is I + W. ``KeyError`` for an unknown name.
    """
    p, m, v = ranks, micro_batches, chunks
    f, i, w = forward, backward_input, backward_weight
    full = m >= p
    light = w <= min(f, i)
    if name == "gpipe":
        return Published(
            formula="(p-1)(F+I+W)",
            bubble=(p - 1) * (f + i + w),
            peak_formula="m",
            peak=Fraction(m),
            assumes="equal stages",
            source="arXiv 1811.06965, section 2.3; arXiv 2104.04473, section 2.2.1",
        )
    if name == "1f1b":
        return Published(
            formula="(p-1)(F+I+W)",
            bubble=(p - 1) * (f + i + w),
            peak_formula="min(p, m)",
            peak=Fraction(min(p, m)),
            assumes="equal stages",
            source="arXiv 2104.04473, section 2.2.1",
        )
    if name == "interleaved":
        most = Fraction(min(v * p + p - 1, v * m), v)
        return Published(
            formula="(p-1)(F+I+W)/v",
            bubble=Fraction(p - 1) * (f + i + w) / v,
            peak_formula="p(1+(p-1)/(pv)), at most m",
            peak=most,
            assumes="equal stages, m a multiple of p",
            source="arXiv 2104.04473, section 2.2.2; arXiv 2205.05198, section 4.2.3",
        )
    if name == "zb-h1":
        return Published(
            formula="(p-1)(F+I-W)",
            bubble=(p - 1) * (f + i - w) if full and light else None,
            peak_formula="p",
            peak=Fraction(p) if full else None,
            assumes="equal stages, m >= p, W at most F and I",
            source="arXiv 2401.10241, section 2.3",
        )
    if name == "zb-h2":
        deep = m >= 2 * p - 1
        return Published(
            formula="(p-1)(F+I-2W)",
            bubble=(p - 1) * (f + i - 2 * w) if deep and light else None,
            peak_formula="2p-1",
            peak=Fraction(2 * p - 1) if deep else None,
            assumes="equal stages, m >= 2p-1, W at most F and I",
            source="arXiv 2401.10241, section 2.3",
        )
    if name == "zb-v":
        deep = m >= 2 * p - 1
        return Published(
            formula="0",
            bubble=0 if deep and f == i == w else None,
            peak_formula="p",
            peak=Fraction(p) if deep else None,
            assumes="equal stages, m >= 2p-1, F = I = W",
            source="arXiv 2401.10241, section 6",
        )
    if name == "dualpipe":
        pair = f + i + w - hidden
        return Published(
            formula="(p/2-1)(F&B+B-3W) with B = I+W",
            bubble=(p // 2 - 1) * (pair + i + w - 3 * w) if f == i and light else None,
            peak_formula="p+1",
            peak=Fraction(p + 1),
            assumes="equal stages, F = I, W at most F",
            source="arXiv 2412.19437, table 2",
        )
    if name == "pipedream":
        return Published(
            formula="0 once full",
            bubble=0,
            peak_formula="min(p, m)",
            peak=Fraction(min(p, m)),
            assumes="equal stages; filling and draining left out",
            source="arXiv 1806.03377, work scheduling",
        )
    raise KeyError(name)
