"""Sums on memory: model states under ZeRO, the GPUs they need, and the KV cache."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil

from burnin.domain.model import Model
from burnin.itemgen.sums import Draw, Facts, Rule, Sum, doubling, integer, simple
from burnin.systems.kv_cache import bytes_per_token
from burnin.systems.states import OPTIMIZERS, state_bytes

ADAM = OPTIMIZERS["adam-mixed"]


def _states_gb(billions: int, stage: int, gpus: int) -> Fraction:
    held = state_bytes(billions * 1e9, ADAM, stage, gpus)
    return sum((simple(float(part) / 1e9) for part in held), Fraction(0))


def _draw_zero(draw: Draw) -> Facts:
    return {
        "billions": draw.pick((1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64)),
        "gpus": draw.pick((2, 4, 8, 16, 32, 64)),
        "zero": draw.pick((1, 2, 3)),
    }


def _by_stage(rule: Callable[[int, int, int], Fraction]) -> Rule:
    return lambda facts: rule(integer(facts, "billions"), integer(facts, "gpus"), integer(facts, "zero"))


def _hand_sum(p: int, n: int, stage: int, weight: int = 2, gradient: int = 2, states: int = 12) -> Fraction:
    """The sum as somebody does it on paper, with the bytes they believe in."""
    return Fraction(
        Fraction(weight * p, n if stage >= 3 else 1)
        + Fraction(gradient * p, n if stage >= 2 else 1)
        + Fraction(states * p, n if stage >= 1 else 1)
    )


ZERO_GB = Sum(
    version=1,
    draw=_draw_zero,
    answer=_by_stage(lambda p, n, s: _states_gb(p, s, n)),
    slips={
        "zero-stage-early": _by_stage(lambda p, n, s: _hand_sum(p, n, s - 1)),
        "zero-stage-late": _by_stage(lambda p, n, s: _hand_sum(p, n, min(3, s + 1))),
        "zero-shards-everything": _by_stage(lambda p, n, s: Fraction(16 * p, n)),
        "sharding-ignored": _by_stage(lambda p, n, s: Fraction(16 * p)),
        "states-are-weights-only": _by_stage(lambda p, n, s: Fraction(2 * p)),
        "optimizer-states-forgotten": _by_stage(lambda p, n, s: _hand_sum(p, n, s, states=0)),
        "bf16-counted-as-fp32": _by_stage(lambda p, n, s: _hand_sum(p, n, s, weight=4, gradient=4)),
        "master-copy-unsharded": _by_stage(lambda p, n, s: _hand_sum(p, n, s, states=8) + 4 * p),
    },
    knobs={
        "zero": lambda facts: range(4),
        "gpus": lambda facts: doubling(1, 1024),
        "billions": lambda facts: range(1, 257),
    },
    parts={
        "weights_gb": _by_stage(lambda p, n, s: Fraction(2 * p, n if s >= 3 else 1)),
        "gradients_gb": _by_stage(lambda p, n, s: Fraction(2 * p, n if s >= 2 else 1)),
        "states_gb": _by_stage(lambda p, n, s: Fraction(12 * p, n)),
        "all_gb": _by_stage(lambda p, n, s: Fraction(16 * p)),
        "weights_whole_gb": _by_stage(lambda p, n, s: Fraction(2 * p)),
    },
)


def _draw_count(draw: Draw) -> Facts:
    card = draw.pick((40, 48, 80, 96))
    return {
        "card_gb": card,
        "other_gb": draw.pick([gb for gb in (8, 10, 15, 16, 20, 30, 32, 40) if 2 * gb <= card]),
        "billions": draw.pick(
            (4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 18, 20, 24, 25, 30, 34, 40, 50, 60, 70)
        ),
    }


def _gpus_needed(facts: Facts) -> Fraction:
    """Add GPUs until the sharded states and the rest fit."""
    return _fewest(integer(facts, "billions"), integer(facts, "card_gb") - integer(facts, "other_gb"))


@lru_cache(maxsize=4096)
def _fewest(billions: int, room_gb: int) -> Fraction:
    gpus = 1
    while _states_gb(billions, 3, gpus) > room_gb:
        gpus += 1
    return Fraction(gpus)


def _for_bytes(each: int, *, other: bool = True) -> Rule:
    def gpus(facts: Facts) -> Fraction:
        room = facts["card_gb"] - (facts["other_gb"] if other else 0)
        return Fraction(ceil(Fraction(each * integer(facts, "billions")) / room))

    return gpus


def _gpus_if_weights_stayed_whole(facts: Facts) -> Fraction:
    """What stage 2 would need; 0 where no number of GPUs would do."""
    room = facts["card_gb"] - facts["other_gb"] - 2 * facts["billions"]
    return Fraction(ceil(Fraction(14 * facts["billions"]) / room)) if room > 0 else Fraction(0)


GPUS_FOR_STATES = Sum(
    version=1,
    draw=_draw_count,
    answer=_gpus_needed,
    slips={
        "states-are-weights-only": _for_bytes(2),
        "optimizer-states-forgotten": _for_bytes(4),
        "twelve-bytes-in-all": _for_bytes(12),
        "rest-of-memory-forgotten": _for_bytes(16, other=False),
        "bf16-counted-as-fp32": _for_bytes(20),
        "adam-counted-twice": _for_bytes(28),
        "zero-stage-early": _gpus_if_weights_stayed_whole,
    },
    knobs={
        "billions": lambda facts: range(1, 201),
        "other_gb": lambda facts: range(integer(facts, "card_gb") - 1),
    },
    parts={
        "room_gb": lambda facts: Fraction(facts["card_gb"] - facts["other_gb"]),
        "all_gb": lambda facts: Fraction(16 * facts["billions"]),
        "weights_gb": lambda facts: Fraction(2 * facts["billions"]),
    },
    # A remainder of nearly nothing would turn the question into one of rounding.
    fits=lambda facts: (
        (16 * facts["billions"]) % (facts["card_gb"] - facts["other_gb"]) != 1
        and 2 <= 16 * facts["billions"] / (facts["card_gb"] - facts["other_gb"]) <= 64
    ),
)


def _draw_cache(draw: Draw) -> Facts:
    heads = draw.pick((32, 64))
    return {
        "layers": draw.pick((32, 64)),
        "heads": heads,
        "kv_heads": draw.pick((4, 8)),
        "head_dim": 128,
        "tokens": draw.pick((2048, 4096, 8192, 16384)),
        "batch": draw.pick((4, 8, 16, 32)),
        "bytes_each": 2,
    }


def _cache_gib(facts: Facts) -> Fraction:
    model = Model(
        id="asked",
        name="asked",
        family="asked",
        layers=integer(facts, "layers"),
        hidden=integer(facts, "heads") * integer(facts, "head_dim"),
        ffn=1,
        heads=integer(facts, "heads"),
        kv_heads=integer(facts, "kv_heads"),
        head_dim=integer(facts, "head_dim"),
        vocab=1,
    )
    precision = {1: "fp8", 2: "bf16", 4: "fp32"}[integer(facts, "bytes_each")]
    each = simple(float(bytes_per_token(model, precision)))
    return each * integer(facts, "tokens") * integer(facts, "batch") / 2**30


def _cache_by(**changes: Callable[[Facts], int | Fraction]) -> Rule:
    """The cache as 2 x layers x heads x width x bytes x tokens x sequences, with some factors believed otherwise."""

    def gib(facts: Facts) -> Fraction:
        believed = {**facts, "pair": 2, **{name: value(facts) for name, value in changes.items()}}
        total = Fraction(1)
        for name in ("pair", "layers", "kv_heads", "head_dim", "bytes_each", "tokens", "batch"):
            total *= believed[name]
        return total / 2**30

    return gib


KV_CACHE_GIB = Sum(
    version=1,
    draw=_draw_cache,
    answer=_cache_gib,
    slips={
        "query-heads-for-kv-heads": _cache_by(kv_heads=lambda facts: integer(facts, "heads")),
        "keys-without-values": _cache_by(pair=lambda facts: 1),
        "one-sequence-only": _cache_by(batch=lambda facts: 1),
        "mqa-assumed": _cache_by(kv_heads=lambda facts: 1),
        "cache-in-fp32": _cache_by(bytes_each=lambda facts: 4),
        "bits-for-bytes": _cache_by(bytes_each=lambda facts: 16),
    },
    knobs={
        "kv_heads": lambda facts: doubling(1, integer(facts, "heads")),
        "bytes_each": lambda facts: (1, 2, 4),
        "batch": lambda facts: doubling(1, 256),
        "tokens": lambda facts: doubling(128, 131072),
    },
    parts={
        "token_kib": lambda facts: _cache_gib({**facts, "tokens": 1, "batch": 1}) * 2**20,
        "sequence_gib": lambda facts: _cache_gib({**facts, "batch": 1}),
        "group": lambda facts: Fraction(integer(facts, "heads"), integer(facts, "kv_heads")),
        "all_tokens": lambda facts: Fraction(facts["tokens"] * facts["batch"]),
    },
    fits=lambda facts: 1 <= _cache_gib(facts) <= 128,
)
