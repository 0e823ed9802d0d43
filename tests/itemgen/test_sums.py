"""Right answers and misconceptions by a path that shares no code with the sums: arithmetic on paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from burnin.itemgen import SUMS
from burnin.itemgen.registry import misconception_functions
from burnin.itemgen.sums import Draw
from tests.itemgen import memory_paper, speed_paper

Paper = Callable[..., Fraction | int]

RIGHT: Mapping[str, Paper] = {
    "pipeline-bubble-of-total": lambda stages, micro_batches: Fraction(
        stages - 1, micro_batches + stages - 1
    ),
    "pipeline-bubble-interleaved": lambda stages, micro_batches, chunks: Fraction(
        stages - 1, chunks * micro_batches
    ),
    "pipeline-idle-ms": lambda stages, micro_batches, forward_ms, backward_ms: (
        (stages - 1) * (forward_ms + backward_ms)
    ),
    "pipeline-step-ms": lambda stages, micro_batches, forward_ms, backward_ms: (
        (micro_batches + stages - 1) * (forward_ms + backward_ms)
    ),
    "pipeline-activations-held": lambda stages, micro_batches, held_gb: min(stages, micro_batches) * held_gb,
    "grid-world-size": lambda tensor, stages, context, data, expert: tensor * stages * context * data,
    "grid-replicas": lambda gpus, tensor, stages, context, expert: gpus // (tensor * stages * context),
    "grid-global-batch": lambda gpus, tensor, stages, micro_batch, accumulation: (
        gpus // (tensor * stages) * micro_batch * accumulation
    ),
    "grid-gradient-gb": lambda billions, tensor, stages, data, zero: Fraction(
        2 * billions, tensor * stages * (data if zero >= 2 else 1)
    ),
    "memory-zero-gb": lambda billions, gpus, zero: (
        billions
        * {
            0: Fraction(16),
            1: 4 + Fraction(12, gpus),
            2: 2 + Fraction(14, gpus),
            3: Fraction(16, gpus),
        }[zero]
    ),
    "memory-gpus-for-states": lambda billions, card_gb, other_gb: math.ceil(
        Fraction(16 * billions, card_gb - other_gb)
    ),
    "memory-kv-cache-gib": lambda layers, heads, kv_heads, head_dim, tokens, batch, bytes_each: Fraction(
        2 * layers * kv_heads * head_dim * bytes_each * tokens * batch, 2**30
    ),
    **memory_paper.RIGHT,
    **speed_paper.RIGHT,
}

# (sum, misconception): worked by hand on the facts of the same row
WORKED = [
    ("pipeline-bubble-of-total", {"stages": 4, "micro_batches": 6}, "1/3", {
        "bubble-over-ideal": "1/2", "single-micro-batch": "3/4", "fill-and-drain-whole": "1/2",
        "fill-only": "1/9", "one-rank-idles": "1/12", "one-f-one-b-halves-bubble": "1/5",
    }),
    ("pipeline-bubble-interleaved", {"stages": 8, "micro_batches": 8, "chunks": 4}, "7/32", {
        "interleaving-ignored": "7/8", "chunks-are-stages": "31/8", "interleaving-squared": "7/128",
        "one-rank-idles": "7/256", "ideal-for-total": "7/39", "single-micro-batch": "7/8",
    }),
    ("pipeline-idle-ms", {"stages": 4, "micro_batches": 8, "forward_ms": 10, "backward_ms": 20}, "90", {
        "backward-forgotten": "30", "idle-each-micro-batch": "240", "fill-and-drain-whole": "180",
        "one-rank-idles": "45/2", "single-micro-batch": "720", "one-f-one-b-halves-bubble": "45",
    }),
    ("pipeline-step-ms", {"stages": 4, "micro_batches": 8, "forward_ms": 10, "backward_ms": 20}, "330", {
        "bubble-forgotten": "240", "backward-forgotten": "110", "backward-equals-forward": "220",
        "stages-in-series": "960", "pipeline-divides-time": "60", "fill-and-drain-whole": "420",
        "idle-each-micro-batch": "480", "backward-recomputes": "440",
    }),
    ("pipeline-activations-held", {"stages": 4, "micro_batches": 16, "held_gb": Fraction(3, 2)}, "6", {
        "all-micro-batches-live": "24", "one-micro-batch-live": "3/2", "held-for-the-round-trip": "21/2",
        "activations-shared-by-stages": "6", "average-for-first-stage": "15/4", "whole-model-held": "96",
    }),
    ("grid-world-size", {"tensor": 8, "stages": 4, "context": 2, "data": 2, "expert": 4}, "128", {
        "world-size-sum": "16", "ep-multiplies-world-size": "512", "context-left-out": "64",
        "one-replica-only": "64", "sequence-parallel-multiplies": "1024", "rank-is-a-node": "1024",
    }),
    ("grid-replicas", {"gpus": 512, "tensor": 8, "stages": 4, "context": 4, "expert": 4}, "4", {
        "context-left-out": "16", "pipeline-left-out": "16", "ep-multiplies-world-size": "1",
        "world-size-sum": "32", "sequence-parallel-multiplies": "1/2", "every-gpu-a-replica": "512",
        "rank-is-a-node": "1/2",
    }),
    ("grid-global-batch", {"gpus": 64, "tensor": 4, "stages": 2, "micro_batch": 2, "accumulation": 16}, "256", {
        "every-gpu-a-replica": "2048", "accumulation-forgotten": "16", "pipeline-left-out": "512",
        "one-replica-only": "32", "micro-batch-of-one": "128", "world-size-sum": "1024/3",
        "model-parallel-multiplies-batch": "4096",
    }),
    ("grid-gradient-gb", {"billions": 32, "tensor": 8, "stages": 4, "data": 2, "zero": 0}, "2", {
        "model-parallel-ignored": "64", "pipeline-left-out": "8", "data-parallel-shards-gradients": "1",
        "bf16-counted-as-fp32": "4", "gradients-are-all-states": "16", "world-size-sum": "16/3",
        "sixteen-bits-in-a-byte": "1", "bits-for-bytes": "1/4",
    }),
    ("memory-zero-gb", {"billions": 8, "gpus": 64, "zero": 1}, "67/2", {
        "zero-stage-early": "128", "zero-stage-late": "71/4", "zero-shards-everything": "2",
        "sharding-ignored": "128", "states-are-weights-only": "16", "optimizer-states-forgotten": "32",
        "bf16-counted-as-fp32": "131/2", "master-copy-unsharded": "65",
    }),
    ("memory-gpus-for-states", {"billions": 70, "card_gb": 80, "other_gb": 30}, "23", {
        "states-are-weights-only": "3", "optimizer-states-forgotten": "6", "twelve-bytes-in-all": "17",
        "rest-of-memory-forgotten": "14", "bf16-counted-as-fp32": "28", "adam-counted-twice": "40",
        "zero-stage-early": "0",
    }),
    ("memory-kv-cache-gib", {"layers": 32, "heads": 32, "kv_heads": 8, "head_dim": 128, "tokens": 8192, "batch": 16, "bytes_each": 2}, "16", {
        "query-heads-for-kv-heads": "64", "keys-without-values": "8", "one-sequence-only": "1",
        "mqa-assumed": "2", "cache-in-fp32": "32", "bits-for-bytes": "128",
    }),
    *memory_paper.WORKED,
    *speed_paper.WORKED,
]  # fmt: skip


@pytest.mark.parametrize(("name", "facts", "right", "wrong"), WORKED, ids=[row[0] for row in WORKED])
def test_worked_by_hand(name, facts, right, wrong):
    model = SUMS[name]
    assert set(model.slips) == set(wrong)
    assert model.answer(facts) == RIGHT[name](**facts) == Fraction(right)
    assert {slip: str(rule(facts)) for slip, rule in model.slips.items()} == wrong


@pytest.mark.parametrize("name", SUMS)
def test_the_model_agrees_with_paper_on_everything_drawn(name):
    draw = Draw(f"paper {name}")
    for _ in range(100):
        facts = SUMS[name].draw(draw)
        assert SUMS[name].answer(facts) == RIGHT[name](**facts)


def test_every_sum_is_worked_here():
    assert set(SUMS) == set(RIGHT) == {row[0] for row in WORKED}


def test_a_misconception_is_one_belief_in_several_sums():
    functions = misconception_functions()
    assert set(functions["world-size-sum"]) == {
        "grid-world-size",
        "grid-replicas",
        "grid-global-batch",
        "grid-gradient-gb",
    }
    assert all(functions.values())


def test_stage_two_needs_more_gpus_where_it_can_be_had_at_all():
    """20B on 96 GB cards with 16 GB taken: 40 GB of whole weights, 280 GB of the rest into 40 GB each."""
    early = SUMS["memory-gpus-for-states"].slips["zero-stage-early"]
    facts = {"billions": 20, "card_gb": 96, "other_gb": 16}
    assert (early(facts), SUMS["memory-gpus-for-states"].answer(facts)) == (7, 4)
