"""Sums on inference: what decoding reads, what prefill computes, what drafts bring."""

from __future__ import annotations

from fractions import Fraction

from burnin.itemgen.speed_facts import q, share
from burnin.itemgen.sums import Facts, Sum, doubling, integer
from burnin.systems import sizing

DECODE_FLOOR_MS = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((8, 12, 16, 20, 24, 32, 40, 48, 56, 64, 72, 80, 96, 120, 160)),
        "bytes_each": draw.pick((1, 2)),
        "bandwidth": draw.pick((1000, 1500, 1600, 2000, 2400, 3000, 3200, 4000, 4800, 8000)),
        "ranks": draw.pick((2, 4, 8)),
    },
    answer=lambda f: sizing.decode_floor_ms(
        q(f, "billions") * q(f, "bytes_each"), 0, q(f, "bandwidth"), q(f, "ranks")
    ),
    slips={
        "ranks-read-everything": lambda f: _read_ms(f) * f["ranks"],
        "split-over-ranks-twice": lambda f: _read_ms(f) / f["ranks"],
        "bandwidth-counted-twice": lambda f: _read_ms(f) / 2,
        "read-and-written-back": lambda f: _read_ms(f) * 2,
        "bf16-counted-as-fp32": lambda f: _read_ms(f) * 4 / f["bytes_each"],
        "sixteen-bits-in-a-byte": lambda f: _read_ms(f) / 2 if f["bytes_each"] == 2 else Fraction(0),
        "served-in-four-bits": lambda f: _read_ms(f) / (2 * f["bytes_each"]),
        "bits-for-bytes": lambda f: _read_ms(f) / 8,
    },
    knobs={
        "billions": lambda f: tuple(range(1, 801)),
        "ranks": lambda f: doubling(1, 64),
        "bandwidth": lambda f: tuple(range(100, 32100, 100)),
    },
    parts={
        "weights_gb": lambda f: q(f, "billions") * f["bytes_each"],
        "weight_bits": lambda f: 8 * q(f, "bytes_each"),
        "all_gb_s": lambda f: q(f, "bandwidth") * f["ranks"],
    },
    fits=lambda f: f["billions"] * f["bytes_each"] <= 100 * f["ranks"],
)


def _read_ms(f: Facts) -> Fraction:
    """The weights over the bandwidth of all ranks."""
    return q(f, "billions") * f["bytes_each"] * 1000 / (f["bandwidth"] * f["ranks"])


DECODE_STEP_MS = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((8, 10, 16, 20, 24, 30, 32, 40)),
        "batch": draw.pick((4, 5, 8, 10, 16, 20, 25, 32, 40)),
        "tokens": draw.pick((1000, 2000, 4000, 5000, 8000, 10000)),
        "token_kb": draw.pick((50, 100, 125, 200, 250, 400)),
        "bandwidth": draw.pick((1000, 1600, 2000, 3200, 4000, 8000)),
    },
    answer=lambda f: sizing.decode_floor_ms(2 * q(f, "billions"), _kv_gb(f), q(f, "bandwidth")),
    slips={
        "cache-not-read": lambda f: 2 * q(f, "billions") * 1000 / f["bandwidth"],
        "weights-not-read": lambda f: _kv_gb(f) * 1000 / f["bandwidth"],
        "weights-for-each-sequence": lambda f: (
            (2 * q(f, "billions") * f["batch"] + _kv_gb(f)) * 1000 / f["bandwidth"]
        ),
        "one-sequence-only": lambda f: (
            (2 * q(f, "billions") + _kv_gb(f) / f["batch"]) * 1000 / f["bandwidth"]
        ),
        "bandwidth-counted-twice": lambda f: (2 * q(f, "billions") + _kv_gb(f)) * 500 / f["bandwidth"],
        "read-and-written-back": lambda f: (2 * q(f, "billions") + _kv_gb(f)) * 2000 / f["bandwidth"],
        "keys-and-values-doubled-again": lambda f: (
            (2 * q(f, "billions") + 2 * _kv_gb(f)) * 1000 / f["bandwidth"]
        ),
    },
    knobs={
        "batch": lambda f: tuple(range(1, 257)),
        "tokens": lambda f: tuple(range(250, 64250, 250)),
        "bandwidth": lambda f: tuple(range(100, 32050, 50)),
    },
    parts={"weights_gb": lambda f: 2 * q(f, "billions"), "kv_gb": lambda f: _kv_gb(f)},
    fits=lambda f: _kv_gb(f) >= 4 and 2 * f["billions"] + _kv_gb(f) <= 180,
)


def _kv_gb(facts: Facts) -> Fraction:
    return q(facts, "batch") * facts["tokens"] * facts["token_kb"] / 1_000_000


PREFILL_MS = Sum(
    version=1,
    draw=lambda draw: {
        "billions": draw.pick((8, 10, 16, 20, 30, 40, 50, 60, 70)),
        "tokens": draw.pick((1000, 2000, 4000, 8000, 16000)),
        "peak": draw.pick((250, 400, 500, 1000, 2000)),
        "percent": draw.pick((25, 40, 50)),
        "gpus": draw.pick((1, 2, 4, 8)),
    },
    answer=lambda f: sizing.prefill_ms(
        q(f, "billions"), q(f, "tokens"), q(f, "peak"), share(f), q(f, "gpus")
    ),
    slips={
        "sparse-peak-for-dense": lambda f: _prefill(f) / 2,
        "training-flops-for-inference": lambda f: 3 * _prefill(f),
        "multiply-without-add": lambda f: _prefill(f) / 2,
        "utilisation-forgotten": lambda f: _prefill(f) * share(f),
        "one-gpu-does-all": lambda f: _prefill(f) * f["gpus"],
        "backward-in-prefill": lambda f: 2 * _prefill(f),
    },
    knobs={
        "tokens": lambda f: tuple(range(250, 64250, 250)),
        "gpus": lambda f: tuple(range(1, 65)),
        "billions": lambda f: tuple(range(1, 401)),
    },
    parts={
        "tera": lambda f: 2 * q(f, "billions") * f["tokens"] / 1000,
        "reached": lambda f: q(f, "peak") * share(f) * f["gpus"],
    },
)


def _prefill(f: Facts) -> Fraction:
    """Two operations a parameter and token, over what the GPUs reach."""
    return 2 * q(f, "billions") * f["tokens"] / (f["peak"] * share(f) * f["gpus"])


RIDGE_BATCH = Sum(
    version=1,
    draw=lambda draw: {
        "peak": draw.pick((180, 200, 240, 300, 360, 400, 480, 600, 800, 900, 1000, 1200, 1500, 1800, 2400)),
        "bandwidth": draw.pick((1000, 1200, 1500, 1600, 2000, 2400, 2500, 3000, 4000, 5000, 6000, 8000)),
        "bytes_each": draw.pick((1, 2)),
    },
    answer=lambda f: sizing.ridge_batch(q(f, "peak"), q(f, "bandwidth"), q(f, "bytes_each")),
    slips={
        "sparse-peak-for-dense": lambda f: _ridge(f) * f["bytes_each"],
        "multiply-without-add": lambda f: _ridge(f) * f["bytes_each"],
        "bandwidth-counted-twice": lambda f: _ridge(f) * f["bytes_each"] / 4,
        "training-flops-for-inference": lambda f: _ridge(f) * f["bytes_each"] / 6,
        "bf16-counted-as-fp32": lambda f: _ridge(f) * 2,
        "ridge-taken-for-batch": lambda f: _ridge(f) if f["bytes_each"] == 1 else Fraction(0),
        "sixteen-bits-in-a-byte": lambda f: _ridge(f) / 2 if f["bytes_each"] == 2 else Fraction(0),
        "wider-weights-bind-sooner": lambda f: _ridge(f) / (2 * q(f, "bytes_each")),
        "bits-for-bytes": lambda f: _ridge(f) * f["bytes_each"] * 4,
    },
    knobs={
        "peak": lambda f: tuple(range(10, 20010, 10)),
        "bandwidth": lambda f: tuple(range(100, 40100, 100)),
        "bytes_each": lambda f: (1, 2, 4),
    },
    parts={
        "weight_bits": lambda f: 8 * q(f, "bytes_each"),
        "ridge": lambda f: _ridge(f),
        "intensity": lambda f: Fraction(2, integer(f, "bytes_each")),
    },
    fits=lambda f: 40 <= _ridge(f) <= 800 and _ridge(f).denominator == 1,
)


def _ridge(facts: Facts) -> Fraction:
    """Operations that the card does while it reads a byte."""
    return q(facts, "peak") * 1000 / facts["bandwidth"]


SPECULATIVE_TOKENS = Sum(
    version=1,
    draw=lambda draw: {
        "accepted": draw.pick((40, 50, 60, 70, 80)),
        "drafted": draw.pick((2, 3, 4)),
        "steps": draw.pick((1000, 2000, 3000, 4000, 5000, 6000, 8000, 10000, 12000, 16000, 20000, 24000)),
    },
    answer=lambda f: (
        f["steps"] * Fraction(sizing.speculative_tokens(share(f, "accepted"), integer(f, "drafted")))
    ),
    slips={
        "bonus-token-forgotten": lambda f: f["steps"] * (_geometric(f) - 1),
        "every-draft-accepted": lambda f: q(f, "steps") * (f["drafted"] + 1),
        "rejection-ignored-in-a-row": lambda f: f["steps"] * (1 + f["drafted"] * share(f, "accepted")),
        "drafts-times-acceptance": lambda f: f["steps"] * f["drafted"] * share(f, "accepted"),
        "all-drafts-or-none": lambda f: (
            f["steps"] * (1 + f["drafted"] * share(f, "accepted") ** integer(f, "drafted"))
        ),
        "acceptance-of-all-positions": lambda f: f["steps"] * (f["drafted"] + 1) * share(f, "accepted"),
        "one-token-a-step": lambda f: q(f, "steps"),
    },
    knobs={
        "drafted": lambda f: tuple(range(9)),
        "accepted": lambda f: tuple(range(0, 101, 5)),
        "steps": lambda f: tuple(range(125, 100125, 125)),
    },
    parts={"each": lambda f: _geometric(f), "share": lambda f: share(f, "accepted")},
)


def _geometric(facts: Facts) -> Fraction:
    """1 + a + a^2 ... by the closed form."""
    a, n = share(facts, "accepted"), integer(facts, "drafted") + 1
    return Fraction(n) if a == 1 else (1 - a**n) / (1 - a)
