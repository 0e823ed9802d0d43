"""Sums on training compute: rate, utilisation, GPU-hours, the size that a budget asks for."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from burnin.itemgen.speed_facts import q, share
from burnin.itemgen.sums import Facts, Sum, integer
from burnin.systems import sizing

TRAIN_TOKENS_K = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((2, 4, 5, 8, 10, 20, 25, 40, 50)),
        "peak": draw.pick((300, 400, 500, 600, 900, 1000, 1200)),
        "percent": draw.pick((30, 40, 50)),
        "gpus": draw.pick((8, 16, 24, 32, 40, 48, 64, 80)),
    },
    answer=lambda f: sizing.thousand_tokens_s(q(f, "billions"), q(f, "peak"), share(f), q(f, "gpus")),
    slips={
        "sparse-peak-for-dense": lambda f: 2 * _tokens_k(f),
        "inference-flops-for-training": lambda f: 3 * _tokens_k(f),
        "utilisation-forgotten": lambda f: _tokens_k(f) / share(f),
        "backward-costs-as-forward": lambda f: _tokens_k(f) * Fraction(3, 2),
        "recompute-counted-as-work": lambda f: _tokens_k(f) * Fraction(3, 4),
        "twelve-flops-a-token": lambda f: _tokens_k(f) / 2,
        "optimizer-bytes-as-flops": lambda f: _tokens_k(f) * Fraction(6, 16),
    },
    knobs={
        "gpus": lambda f: tuple(range(1, 513)),
        "percent": lambda f: tuple(range(5, 101, 5)),
        "billions": lambda f: tuple(range(1, 201)),
    },
    parts={
        "reached": lambda f: q(f, "peak") * share(f) * f["gpus"],
        "each_g": lambda f: 6 * q(f, "billions"),
    },
)


def _tokens_k(f: Facts) -> Fraction:
    return q(f, "peak") * share(f) * f["gpus"] / (6 * q(f, "billions"))


MFU = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((2, 4, 5, 8, 10, 20, 25, 40, 50)),
        "tokens_k": draw.pick((10, 20, 25, 40, 50, 80, 100, 160, 200, 250, 400)),
        "peak": draw.pick((300, 400, 500, 600, 900, 1000, 1200)),
        "gpus": draw.pick((8, 16, 24, 32, 40, 48, 64, 80)),
    },
    answer=lambda f: sizing.utilisation(
        q(f, "billions"), 1000 * q(f, "tokens_k"), q(f, "peak"), q(f, "gpus")
    ),
    slips={
        "sparse-peak-for-dense": lambda f: _mfu(f) / 2,
        "inference-flops-for-training": lambda f: _mfu(f) / 3,
        "recompute-counted-as-work": lambda f: _mfu(f) * Fraction(4, 3),
        "backward-costs-as-forward": lambda f: _mfu(f) * Fraction(2, 3),
        "twelve-flops-a-token": lambda f: 2 * _mfu(f),
        "optimizer-bytes-as-flops": lambda f: _mfu(f) * Fraction(16, 6),
    },
    knobs={
        "tokens_k": lambda f: tuple(range(1, 1201)),
        "gpus": lambda f: tuple(range(1, 513)),
        "billions": lambda f: tuple(range(1, 201)),
    },
    parts={
        "used": lambda f: 6 * q(f, "billions") * f["tokens_k"],
        "offered": lambda f: q(f, "peak") * f["gpus"],
    },
    fits=lambda f: Fraction(15, 100) <= _mfu(f) <= Fraction(60, 100),
)


def _mfu(f: Facts) -> Fraction:
    """Six operations a parameter and token over the dense peak of all GPUs."""
    return 6 * q(f, "billions") * f["tokens_k"] / (q(f, "peak") * f["gpus"])


GPU_HOURS_K = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((3, 6, 9, 12, 18, 24, 30, 36, 60)),
        "tokens_b": draw.pick((100, 150, 200, 300, 400, 500, 600, 1000, 1200)),
        "peak": draw.pick((250, 500, 1000)),
        "percent": draw.pick((20, 40, 50)),
    },
    answer=lambda f: sizing.gpu_hours(q(f, "billions"), q(f, "tokens_b"), q(f, "peak"), share(f)) / 1000,
    slips={
        "sparse-peak-for-dense": lambda f: _hours_k(f) / 2,
        "inference-flops-for-training": lambda f: _hours_k(f) / 3,
        "utilisation-forgotten": lambda f: _hours_k(f) * share(f),
        "recompute-counted-as-work": lambda f: _hours_k(f) * Fraction(4, 3),
        "backward-costs-as-forward": lambda f: _hours_k(f) * Fraction(2, 3),
        "twelve-flops-a-token": lambda f: 2 * _hours_k(f),
    },
    knobs={
        "tokens_b": lambda f: tuple(range(10, 6010, 10)),
        "percent": lambda f: tuple(range(5, 101, 5)),
        "billions": lambda f: tuple(range(1, 401)),
    },
    parts={
        "ops": lambda f: 6 * q(f, "billions") * f["tokens_b"] / 1000,
        "reached": lambda f: q(f, "peak") * share(f),
        "an_hour": lambda f: q(f, "peak") * share(f) * Fraction(36, 10000),
    },
)


def _hours_k(f: Facts) -> Fraction:
    return 6 * q(f, "billions") * f["tokens_b"] * 1000 / (q(f, "peak") * share(f) * 3600)


OPTIMAL_PARAMS_B = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 18, 20, 24, 30)),
        "times": draw.pick((9, 16, 25, 36, 81)),
    },
    answer=lambda f: q(f, "billions") * Fraction(sizing.optimal_growth(integer(f, "times"))),
    slips={
        "all-compute-into-parameters": lambda f: q(f, "billions") * f["times"],
        "compute-halved-between-both": lambda f: q(f, "billions") * f["times"] / 2,
        "all-compute-into-tokens": lambda f: q(f, "billions"),
        "parameters-grow-faster": lambda f: q(f, "billions") * _fourth_root(f) ** 3,
        "tokens-grow-faster": lambda f: q(f, "billions") * _fourth_root(f),
        "root-halved": lambda f: q(f, "billions") * isqrt(integer(f, "times")) / 2,
    },
    knobs={"times": lambda f: tuple(n * n for n in range(1, 41)), "billions": lambda f: tuple(range(1, 401))},
    parts={"root": lambda f: Fraction(isqrt(integer(f, "times")))},
)


def _fourth_root(facts: Facts) -> Fraction:
    """The fourth root of the growth in compute, 0 where it is no whole number."""
    root = isqrt(isqrt(integer(facts, "times")))
    return Fraction(root if root**4 == facts["times"] else 0)
