"""Sums on what fills a training card: offload, activations, the largest model and micro-batch."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor

from burnin.domain.model import Model
from burnin.itemgen.serving_sums import clear
from burnin.itemgen.sums import Draw, Facts, Rule, Sum, believing, doubling, integer, simple
from burnin.systems.activations import in_flight_layers, layer_activations, layer_bytes
from burnin.systems.counting import Counts, count
from burnin.systems.room import largest_micro_batch
from burnin.systems.states import OPTIMIZERS, state_bytes

ADAM = OPTIMIZERS["adam-mixed"]


def _share(facts: Facts, from_stage: int) -> Fraction:
    return Fraction(1, integer(facts, "gpus") if facts["zero"] >= from_stage else 1)


def _states_by_hand(facts: Facts) -> Fraction:
    """Bytes a parameter that a GPU holds, with the bytes somebody believes in."""
    return (
        facts.get("weight", 2) * _share(facts, 3)
        + facts.get("gradient", 2) * _share(facts, 2)
        + facts.get("states", 12) * _share(facts, 1)
    )


def _early(facts: Facts) -> Fraction:
    return Fraction(facts["zero"] - 1)


def _late(facts: Facts) -> Fraction:
    return Fraction(min(3, facts["zero"] + 1))


def _draw_offload(draw: Draw) -> Facts:
    return {
        "billions": draw.pick(
            (4, 5, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 48, 50, 60, 64)
        ),
        "gpus": draw.pick((2, 3, 4, 5, 6, 8, 10, 12, 16)),
        "zero": draw.pick((1, 2, 3)),
    }


def _left_gb(facts: Facts) -> Fraction:
    weights, gradients, _ = state_bytes(
        integer(facts, "billions") * 1e9, ADAM, integer(facts, "zero"), integer(facts, "gpus")
    )
    return simple((float(weights) + float(gradients)) / 1e9)


def _left_by_hand(facts: Facts) -> Fraction:
    return facts["billions"] * _states_by_hand({"states": 0, **facts})


OFFLOAD_LEFT_GB = Sum(
    version=1,
    draw=_draw_offload,
    answer=_left_gb,
    slips={
        "zero-stage-early": believing(_left_by_hand, zero=_early),
        "zero-stage-late": believing(_left_by_hand, zero=_late),
        "zero-shards-everything": believing(_left_by_hand, zero=3),
        "sharding-ignored": believing(_left_by_hand, zero=0),
        "offload-takes-gradients": believing(_left_by_hand, gradient=0),
        "offload-keeps-master-copy": believing(_left_by_hand, states=4),
        "offload-frees-nothing": believing(_left_by_hand, states=12),
        "bf16-counted-as-fp32": believing(_left_by_hand, weight=4, gradient=4),
    },
    knobs={
        "zero": lambda facts: range(4),
        "billions": lambda facts: range(1, 257),
        "gpus": lambda facts: doubling(1, 64),
    },
    parts={
        "weights_gb": believing(_left_by_hand, gradient=0),
        "gradients_gb": believing(_left_by_hand, weight=0),
        "states_gb": believing(_left_by_hand, weight=0, gradient=0, states=12),
        "master_gb": believing(_left_by_hand, weight=0, gradient=0, states=4),
        "both_gb": lambda facts: Fraction(4 * facts["billions"]),
    },
)


def _draw_activations(draw: Draw) -> Facts:
    hidden = draw.pick((4000, 5000, 8000, 10000))
    return {
        "sequence": draw.pick((1000, 2000, 4000)),
        "micro_batch": draw.pick((1, 2, 3, 4)),
        "hidden": hidden,
        "heads": hidden // 100,
        "tensor": draw.pick((2, 4, 8)),
        "recompute": 1,
    }


@lru_cache(maxsize=64)
def _gpt(hidden: int, heads: int) -> Counts:
    return count(
        Model(
            id="asked",
            name="asked",
            family="asked",
            layers=1,
            hidden=hidden,
            ffn=4 * hidden,
            heads=heads,
            kv_heads=heads,
            head_dim=hidden // heads,
            vocab=1,
            gated=False,
        )
    )


def _layer_mb(facts: Facts) -> Fraction:
    sequence = integer(facts, "sequence")
    counts = _gpt(integer(facts, "hidden"), integer(facts, "heads"))
    held = layer_bytes(
        layer_activations(counts, sequence, dropout=True, flash=False),
        sequence * integer(facts, "micro_batch"),
        tensor=integer(facts, "tensor"),
        sequence_parallel=True,
        recompute=integer(facts, "recompute"),
        flash=False,
    )
    return simple(float(held) / 1e6)


def _sbh_mb(facts: Facts) -> Fraction:
    return Fraction(facts["sequence"] * facts["micro_batch"] * facts["hidden"], 10**6)


def _core(facts: Facts) -> Fraction:
    """5 a s / h."""
    return Fraction(5 * facts["heads"] * facts["sequence"], integer(facts, "hidden"))


def _layer_by_hand(facts: Facts) -> Fraction:
    core = 0 if facts["recompute"] else facts.get("core", _core(facts))
    norms = Fraction(facts.get("norms", 10)) / facts.get("norm_ranks", facts["tensor"])
    return _sbh_mb(facts) * (norms + Fraction(24 + core) / facts["tensor"])


ACTIVATIONS_MB = Sum(
    version=1,
    draw=_draw_activations,
    answer=_layer_mb,
    slips={
        "selective-drops-nothing": believing(_layer_by_hand, recompute=0),
        "selective-keeps-the-core": lambda facts: _sbh_mb(facts) * _core(facts) / facts["tensor"],
        "selective-drops-linear-parts": lambda facts: 10 * _sbh_mb(facts) / facts["tensor"],
        "norms-stay-whole": believing(_layer_by_hand, norm_ranks=1),
        "norms-keep-nothing": believing(_layer_by_hand, norms=0),
        "tensor-parallel-keeps-all": believing(_layer_by_hand, tensor=1),
        "micro-batch-of-one": believing(_layer_by_hand, micro_batch=1),
        "bytes-counted-twice": lambda facts: 2 * _layer_by_hand(facts),
    },
    knobs={
        "recompute": lambda facts: (0, 1),
        "tensor": lambda facts: (1, 2, 4, 8, 16),
        "micro_batch": lambda facts: range(1, 65),
    },
    parts={
        "sbh_mb": _sbh_mb,
        "core": _core,
        "core_mb": lambda facts: _sbh_mb(facts) * _core(facts),
        "whole_mb": believing(_layer_by_hand, tensor=1),
    },
)


def _draw_largest(draw: Draw) -> Facts:
    card = draw.pick((40, 48, 80, 96, 141))
    return {
        "card_gb": card,
        "other_gb": draw.pick(
            [gb for gb in (8, 10, 12, 15, 16, 20, 24, 30, 32, 40, 41, 45) if 2 * gb <= card]
        ),
        "gpus": draw.pick((2, 3, 4, 6, 8, 12)),
        "zero": draw.pick((1, 2, 3)),
    }


def _room_gb(facts: Facts) -> int:
    return integer(facts, "card_gb") - integer(facts, "other_gb")


def _largest(facts: Facts) -> Fraction:
    return _most(_room_gb(facts), integer(facts, "zero"), integer(facts, "gpus"))


@lru_cache(maxsize=4096)
def _most(room_gb: int, zero: int, gpus: int) -> Fraction:
    """Add billions until the states no longer fit."""
    billions = 0
    while sum(simple(float(part)) for part in state_bytes(billions + 1.0, ADAM, zero, gpus)) <= room_gb:
        billions += 1
    return Fraction(billions)


def _largest_by_hand(facts: Facts) -> Fraction:
    return Fraction(floor(_room_gb(facts) / _states_by_hand(facts)))


LARGEST_MODEL_B = Sum(
    version=1,
    draw=_draw_largest,
    answer=_largest,
    slips={
        "zero-stage-early": believing(_largest_by_hand, zero=_early),
        "zero-stage-late": believing(_largest_by_hand, zero=_late),
        "zero-shards-everything": believing(_largest_by_hand, zero=3),
        "sharding-ignored": believing(_largest_by_hand, zero=0),
        "rest-of-memory-forgotten": believing(_largest_by_hand, other_gb=0),
        "states-are-weights-only": believing(_largest_by_hand, gradient=0, states=0),
        "optimizer-states-forgotten": believing(_largest_by_hand, states=0),
        "bf16-counted-as-fp32": believing(_largest_by_hand, weight=4, gradient=4),
        "master-copy-unsharded": believing(
            _largest_by_hand, weight=lambda facts: 2 + Fraction(4) / _share(facts, 3), states=8
        ),
    },
    knobs={
        "zero": lambda facts: range(4),
        "gpus": lambda facts: range(1, 257),
        "other_gb": lambda facts: range(integer(facts, "card_gb") - 1),
        "card_gb": lambda facts: range(integer(facts, "other_gb") + 1, 1025),
    },
    parts={
        "room_gb": lambda facts: Fraction(_room_gb(facts)),
        "each": _states_by_hand,
        "weight": lambda facts: 2 * _share(facts, 3),
        "gradient": lambda facts: 2 * _share(facts, 2),
        "states": lambda facts: 12 * _share(facts, 1),
    },
    fits=lambda facts: (
        _largest(facts) >= 2
        and clear(_room_gb(facts) / _states_by_hand(facts))
        and (4 * _states_by_hand(facts)).denominator == 1
    ),
)


def _draw_micro(draw: Draw) -> Facts:
    stages, card = draw.pick((2, 3, 4, 5, 6, 8)), draw.pick((40, 48, 80, 96, 141))
    return {
        "card_gb": card,
        "fixed_gb": draw.pick(
            [gb for gb in (8, 15, 16, 20, 24, 30, 32, 40, 45, 48, 60, 61) if gb + 8 <= card]
        ),
        "stages": stages,
        "micro_batches": draw.pick([m for m in (6, 8, 12, 16, 20, 24, 32) if m > stages]),
        "layers": draw.pick((4, 5, 6, 8, 10)),
        "layer_mb": draw.pick((25, 50, 75, 100, 125, 150, 200, 250)),
    }


def _sequence_mb(facts: Facts) -> Fraction:
    """Of one sequence, in the layers of one stage."""
    return Fraction(facts["layers"] * facts["layer_mb"])


def _micro(facts: Facts) -> Fraction:
    stages, layers = integer(facts, "stages"), integer(facts, "layers")
    held = in_flight_layers(layers * stages, stages, 1, integer(facts, "micro_batches"), 0)
    return Fraction(
        largest_micro_batch(
            memory=integer(facts, "card_gb") * 10**9,
            fixed=integer(facts, "fixed_gb") * 10**9,
            sequence_bytes=integer(facts, "layer_mb") * 10**6,
            held=float(held),
        )
    )


def _quotient(facts: Facts) -> Fraction:
    room_mb = 1000 * (facts["card_gb"] - facts["fixed_gb"])
    return room_mb / (_sequence_mb(facts) * facts.get("held", facts["stages"]))


def _micro_by_hand(**changes: Fraction | int | Rule) -> Rule:
    return believing(lambda facts: Fraction(floor(_quotient(facts))), **changes)


MICRO_BATCH = Sum(
    version=1,
    draw=_draw_micro,
    answer=_micro,
    slips={
        "one-micro-batch-live": _micro_by_hand(held=1),
        "all-micro-batches-live": _micro_by_hand(held=lambda facts: Fraction(facts["micro_batches"])),
        "held-for-the-round-trip": _micro_by_hand(held=lambda facts: Fraction(2 * facts["stages"] - 1)),
        "average-for-first-stage": _micro_by_hand(held=lambda facts: Fraction(facts["stages"] + 1, 2)),
        "rest-of-memory-forgotten": _micro_by_hand(fixed_gb=0),
        "activations-shared-by-stages": _micro_by_hand(
            held=lambda facts: Fraction(integer(facts, "micro_batches"), integer(facts, "stages"))
        ),
        "all-layers-on-a-stage": _micro_by_hand(
            held=lambda facts: Fraction(facts["stages"] * facts["stages"])
        ),
    },
    knobs={
        "stages": lambda facts: range(1, 33),
        "fixed_gb": lambda facts: range(integer(facts, "card_gb")),
        "layer_mb": lambda facts: range(5, 2001, 5),
    },
    parts={
        "room_gb": lambda facts: Fraction(facts["card_gb"] - facts["fixed_gb"]),
        "sequence_gb": lambda facts: _sequence_mb(facts) / 1000,
        "held_gb": lambda facts: _sequence_mb(facts) * facts["stages"] / 1000,
    },
    fits=lambda facts: clear(_quotient(facts)) and 2 <= _quotient(facts) <= 64,
)
