"""Sums on what replicas and ranks share: ring traffic, micro-batches of a step, a layer's all-reduces."""

from __future__ import annotations

from fractions import Fraction

from burnin.itemgen.speed_facts import q
from burnin.itemgen.sums import Facts, Sum
from burnin.systems import sizing

RING_SENT_GB = Sum(
    version=1,
    draw=lambda draw: {
        "size_gb": draw.pick(
            (4, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 30, 32, 36, 40, 45, 48, 50, 60, 64, 72, 80)
        ),
        "ranks": draw.pick((2, 3, 4, 5, 6, 8, 10)),
    },
    answer=lambda f: sizing.ring_sent(q(f, "size_gb"), q(f, "ranks")),
    slips={
        "one-pass-of-two": lambda f: q(f, "size_gb") * (f["ranks"] - 1) / f["ranks"],
        "buffer-sent-once": lambda f: q(f, "size_gb"),
        "whole-buffer-to-each-rank": lambda f: q(f, "size_gb") * (f["ranks"] - 1),
        "traffic-of-all-ranks": lambda f: 2 * q(f, "size_gb") * (f["ranks"] - 1),
        "own-share-sent-too": lambda f: 2 * q(f, "size_gb"),
        "share-of-each-rank-sent-once": lambda f: q(f, "size_gb") / f["ranks"],
        "all-three-passes": lambda f: 3 * q(f, "size_gb") * (f["ranks"] - 1) / f["ranks"],
    },
    knobs={"ranks": lambda f: tuple(range(1, 129)), "size_gb": lambda f: tuple(range(1, 241))},
    parts={"share_gb": lambda f: q(f, "size_gb") / f["ranks"], "hops": lambda f: 2 * (q(f, "ranks") - 1)},
)


ACCUMULATION = Sum(
    version=1,
    draw=lambda draw: {
        "tensor": draw.pick((2, 4, 8)),
        "stages": draw.pick((2, 3, 4)),
        "data": draw.pick((2, 3, 4, 5, 6, 8, 10, 16)),
        "micro_batch": draw.pick((2, 3, 4)),
        "sequences": draw.pick((240, 256, 320, 384, 480, 512, 640, 720, 768, 960)),
    },
    answer=lambda f: sizing.accumulation_steps(
        q(f, "sequences"), _gpus(f), q(f, "tensor"), q(f, "stages"), q(f, "micro_batch")
    ),
    slips={
        "every-gpu-a-replica": lambda f: q(f, "sequences") / (_gpus(f) * f["micro_batch"]),
        "stages-are-replicas": lambda f: q(f, "sequences") / (f["data"] * f["stages"] * f["micro_batch"]),
        "tensor-ranks-are-replicas": lambda f: (
            q(f, "sequences") / (f["data"] * f["tensor"] * f["micro_batch"])
        ),
        "micro-batch-left-out": lambda f: q(f, "sequences") / f["data"],
        "replicas-left-out": lambda f: q(f, "sequences") / f["micro_batch"],
        "stages-share-a-replicas-batch": lambda f: (
            q(f, "sequences") * f["stages"] / (f["data"] * f["micro_batch"])
        ),
    },
    knobs={"sequences": lambda f: tuple(range(8, 4104, 8)), "micro_batch": lambda f: tuple(range(1, 65))},
    parts={
        "gpus": lambda f: _gpus(f),
        "replicas": lambda f: q(f, "data"),
        "a_pass": lambda f: q(f, "data") * f["micro_batch"],
    },
)


def _gpus(facts: Facts) -> Fraction:
    return q(facts, "data") * facts["tensor"] * facts["stages"]


TENSOR_MB = Sum(
    version=1,
    draw=lambda draw: {
        "sequence": draw.pick((1000, 2000, 4000, 8000)),
        "micro_batch": draw.pick((1, 2, 4)),
        "hidden": draw.pick((2000, 3000, 4000, 5000, 6000, 8000, 10000, 12000)),
    },
    answer=lambda f: sizing.tensor_parallel_mb(q(f, "sequence"), q(f, "micro_batch"), q(f, "hidden")),
    slips={
        "forward-collectives-only": lambda f: 2 * _activation_mb(f),
        "one-collective-a-layer": lambda f: _activation_mb(f),
        "recomputed-forward-counted": lambda f: 6 * _activation_mb(f),
        "fp32-activations": lambda f: 8 * _activation_mb(f),
        "gathered-and-scattered-too": lambda f: 12 * _activation_mb(f),
    },
    knobs={
        "sequence": lambda f: tuple(range(250, 64250, 250)),
        "hidden": lambda f: tuple(range(500, 64500, 500)),
        "micro_batch": lambda f: tuple(range(1, 33)),
    },
    parts={"activation_mb": lambda f: _activation_mb(f)},
)


def _activation_mb(facts: Facts) -> Fraction:
    return 2 * q(facts, "sequence") * facts["micro_batch"] * facts["hidden"] / 1_000_000
