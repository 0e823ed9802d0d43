"""Sums on pipeline schedules. Answers are measured on timelines, never taken from a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from burnin.itemgen.sums import Draw, Facts, Number, Rule, Sum, integer
from burnin.systems.pipeline import Timeline, costs_per_rank, run
from burnin.systems.pipeline_measures import activations, bubble
from burnin.systems.pipeline_schedules import make_schedule


@lru_cache(maxsize=8192)
def _timeline(name: str, p: int, m: int, v: int, f: Number, b: Number) -> Timeline:
    """Times are twice those asked for, so that halves and chunks stay whole and fast."""
    schedule = make_schedule(name, ranks=p, micro_batches=m, chunks=v if name == "interleaved" else None)
    times = [2 * f * v] * p, [b * v] * p, [b * v] * p
    return run(schedule, costs_per_rank(*times, schedule=schedule))


def _run(facts: Facts) -> Timeline:
    chunks = integer(facts, "chunks") if "chunks" in facts else 0
    return _timeline(
        "interleaved" if chunks else "1f1b",
        integer(facts, "stages"),
        integer(facts, "micro_batches"),
        chunks or 1,
        facts.get("forward_ms", 1),
        facts.get("backward_ms", 2),
    )


def _of(rule: Callable[[int, int], Fraction]) -> Rule:
    """A rule on the numbers of stages p and micro-batches m alone."""
    return lambda facts: rule(integer(facts, "stages"), integer(facts, "micro_batches"))


def _pair_ms(facts: Facts) -> Fraction:
    return Fraction(facts["forward_ms"] + facts["backward_ms"])


def _up_to(last: int) -> Callable[[Facts], Sequence[int]]:
    return lambda facts: range(1, last + 1)


def _draw_share(draw: Draw) -> Facts:
    p = draw.pick((3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16))
    return {
        "stages": p,
        "micro_batches": draw.pick(
            [m for m in (4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25, 28, 30, 32, 36, 40) if m >= p]
        ),
    }


BUBBLE_OF_TOTAL = Sum(
    version=1,
    draw=_draw_share,
    answer=lambda facts: bubble(_run(facts)).of_total,
    slips={
        "bubble-over-ideal": _of(lambda p, m: Fraction(p - 1, m)),
        "single-micro-batch": _of(lambda p, m: Fraction(p - 1, p)),
        "fill-and-drain-whole": _of(lambda p, m: Fraction(2 * (p - 1), m + 2 * (p - 1))),
        "fill-only": _of(lambda p, m: Fraction(p - 1, 3 * (m + p - 1))),
        "one-rank-idles": _of(lambda p, m: Fraction(p - 1, p * (m + p - 1))),
        "one-f-one-b-halves-bubble": _of(lambda p, m: Fraction(p - 1, 2 * m + p - 1)),
    },
    knobs={"micro_batches": _up_to(256), "stages": _up_to(32)},
    parts={
        "idle_steps": _of(lambda p, m: Fraction(p - 1)),
        "all_steps": _of(lambda p, m: Fraction(m + p - 1)),
    },
)


def _draw_interleaved(draw: Draw) -> Facts:
    p = draw.pick((3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    return {"stages": p, "micro_batches": p * draw.pick((1, 2, 3, 4, 5, 6)), "chunks": draw.pick((2, 3, 4))}


def _chunked(rule: Callable[[int, int, int], Fraction]) -> Rule:
    return lambda facts: rule(
        integer(facts, "stages"), integer(facts, "micro_batches"), integer(facts, "chunks")
    )


INTERLEAVED_BUBBLE = Sum(
    version=1,
    draw=_draw_interleaved,
    answer=lambda facts: bubble(_run(facts)).over_ideal,
    slips={
        "interleaving-ignored": _chunked(lambda p, m, v: Fraction(p - 1, m)),
        "chunks-are-stages": _chunked(lambda p, m, v: Fraction(p * v - 1, m)),
        "interleaving-squared": _chunked(lambda p, m, v: Fraction(p - 1, v * v * m)),
        "one-rank-idles": _chunked(lambda p, m, v: Fraction(p - 1, p * v * m)),
        "ideal-for-total": _chunked(lambda p, m, v: Fraction(p - 1, v * m + p - 1)),
        "single-micro-batch": _chunked(lambda p, m, v: Fraction(p - 1, p)),
    },
    knobs={
        "chunks": _up_to(16),
        "micro_batches": lambda facts: [integer(facts, "stages") * k for k in range(1, 11)],
    },
)


def _draw_times(draw: Draw) -> Facts:
    f = draw.pick((2, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50))
    p = draw.pick((3, 4, 5, 6, 7, 8, 9))
    m = draw.pick([m for m in (4, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24, 32) if m >= p])
    return {"stages": p, "micro_batches": m, "forward_ms": f, "backward_ms": 2 * f}


IDLE_MS = Sum(
    version=1,
    draw=_draw_times,
    answer=lambda facts: Fraction(bubble(_run(facts)).longest) / 2,
    slips={
        "backward-forgotten": lambda facts: (integer(facts, "stages") - 1) * Fraction(facts["forward_ms"]),
        "idle-each-micro-batch": lambda facts: facts["micro_batches"] * _pair_ms(facts),
        "fill-and-drain-whole": lambda facts: 2 * (facts["stages"] - 1) * _pair_ms(facts),
        "one-rank-idles": lambda facts: (facts["stages"] - 1) * _pair_ms(facts) / facts["stages"],
        "single-micro-batch": lambda facts: (facts["stages"] - 1) * facts["micro_batches"] * _pair_ms(facts),
        "one-f-one-b-halves-bubble": lambda facts: (facts["stages"] - 1) * _pair_ms(facts) / 2,
    },
    knobs={"stages": _up_to(40)},
    parts={"pair_ms": _pair_ms, "gaps": lambda facts: Fraction(facts["stages"] - 1)},
)

STEP_MS = Sum(
    version=1,
    draw=_draw_times,
    answer=lambda facts: Fraction(bubble(_run(facts)).period) / 2,
    slips={
        "bubble-forgotten": lambda facts: facts["micro_batches"] * _pair_ms(facts),
        "backward-forgotten": lambda facts: (
            (facts["micro_batches"] + facts["stages"] - 1) * Fraction(facts["forward_ms"])
        ),
        "backward-equals-forward": lambda facts: (
            (facts["micro_batches"] + facts["stages"] - 1) * 2 * Fraction(facts["forward_ms"])
        ),
        "stages-in-series": lambda facts: facts["micro_batches"] * facts["stages"] * _pair_ms(facts),
        "pipeline-divides-time": lambda facts: facts["micro_batches"] * _pair_ms(facts) / facts["stages"],
        "fill-and-drain-whole": lambda facts: (
            (facts["micro_batches"] + 2 * (facts["stages"] - 1)) * _pair_ms(facts)
        ),
        "idle-each-micro-batch": lambda facts: 2 * facts["micro_batches"] * _pair_ms(facts),
        "backward-recomputes": lambda facts: (
            (facts["micro_batches"] + facts["stages"] - 1) * (_pair_ms(facts) + facts["forward_ms"])
        ),
    },
    knobs={"micro_batches": _up_to(300), "stages": _up_to(40), "backward_ms": lambda facts: range(5, 151, 5)},
    parts={
        "pair_ms": _pair_ms,
        "all_steps": lambda facts: Fraction(facts["micro_batches"] + facts["stages"] - 1),
    },
)


def _draw_held(draw: Draw) -> Facts:
    p = draw.pick((3, 4, 5, 6, 7, 8, 9, 10, 12, 16))
    return {
        "stages": p,
        "micro_batches": draw.pick(
            [m for m in (6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 32, 40, 48, 64) if m > p]
        ),
        "held_gb": draw.pick(
            (
                Fraction(1, 2),
                Fraction(1),
                Fraction(3, 2),
                Fraction(2),
                Fraction(5, 2),
                Fraction(3),
                Fraction(4),
                Fraction(5),
            )
        ),
    }


def _held(rule: Callable[[int, int], Fraction]) -> Rule:
    return lambda facts: facts["held_gb"] * _of(rule)(facts)


ACTIVATIONS_HELD = Sum(
    version=1,
    draw=_draw_held,
    answer=lambda facts: facts["held_gb"] * activations(_run(facts))[0].peak,
    slips={
        "all-micro-batches-live": _held(lambda p, m: Fraction(m)),
        "one-micro-batch-live": _held(lambda p, m: Fraction(1)),
        "held-for-the-round-trip": _held(lambda p, m: Fraction(2 * p - 1)),
        "activations-shared-by-stages": _held(lambda p, m: Fraction(m, p)),
        "average-for-first-stage": _held(lambda p, m: Fraction(p + 1, 2)),
        "whole-model-held": _held(lambda p, m: Fraction(p * m)),
    },
    knobs={"stages": _up_to(64), "micro_batches": _up_to(64)},
)
