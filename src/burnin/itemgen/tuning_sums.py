"""Sums on adapters: how many parameters they train, and what training them takes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from burnin.domain.model import Model
from burnin.itemgen.serving_sums import FORMATS, clear
from burnin.itemgen.sums import Draw, Facts, Rule, Sum, believing, integer, simple
from burnin.systems.lora import adapter_params
from burnin.systems.precision import bytes_of
from burnin.systems.states import OPTIMIZERS

ADAM = OPTIMIZERS["adam-mixed"]
PROJECTIONS = ("q", "k", "v", "o")


def _draw_adapter(draw: Draw) -> Facts:
    rank = draw.pick((8, 16, 32, 64))
    return {
        "layers": draw.pick((20, 24, 25, 32, 40, 50, 60, 80)),
        "hidden": draw.pick((2000, 2500, 4000, 5000, 8000, 10000)),
        "rank": rank,
        "alpha": draw.pick((rank // 4, 2 * rank, 4 * rank)),
        "targets": draw.pick((1, 2, 3, 4)),
    }


def _adapter_m(facts: Facts) -> Fraction:
    heads = integer(facts, "hidden") // 100
    model = Model(
        id="asked",
        name="asked",
        family="asked",
        layers=integer(facts, "layers"),
        hidden=integer(facts, "hidden"),
        ffn=1,
        heads=heads,
        kv_heads=heads,
        head_dim=100,
        vocab=1,
    )
    trained = adapter_params(model, integer(facts, "rank"), PROJECTIONS[: integer(facts, "targets")])
    return Fraction(trained, 10**6)


def _adapter_by_hand(facts: Facts) -> Fraction:
    """Both matrices of every adapted projection."""
    a_and_b = facts.get("matrices", 2) * facts["hidden"] * facts["rank"]
    return Fraction(facts["layers"] * facts["targets"] * a_and_b, 10**6)


LORA_PARAMS_M = Sum(
    version=1,
    draw=_draw_adapter,
    answer=_adapter_m,
    slips={
        "one-lora-matrix": believing(_adapter_by_hand, matrices=1),
        "one-projection-a-layer": believing(_adapter_by_hand, targets=1),
        "every-projection-adapted": believing(_adapter_by_hand, targets=4),
        "alpha-for-rank": believing(_adapter_by_hand, rank=lambda facts: Fraction(facts["alpha"])),
        "bytes-for-parameters": lambda facts: 2 * _adapter_by_hand(facts),
    },
    knobs={
        "rank": lambda facts: (1, 2, 4, 8, 16, 32, 64, 128, 256),
        "targets": lambda facts: (1, 2, 3, 4),
    },
    parts={
        "one_k": lambda facts: Fraction(facts["rank"] * facts["hidden"], 1000),
        "pair_k": lambda facts: Fraction(2 * facts["rank"] * facts["hidden"], 1000),
        "adapters": lambda facts: Fraction(facts["layers"] * facts["targets"]),
    },
    fits=lambda facts: _adapter_m(facts) >= 1,
)


def _draw_tuning(draw: Draw) -> Facts:
    return {
        "billions": draw.pick((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48)),
        "bits": draw.pick((4, 8, 16)),
        "adapter_m": draw.pick((125, 250, 375, 500, 625, 750, 1000, 1250, 1500, 2000, 2500, 3000)),
    }


def _tuning_gb(facts: Facts) -> Fraction:
    base = integer(facts, "billions") * bytes_of(FORMATS[integer(facts, "bits")])
    return simple(base + integer(facts, "adapter_m") * ADAM.total / 1000)


def _tuning_by_hand(facts: Facts) -> Fraction:
    """Bytes a base parameter times billions, and bytes an adapter parameter times billions."""
    base = facts["base"] if "base" in facts else _bits(facts)
    return Fraction(base * facts["billions"]) + Fraction(facts.get("each", 16) * facts["adapter_m"], 1000)


def _bits(facts: Facts) -> Fraction:
    return Fraction(integer(facts, "bits"), 8)


def _when(bits: Sequence[int], rule: Rule) -> Rule:
    return lambda facts: rule(facts) if facts["bits"] in bits else Fraction(0)


TUNING_GB = Sum(
    version=1,
    draw=_draw_tuning,
    answer=_tuning_gb,
    slips={
        "weights-stay-sixteen-bit": _when((4, 8), believing(_tuning_by_hand, base=2)),
        "four-bits-in-a-byte": _when((4,), believing(_tuning_by_hand, base=1)),
        "bf16-counted-as-fp32": _when((16,), believing(_tuning_by_hand, base=4)),
        "sixteen-bits-in-a-byte": _when((16,), believing(_tuning_by_hand, base=1)),
        "lora-is-qlora": _when((8, 16), believing(_tuning_by_hand, base=Fraction(1, 2))),
        "base-gradients-kept": believing(_tuning_by_hand, base=lambda facts: _bits(facts) + 2),
        "optimizer-states-forgotten": believing(_tuning_by_hand, each=4),
        "states-are-weights-only": believing(_tuning_by_hand, each=2),
        "frozen-base-takes-nothing": believing(_tuning_by_hand, base=0),
        "adam-counted-twice": believing(_tuning_by_hand, each=28),
        "bits-for-bytes": believing(_tuning_by_hand, base=lambda facts: 8 * _bits(facts)),
    },
    knobs={
        "bits": lambda facts: (4, 8, 16, 32),
        "billions": lambda facts: range(1, 513),
        "adapter_m": lambda facts: range(0, 20001, 25),
    },
    parts={
        "base_gb": believing(_tuning_by_hand, each=0),
        "adapter_gb": believing(_tuning_by_hand, base=0),
        "gradients_gb": lambda facts: Fraction(2 * facts["billions"]),
        "sixteen_gb": lambda facts: Fraction(2 * facts["billions"]),
        "adapter_weights_gb": lambda facts: Fraction(facts["adapter_m"], 500),
    },
    # Adapters of more than a sixteenth of the base are nobody's.
    fits=lambda facts: 16 * facts["adapter_m"] <= 1000 * facts["billions"],
)


def _draw_gpus(draw: Draw) -> Facts:
    card = draw.pick((24, 40, 48, 80, 96))
    return {
        "card_gb": card,
        "other_gb": draw.pick([gb for gb in (4, 8, 10, 15, 16, 20, 24, 30, 40) if 2 * gb <= card]),
        "billions": draw.pick((12, 16, 20, 24, 30, 32, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200)),
        "adapter_m": draw.pick((250, 500, 750, 1000, 1250, 1500, 2000)),
    }


def _lora_gpus(facts: Facts) -> Fraction:
    """Add GPUs until each one's shard and the rest fit."""
    room, gpus = facts["card_gb"] - facts["other_gb"], 1
    needed = _tuning_gb({**facts, "bits": 16})
    while needed / gpus > room:
        gpus += 1
    return Fraction(gpus)


def _gpus_by_hand(facts: Facts) -> Fraction:
    needed = _tuning_by_hand({"base": 2, **facts})
    return Fraction(ceil(needed / (facts["card_gb"] - facts["other_gb"])))


LORA_GPUS = Sum(
    version=1,
    draw=_draw_gpus,
    answer=_lora_gpus,
    slips={
        "lora-trains-the-base": believing(_gpus_by_hand, base=16),
        "base-gradients-kept": believing(_gpus_by_hand, base=4),
        "rest-of-memory-forgotten": believing(_gpus_by_hand, other_gb=0),
        "lora-is-qlora": believing(_gpus_by_hand, base=Fraction(1, 2)),
        "sixteen-bits-in-a-byte": believing(_gpus_by_hand, base=1),
        "frozen-base-takes-nothing": believing(_gpus_by_hand, base=0),
        "adam-counted-twice": believing(_gpus_by_hand, each=28),
    },
    knobs={
        "billions": lambda facts: range(1, 1601),
        "other_gb": lambda facts: range(integer(facts, "card_gb") - 1),
    },
    parts={
        "room_gb": lambda facts: Fraction(facts["card_gb"] - facts["other_gb"]),
        "base_gb": lambda facts: Fraction(2 * facts["billions"]),
        "adapter_gb": believing(_tuning_by_hand, base=0),
        "all_gb": believing(_tuning_by_hand, base=2),
        "full_gb": lambda facts: Fraction(16 * facts["billions"]),
        "full_gpus": lambda facts: Fraction(
            ceil(Fraction(16 * facts["billions"]) / (facts["card_gb"] - facts["other_gb"]))
        ),
    },
    fits=lambda facts: (
        clear(_tuning_by_hand({**facts, "base": 2}) / (facts["card_gb"] - facts["other_gb"]))
        and _lora_gpus(facts) >= 2
    ),
)
