"""Sums on the grid of ranks: world size, replicas, batch, and what a rank holds of the gradients."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from burnin.itemgen.sums import Draw, Facts, Sum, doubling, integer, simple
from burnin.systems.states import OPTIMIZERS, state_bytes

_AXES = ("tensor", "stages", "context", "data")


def _product(facts: Facts, *names: str) -> Fraction:
    return Fraction(prod(integer(facts, name) for name in names))


def _draw_world(draw: Draw) -> Facts:
    return {
        "tensor": draw.pick((2, 4, 8)),
        "stages": draw.pick((2, 3, 4, 5, 6, 8, 10, 12)),
        "context": draw.pick((2, 4)),
        "data": draw.pick((2, 3, 4, 5, 6, 8, 10, 12)),
        "expert": draw.pick((2, 4, 8)),
    }


def _ranks(facts: Facts) -> Fraction:
    """Count the distinct places of the grid one by one."""
    places = {
        (t, p, c, d)
        for t in range(integer(facts, "tensor"))
        for p in range(integer(facts, "stages"))
        for c in range(integer(facts, "context"))
        for d in range(integer(facts, "data"))
    }
    return Fraction(len(places))


WORLD_SIZE = Sum(
    version=1,
    draw=_draw_world,
    answer=_ranks,
    slips={
        "world-size-sum": lambda facts: Fraction(sum(integer(facts, name) for name in _AXES)),
        "ep-multiplies-world-size": lambda facts: _product(facts, *_AXES, "expert"),
        "context-left-out": lambda facts: _product(facts, "tensor", "stages", "data"),
        "one-replica-only": lambda facts: _product(facts, "tensor", "stages", "context"),
        "sequence-parallel-multiplies": lambda facts: _product(facts, *_AXES, "tensor"),
        "rank-is-a-node": lambda facts: 8 * _product(facts, *_AXES),
    },
    knobs={name: lambda facts: doubling(1, 128) for name in _AXES},
    parts={"replica": lambda facts: _product(facts, "tensor", "stages", "context")},
    # Expert groups must divide the ranks of a stage that they are mapped onto.
    fits=lambda facts: _product(facts, "tensor", "context", "data") % facts["expert"] == 0,
)


def _draw_replicas(draw: Draw) -> Facts:
    facts = {**_draw_world(draw)}
    facts["gpus"] = _product(facts, *_AXES) * draw.pick((1, 2, 4))
    del facts["data"]
    return facts


def _replicas(facts: Facts) -> Fraction:
    """Fill GPUs with whole replicas until none is left over."""
    replica = _ranks({**facts, "data": 1})
    return Fraction(sum(1 for _ in range(0, integer(facts, "gpus") - int(replica) + 1, int(replica))))


REPLICAS = Sum(
    version=1,
    draw=_draw_replicas,
    answer=_replicas,
    slips={
        "context-left-out": lambda facts: facts["gpus"] / _product(facts, "tensor", "stages"),
        "pipeline-left-out": lambda facts: facts["gpus"] / _product(facts, "tensor", "context"),
        "ep-multiplies-world-size": lambda facts: (
            facts["gpus"] / _product(facts, "tensor", "stages", "context", "expert")
        ),
        "world-size-sum": lambda facts: (
            Fraction(facts["gpus"]) / sum(integer(facts, name) for name in ("tensor", "stages", "context"))
        ),
        "sequence-parallel-multiplies": lambda facts: (
            facts["gpus"] / _product(facts, "tensor", "tensor", "stages", "context")
        ),
        "every-gpu-a-replica": lambda facts: Fraction(facts["gpus"]),
        "rank-is-a-node": lambda facts: facts["gpus"] / (8 * _product(facts, "tensor", "stages", "context")),
    },
    knobs={
        "context": lambda facts: doubling(1, 16),
        "stages": lambda facts: doubling(1, 64),
        "tensor": lambda facts: doubling(1, 64),
        "gpus": lambda facts: [integer(facts, "gpus") * 2**k for k in range(-3, 1) if facts["gpus"] % 8 == 0],
    },
    parts={"replica": lambda facts: _product(facts, "tensor", "stages", "context")},
    fits=lambda facts: (
        2 <= _replicas(facts) <= 64 and Fraction(facts["gpus"], facts["stages"]) % facts["expert"] == 0
    ),
)


def _draw_batch(draw: Draw) -> Facts:
    tensor, stages = draw.pick((2, 4, 8)), draw.pick((2, 3, 4, 5, 6, 8))
    return {
        "gpus": tensor * stages * draw.pick((2, 3, 4, 5, 6, 8, 10, 16)),
        "tensor": tensor,
        "stages": stages,
        "micro_batch": draw.pick((1, 2, 3, 4)),
        "accumulation": draw.pick((2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32)),
    }


def _global_batch(facts: Facts) -> Fraction:
    """Add up the sequences of every micro-batch of every replica."""
    replicas = _replicas({**facts, "context": 1})
    return sum(
        (
            Fraction(facts["micro_batch"])
            for _ in range(int(replicas))
            for _ in range(integer(facts, "accumulation"))
        ),
        Fraction(0),
    )


GLOBAL_BATCH = Sum(
    version=1,
    draw=_draw_batch,
    answer=_global_batch,
    slips={
        "every-gpu-a-replica": lambda facts: _product(facts, "gpus", "micro_batch", "accumulation"),
        "accumulation-forgotten": lambda facts: (
            _product(facts, "gpus", "micro_batch") / _product(facts, "tensor", "stages")
        ),
        "pipeline-left-out": lambda facts: (
            _product(facts, "gpus", "micro_batch", "accumulation") / facts["tensor"]
        ),
        "one-replica-only": lambda facts: _product(facts, "micro_batch", "accumulation"),
        "micro-batch-of-one": lambda facts: (
            _product(facts, "gpus", "accumulation") / _product(facts, "tensor", "stages")
        ),
        "world-size-sum": lambda facts: (
            _product(facts, "gpus", "micro_batch", "accumulation") / (facts["tensor"] + facts["stages"])
        ),
        "model-parallel-multiplies-batch": lambda facts: _product(
            facts, "gpus", "micro_batch", "accumulation", "stages"
        ),
    },
    knobs={
        "accumulation": lambda facts: range(1, 65),
        "stages": lambda facts: doubling(1, 8),
        "gpus": lambda facts: [_product(facts, "tensor", "stages") * k for k in range(1, 17)],
        "micro_batch": lambda facts: doubling(1, 64),
    },
    parts={"replicas": lambda facts: _replicas({**facts, "context": 1})},
)


def _draw_gradients(draw: Draw) -> Facts:
    return {
        "billions": draw.pick((8, 16, 20, 24, 30, 32, 36, 40, 48, 60, 64, 72, 80, 96, 120, 128, 144, 160)),
        "tensor": draw.pick((2, 4, 8)),
        "stages": draw.pick((2, 3, 4, 5, 6, 8)),
        "data": draw.pick((2, 3, 4, 5, 6, 8)),
        "zero": 0,
    }


def _gradient_gb(facts: Facts) -> Fraction:
    params = integer(facts, "billions") * 10**9 / (integer(facts, "tensor") * integer(facts, "stages"))
    held = state_bytes(params, OPTIMIZERS["adam-mixed"], integer(facts, "zero"), integer(facts, "data"))[1]
    return simple(float(held) / 1e9)


def _share_gb(facts: Facts, bytes_each: int, divisor: Fraction | int) -> Fraction:
    return Fraction(bytes_each * integer(facts, "billions")) / divisor


GRADIENT_GB = Sum(
    version=1,
    draw=_draw_gradients,
    answer=_gradient_gb,
    slips={
        "model-parallel-ignored": lambda facts: _share_gb(facts, 2, 1),
        "pipeline-left-out": lambda facts: _share_gb(facts, 2, facts["tensor"]),
        "data-parallel-shards-gradients": lambda facts: _share_gb(
            facts, 2, _product(facts, "tensor", "stages", "data")
        ),
        "bf16-counted-as-fp32": lambda facts: _share_gb(facts, 4, _product(facts, "tensor", "stages")),
        "gradients-are-all-states": lambda facts: _share_gb(facts, 16, _product(facts, "tensor", "stages")),
        "world-size-sum": lambda facts: _share_gb(facts, 2, facts["tensor"] + facts["stages"]),
        "sixteen-bits-in-a-byte": lambda facts: _share_gb(facts, 1, _product(facts, "tensor", "stages")),
        "bits-for-bytes": lambda facts: _share_gb(facts, 2, 8 * _product(facts, "tensor", "stages")),
    },
    knobs={
        "zero": lambda facts: range(4),
        "stages": lambda facts: doubling(1, 64),
        "tensor": lambda facts: doubling(1, 8),
        "billions": lambda facts: [4 * k for k in range(1, 101)],
    },
    parts={
        "model_ranks": lambda facts: _product(facts, "tensor", "stages"),
        "all_gb": lambda facts: _share_gb(facts, 2, 1),
    },
)
