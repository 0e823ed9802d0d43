"""Sums on the memory of a mixture of experts: stored whole, and spread by expert parallelism."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from burnin.itemgen.sums import Draw, Facts, Rule, Sum, believing, integer, simple
from burnin.systems.experts import ExpertParams, expert_params
from burnin.systems.precision import bytes_of

BYTES = {1: bytes_of("fp8"), 2: bytes_of("bf16"), 4: bytes_of("fp32")}


EXPERTS_B = tuple(Fraction(half, 2) for half in (1, 2, 3, 4, 6, 8, 10, 12))


def _params(facts: Facts, ranks: int = 1) -> ExpertParams:
    return expert_params(
        shared=float(facts["shared"]),
        expert=float(facts["expert"]),
        experts=integer(facts, "experts"),
        active=integer(facts, "active"),
        ranks=ranks,
    )


def _gb(part: Callable[[Facts], float]) -> Rule:
    return lambda facts: simple(part(facts) * BYTES[integer(facts, "bytes_each")])


def _by_hand(facts: Facts) -> Fraction:
    held = Fraction(facts["experts"]) / facts.get("ranks", 1)
    return Fraction(facts["bytes_each"] * (facts["shared"] + held * facts["expert"]))


def _draw_mixture(draw: Draw) -> Facts:
    return {
        "shared": draw.pick((1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20)),
        "experts": draw.pick((8, 16, 32, 64)),
        "expert": draw.pick(EXPERTS_B),
        "active": draw.pick((2, 4, 8)),
        "bytes_each": draw.pick((1, 2)),
    }


def _mixture_fits(facts: Facts) -> bool:
    routed = facts["experts"] * facts["expert"]
    return 2 * facts["active"] <= facts["experts"] and 2 * facts["shared"] <= routed and 16 <= routed <= 400


_ACTIVE = believing(_by_hand, experts=lambda facts: Fraction(facts["active"]))
_ONE_EXPERT = believing(_by_hand, experts=1)

MOE_GB = Sum(
    version=1,
    draw=_draw_mixture,
    answer=_gb(lambda facts: _params(facts).stored),
    slips={
        "moe-memory-is-active-only": _ACTIVE,
        "one-expert-at-a-time": _ONE_EXPERT,
        "experts-are-whole-models": lambda facts: (
            facts["bytes_each"] * facts["experts"] * Fraction(facts["shared"] + facts["expert"])
        ),
        "sixteen-bits-in-a-byte": lambda facts: (
            _by_hand({**facts, "bytes_each": 1}) if facts["bytes_each"] == 2 else Fraction(0)
        ),
        "bf16-counted-as-fp32": lambda facts: (
            _by_hand({**facts, "bytes_each": 4}) if facts["bytes_each"] == 2 else Fraction(0)
        ),
        "weights-stay-sixteen-bit": lambda facts: (
            _by_hand({**facts, "bytes_each": 2}) if facts["bytes_each"] == 1 else Fraction(0)
        ),
        "active-added-to-stored": lambda facts: _by_hand(facts) + _ACTIVE(facts),
    },
    knobs={
        "bytes_each": lambda facts: (1, 2, 4),
        "experts": lambda facts: range(integer(facts, "active"), 513),
        "shared": lambda facts: range(1, 513),
    },
    parts={
        "stored": lambda facts: facts["shared"] + Fraction(facts["experts"] * facts["expert"]),
        "active_b": lambda facts: facts["shared"] + Fraction(facts["active"] * facts["expert"]),
        "bits": lambda facts: Fraction(8 * facts["bytes_each"]),
    },
    fits=_mixture_fits,
)


def _draw_spread(draw: Draw) -> Facts:
    experts = draw.pick((8, 16, 32, 64))
    return {
        "shared": draw.pick((2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20)),
        "experts": experts,
        "expert": draw.pick(EXPERTS_B),
        "active": draw.pick((2, 4, 8)),
        "ranks": draw.pick([n for n in (2, 4, 8, 16) if n < experts]),
        "bytes_each": 2,
    }


EXPERT_RANK_GB = Sum(
    version=1,
    draw=_draw_spread,
    answer=_gb(lambda facts: _params(facts, integer(facts, "ranks")).rank),
    slips={
        "shared-part-sharded": lambda facts: believing(_by_hand, ranks=1)(facts) / facts["ranks"],
        "experts-on-every-rank": believing(_by_hand, ranks=1),
        "moe-memory-is-active-only": believing(_ACTIVE, ranks=1),
        "one-expert-a-rank": believing(_ONE_EXPERT, ranks=1),
        "shared-part-held-elsewhere": believing(_by_hand, shared=0),
        "active-experts-spread": lambda facts: (
            facts["bytes_each"]
            * (facts["shared"] + Fraction(facts["active"] * facts["expert"], facts["ranks"]))
        ),
        "bf16-counted-as-fp32": believing(_by_hand, bytes_each=4),
        "sixteen-bits-in-a-byte": believing(_by_hand, bytes_each=1),
    },
    knobs={
        "ranks": lambda facts: [
            n for n in range(1, integer(facts, "experts") + 1) if facts["experts"] % n == 0
        ],
        "bytes_each": lambda facts: (1, 2, 4),
        "shared": lambda facts: range(201),
        "experts": lambda facts: range(
            integer(facts, "ranks") * -(-integer(facts, "active") // integer(facts, "ranks")),
            513,
            integer(facts, "ranks"),
        ),
    },
    parts={
        "held": lambda facts: Fraction(facts["experts"], facts["ranks"]),
        "shared_gb": lambda facts: Fraction(facts["bytes_each"] * facts["shared"]),
        "expert_gb": lambda facts: Fraction(facts["bytes_each"] * facts["expert"]),
        "all_gb": believing(_by_hand, ranks=1),
    },
    fits=_mixture_fits,
)
