"""Sums on the memory of serving: weights by precision, the cache of a token, sequences that fit."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from burnin.domain.model import Model
from burnin.itemgen.sums import Draw, Facts, Rule, Sum, believing, doubling, integer, simple
from burnin.systems.kv_cache import bytes_per_token
from burnin.systems.precision import bytes_of
from burnin.systems.room import sequences_beside

FORMATS = {4: "int4", 8: "fp8", 16: "bf16", 32: "fp32"}
"""A format of so many bits a weight, scales not counted."""


def _draw_weights(draw: Draw) -> Facts:
    return {
        "billions": draw.pick(
            (
                8,
                12,
                16,
                24,
                32,
                36,
                40,
                48,
                56,
                60,
                64,
                72,
                80,
                84,
                96,
                108,
                120,
                128,
                144,
                160,
                168,
                180,
                192,
            )
        ),
        "bits": draw.pick((4, 8, 16)),
        "cache_bits": draw.pick((4, 8, 16)),
        "tensor": draw.pick((2, 4, 8)),
        "replicas": draw.pick((2, 3, 4, 6, 8)),
    }


def _weights_gb(facts: Facts) -> Fraction:
    each = bytes_of(FORMATS[integer(facts, "bits")])
    return simple(integer(facts, "billions") * each / integer(facts, "tensor"))


def _weights_by_hand(facts: Facts) -> Fraction:
    return Fraction(facts["billions"] * facts["bits"]) / (8 * facts["tensor"])


def _when(bits: tuple[int, ...], rule: Rule) -> Rule:
    """A slip that only some formats invite; 0 elsewhere, which is never an option."""
    return lambda facts: rule(facts) if facts["bits"] in bits else Fraction(0)


WEIGHTS_GB = Sum(
    version=1,
    draw=_draw_weights,
    answer=_weights_gb,
    slips={
        "weights-stay-sixteen-bit": _when((4, 8), believing(_weights_by_hand, bits=16)),
        "bf16-counted-as-fp32": _when((16,), believing(_weights_by_hand, bits=32)),
        "sixteen-bits-in-a-byte": _when((16,), believing(_weights_by_hand, bits=8)),
        "four-bits-in-a-byte": _when((4,), believing(_weights_by_hand, bits=8)),
        "cache-format-for-weights": believing(
            _weights_by_hand, bits=lambda facts: Fraction(facts["cache_bits"])
        ),
        "weights-on-every-rank": believing(_weights_by_hand, tensor=1),
        "replicas-share-weights": believing(
            _weights_by_hand, tensor=lambda facts: Fraction(facts["tensor"] * facts["replicas"])
        ),
        "bits-for-bytes": lambda facts: 8 * _weights_by_hand(facts),
    },
    knobs={
        "bits": lambda facts: (4, 8, 16, 32),
        "tensor": lambda facts: (1, 2, 3, 4, 6, 8, 12, 16, 24, 32),
        "billions": lambda facts: range(1, 1281),
    },
    parts={
        "gpus": lambda facts: Fraction(facts["tensor"] * facts["replicas"]),
        "all_gb": believing(_weights_gb, tensor=1),
    },
)


def _draw_token(draw: Draw) -> Facts:
    return {
        "layers": draw.pick((32, 40, 48, 64, 80)),
        "heads": draw.pick((32, 64)),
        "kv_heads": draw.pick((4, 8, 16)),
        "head_dim": draw.pick((64, 128)),
        "bytes_each": draw.pick((1, 2)),
        "tensor": draw.pick((1, 2, 4)),
    }


def _token_kib(facts: Facts) -> Fraction:
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
    precision = FORMATS[8 * integer(facts, "bytes_each")]
    return Fraction(bytes_per_token(model, precision, integer(facts, "tensor"))) / 1024


def _token_by_hand(facts: Facts) -> Fraction:
    wide = facts["layers"] * facts["kv_heads"] * facts["head_dim"] * facts["bytes_each"]
    return Fraction(facts.get("tensors", 2) * wide) / (1024 * facts["tensor"])


KV_TOKEN_KIB = Sum(
    version=1,
    draw=_draw_token,
    answer=_token_kib,
    slips={
        "query-heads-for-kv-heads": believing(
            _token_by_hand, kv_heads=lambda facts: Fraction(facts["heads"])
        ),
        "keys-without-values": believing(_token_by_hand, tensors=1),
        "cache-on-every-rank": believing(_token_by_hand, tensor=1),
        "mqa-assumed": believing(_token_by_hand, kv_heads=1, tensor=1),
        "group-for-kv-heads": believing(
            _token_by_hand, kv_heads=lambda facts: Fraction(facts["heads"]) / facts["kv_heads"]
        ),
        "cache-as-wide-as-weights": believing(_token_by_hand, bytes_each=2),
        "cache-in-fp32": believing(_token_by_hand, bytes_each=4),
        "queries-cached-too": believing(
            _token_by_hand,
            tensors=1,
            kv_heads=lambda facts: Fraction(facts["heads"] + 2 * facts["kv_heads"]),
        ),
    },
    knobs={
        "kv_heads": lambda facts: [
            n for n in doubling(1, integer(facts, "heads")) if n % facts["tensor"] == 0 or n == 1
        ],
        "bytes_each": lambda facts: (1, 2, 4),
        "tensor": lambda facts: [n for n in (1, 2, 4, 8) if facts["kv_heads"] % n == 0],
        "layers": lambda facts: range(4, 321, 4),
    },
    parts={
        "group": lambda facts: Fraction(integer(facts, "heads"), integer(facts, "kv_heads")),
        "whole_kib": believing(_token_kib, tensor=1),
        "cache_bits": lambda facts: Fraction(8 * facts["bytes_each"]),
    },
)


def _draw_sequences(draw: Draw) -> Facts:
    prompt = draw.pick((1000, 2000, 3000, 4000, 6000))
    output = draw.pick((1000, 2000, 3000, 4000))
    card = draw.pick((48, 80, 96, 141))
    return {
        "card_gb": card,
        "billions": draw.pick(
            [b for b in (4, 6, 7, 8, 10, 12, 13, 14, 15, 16, 20, 24, 30, 32) if 2 * b + 14 <= card]
        ),
        "other_gb": draw.pick((4, 5, 6, 8, 10)),
        "token_kb": draw.pick((50, 80, 100, 125, 160, 200, 250)),
        "prompt": prompt,
        "output": output,
        "longest": draw.pick([n for n in (8000, 10000, 12000, 16000) if n > prompt + output]),
    }


def _sequences(facts: Facts) -> Fraction:
    return Fraction(
        sequences_beside(
            memory=integer(facts, "card_gb") * 10**9,
            weights=integer(facts, "billions") * bytes_of("bf16") * 1e9,
            other=integer(facts, "other_gb") * 10**9,
            token_bytes=integer(facts, "token_kb") * 1000,
            tokens=integer(facts, "prompt") + integer(facts, "output"),
        )
    )


def _sequence_gb(facts: Facts) -> Fraction:
    return Fraction(facts["token_kb"] * (facts["prompt"] + facts["output"]), 10**6)


def _room_gb(facts: Facts) -> Fraction:
    return Fraction(facts["card_gb"] - facts.get("each", 2) * facts["billions"] - facts["other_gb"])


def _sequences_by_hand(facts: Facts) -> Fraction:
    return Fraction(floor(_room_gb(facts) / _sequence_gb(facts)))


def clear(quotient: Fraction) -> bool:
    """Say whether a quotient is whole or so far from it that rounding it down is no question."""
    rest = quotient - floor(quotient)
    return rest == 0 or Fraction(1, 8) <= rest <= Fraction(7, 8)


SEQUENCES_FIT = Sum(
    version=1,
    draw=_draw_sequences,
    answer=_sequences,
    slips={
        "weights-take-no-room": believing(_sequences_by_hand, each=0),
        "rest-of-memory-forgotten": believing(_sequences_by_hand, other_gb=0),
        "outputs-not-cached": believing(_sequences_by_hand, output=0),
        "prompts-not-cached": believing(_sequences_by_hand, prompt=0),
        "prefill-and-decode-cache-apart": believing(
            _sequences_by_hand, prompt=lambda facts: Fraction(2 * facts["prompt"])
        ),
        "longest-length-reserved": believing(
            _sequences_by_hand, output=lambda facts: Fraction(facts["longest"] - facts["prompt"])
        ),
        "bf16-counted-as-fp32": believing(_sequences_by_hand, each=4),
        "sixteen-bits-in-a-byte": believing(_sequences_by_hand, each=1),
    },
    knobs={
        "output": lambda facts: range(0, 16001, 125),
        "billions": lambda facts: range(1, 65),
        "other_gb": lambda facts: range(33),
        "token_kb": lambda facts: range(10, 1001, 10),
    },
    parts={
        "weights_gb": lambda facts: Fraction(2 * facts["billions"]),
        "room_gb": _room_gb,
        "tokens": lambda facts: Fraction(facts["prompt"] + facts["output"]),
        "sequence_gb": _sequence_gb,
    },
    fits=lambda facts: (
        clear(_room_gb(facts) / _sequence_gb(facts))
        and 4 <= _sequences(facts) <= 160
        and (facts["token_kb"] * (facts["prompt"] + facts["output"])) % 50000 == 0
    ),
)
