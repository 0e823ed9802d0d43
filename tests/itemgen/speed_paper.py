"""The speed sums on paper, sharing no code with them: right answers, and rows worked by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

Q = Fraction

RIGHT: Mapping[str, Callable[..., Fraction | int]] = {
    "speed-decode-floor-ms": lambda billions, bytes_each, bandwidth, ranks: (
        Q(billions * bytes_each, ranks) / Q(bandwidth, 1000)
    ),
    "speed-decode-step-ms": lambda billions, batch, tokens, token_kb, bandwidth: (
        (2 * billions + Q(batch * tokens * token_kb, 10**6)) / Q(bandwidth, 1000)
    ),
    "speed-prefill-ms": lambda billions, tokens, peak, percent, gpus: (
        Q(2 * billions * 10**9 * tokens, gpus * peak * 10**12) * Q(100, percent) * 1000
    ),
    # Time of 2 B operations a weight at the peak, against the time to read it.
    "speed-ridge-batch": lambda peak, bandwidth, bytes_each: (
        Q(bytes_each, bandwidth * 10**9) / Q(2, peak * 10**12)
    ),
    # Ends at the j-th rejection: j tokens with probability a^(j-1) (1 - a), all k + 1 with a^k.
    "speed-speculative-tokens": lambda accepted, drafted, steps: (
        steps
        * (
            sum((j + 1) * Q(accepted, 100) ** j * (1 - Q(accepted, 100)) for j in range(drafted))
            + (drafted + 1) * Q(accepted, 100) ** drafted
        )
    ),
    # 2 (n - 1) messages of one n-th each.
    "speed-ring-sent-gb": lambda size_gb, ranks: sum(Q(size_gb, ranks) for _ in range(2 * (ranks - 1))),
    "speed-accumulation": lambda tensor, stages, data, micro_batch, sequences: Q(
        sequences, data * micro_batch
    ),
    "speed-train-tokens-k": lambda billions, peak, percent, gpus: (
        Q(gpus * peak * 10**12 * percent, 100) / (6 * billions * 10**9) / 1000
    ),
    "speed-mfu": lambda billions, tokens_k, peak, gpus: Q(
        6 * billions * 10**9 * tokens_k * 1000, gpus * peak * 10**12
    ),
    "speed-gpu-hours-k": lambda billions, tokens_b, peak, percent: (
        Q(6 * billions * tokens_b * 10**18, peak * 10**12) * Q(100, percent) / 3600 / 1000
    ),
    "speed-optimal-params-b": lambda billions, times: billions * math.isqrt(times),
    "speed-tensor-mb": lambda sequence, micro_batch, hidden: Q(
        (2 + 2) * 2 * sequence * micro_batch * hidden, 10**6
    ),
}

WORKED = [
    ("speed-decode-floor-ms", {"billions": 32, "bytes_each": 2, "bandwidth": 2000, "ranks": 4}, "8", {
        "bits-for-bytes": "1", "split-over-ranks-twice": "2", "ranks-read-everything": "32", "bandwidth-counted-twice": "4",
        "bf16-counted-as-fp32": "16", "sixteen-bits-in-a-byte": "4", "served-in-four-bits": "2",
        "read-and-written-back": "16",
    }),
    ("speed-decode-step-ms", {"billions": 10, "batch": 8, "tokens": 5000, "token_kb": 250, "bandwidth": 2000}, "15", {
        "cache-not-read": "10", "weights-not-read": "5", "weights-for-each-sequence": "85",
        "one-sequence-only": "85/8", "bandwidth-counted-twice": "15/2", "read-and-written-back": "30",
        "keys-and-values-doubled-again": "20",
    }),
    ("speed-prefill-ms", {"billions": 10, "tokens": 2000, "peak": 500, "percent": 40, "gpus": 2}, "100", {
        "sparse-peak-for-dense": "50", "training-flops-for-inference": "300", "multiply-without-add": "50",
        "utilisation-forgotten": "40", "one-gpu-does-all": "200", "backward-in-prefill": "200",
    }),
    ("speed-ridge-batch", {"peak": 400, "bandwidth": 2000, "bytes_each": 1}, "100", {
        "sparse-peak-for-dense": "200", "bandwidth-counted-twice": "50", "training-flops-for-inference": "100/3",
        "bf16-counted-as-fp32": "400", "ridge-taken-for-batch": "200", "sixteen-bits-in-a-byte": "0",
        "multiply-without-add": "200", "wider-weights-bind-sooner": "100", "bits-for-bytes": "800",
    }),
    ("speed-speculative-tokens", {"accepted": 50, "drafted": 3, "steps": 2000}, "3750", {
        "bonus-token-forgotten": "1750", "every-draft-accepted": "8000", "rejection-ignored-in-a-row": "5000",
        "drafts-times-acceptance": "3000", "all-drafts-or-none": "2750", "acceptance-of-all-positions": "4000",
        "one-token-a-step": "2000",
    }),
    ("speed-ring-sent-gb", {"size_gb": 8, "ranks": 4}, "12", {
        "one-pass-of-two": "6", "buffer-sent-once": "8", "whole-buffer-to-each-rank": "24",
        "traffic-of-all-ranks": "48", "own-share-sent-too": "16", "share-of-each-rank-sent-once": "2",
        "all-three-passes": "18",
    }),
    ("speed-accumulation", {"tensor": 4, "stages": 2, "data": 8, "micro_batch": 4, "sequences": 512}, "16", {
        "every-gpu-a-replica": "2", "stages-are-replicas": "8", "tensor-ranks-are-replicas": "4",
        "micro-batch-left-out": "64", "replicas-left-out": "128", "stages-share-a-replicas-batch": "32",
    }),
    ("speed-train-tokens-k", {"billions": 10, "peak": 1000, "percent": 30, "gpus": 40}, "200", {
        "sparse-peak-for-dense": "400", "inference-flops-for-training": "600", "utilisation-forgotten": "2000/3",
        "backward-costs-as-forward": "300", "recompute-counted-as-work": "150", "twelve-flops-a-token": "100",
        "optimizer-bytes-as-flops": "75",
    }),
    ("speed-mfu", {"billions": 10, "tokens_k": 200, "peak": 1000, "gpus": 40}, "3/10", {
        "sparse-peak-for-dense": "3/20", "inference-flops-for-training": "1/10", "recompute-counted-as-work": "2/5",
        "backward-costs-as-forward": "1/5", "twelve-flops-a-token": "3/5", "optimizer-bytes-as-flops": "4/5",
    }),
    ("speed-gpu-hours-k", {"billions": 6, "tokens_b": 500, "peak": 500, "percent": 40}, "25", {
        "sparse-peak-for-dense": "25/2", "inference-flops-for-training": "25/3", "utilisation-forgotten": "10",
        "recompute-counted-as-work": "100/3", "backward-costs-as-forward": "50/3", "twelve-flops-a-token": "50",
    }),
    ("speed-optimal-params-b", {"billions": 5, "times": 16}, "20", {
        "all-compute-into-parameters": "80", "compute-halved-between-both": "40", "all-compute-into-tokens": "5",
        "root-halved": "10", "parameters-grow-faster": "40", "tokens-grow-faster": "10",
    }),
    ("speed-tensor-mb", {"sequence": 4000, "micro_batch": 1, "hidden": 8000}, "256", {
        "forward-collectives-only": "128", "one-collective-a-layer": "64", "recomputed-forward-counted": "384",
        "fp32-activations": "512", "gathered-and-scattered-too": "768",
    }),
]  # fmt: skip
