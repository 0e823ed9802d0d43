"""The memory sums on paper, sharing no code with them: right answers, and rows worked by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

Q = Fraction

_BYTES_A_PARAMETER = {
    0: lambda n: Q(16),
    1: lambda n: 4 + Q(12, n),
    2: lambda n: 2 + Q(14, n),
    3: lambda n: Q(16, n),
}

RIGHT: Mapping[str, Callable[..., Fraction | int]] = {
    "serving-weights-gb": lambda billions, bits, cache_bits, tensor, replicas: Q(billions * bits, 8 * tensor),
    "serving-kv-token-kib": lambda layers, heads, kv_heads, head_dim, bytes_each, tensor: Q(
        2 * layers * head_dim * bytes_each * math.ceil(Q(kv_heads, tensor)), 1024
    ),
    "serving-sequences-fit": lambda card_gb, billions, other_gb, token_kb, prompt, output, longest: (
        (card_gb - other_gb - 2 * billions) * 1_000_000 // (token_kb * (prompt + output))
    ),
    "tuning-lora-params-m": lambda layers, hidden, rank, alpha, targets: Q(
        layers * targets * (rank * hidden + hidden * rank), 1_000_000
    ),
    "tuning-lora-gb": lambda billions, bits, adapter_m: Q(billions * bits, 8) + Q(adapter_m * 16, 1000),
    "tuning-lora-gpus": lambda card_gb, other_gb, billions, adapter_m: (
        -(-(2000 * billions + 16 * adapter_m) // (1000 * (card_gb - other_gb)))
    ),
    "card-offload-left-gb": lambda billions, gpus, zero: (
        billions * {0: Q(4), 1: Q(4), 2: 2 + Q(2, gpus), 3: Q(4, gpus)}[zero]
    ),
    "card-activations-mb": lambda sequence, micro_batch, hidden, heads, tensor, recompute: Q(
        34 * sequence * micro_batch * hidden
        + (0 if recompute else 5 * heads * sequence * sequence * micro_batch),
        tensor * 1_000_000,
    ),
    "card-largest-model-b": lambda card_gb, other_gb, gpus, zero: math.floor(
        (card_gb - other_gb) / _BYTES_A_PARAMETER[zero](gpus)
    ),
    "card-micro-batch": lambda card_gb, fixed_gb, stages, micro_batches, layers, layer_mb: (
        (card_gb - fixed_gb) * 1000 // (layers * layer_mb * min(stages, micro_batches))
    ),
    "experts-stored-gb": lambda shared, experts, expert, active, bytes_each: (
        bytes_each * (shared + experts * expert)
    ),
    "experts-rank-gb": lambda shared, experts, expert, active, ranks, bytes_each: (
        bytes_each * (shared + experts // ranks * expert)
    ),
}

WORKED = [
    ("serving-weights-gb", {"billions": 32, "bits": 4, "cache_bits": 16, "tensor": 4, "replicas": 2}, "4", {
        "weights-stay-sixteen-bit": "16", "bf16-counted-as-fp32": "0", "sixteen-bits-in-a-byte": "0",
        "four-bits-in-a-byte": "8", "cache-format-for-weights": "16", "weights-on-every-rank": "16",
        "replicas-share-weights": "2", "bits-for-bytes": "32",
    }),
    ("serving-kv-token-kib", {"layers": 32, "heads": 32, "kv_heads": 8, "head_dim": 128, "bytes_each": 1, "tensor": 2}, "32", {
        "query-heads-for-kv-heads": "128", "keys-without-values": "16", "cache-on-every-rank": "64",
        "mqa-assumed": "8", "cache-as-wide-as-weights": "64", "cache-in-fp32": "128",
        "queries-cached-too": "96", "group-for-kv-heads": "16",
    }),
    ("serving-sequences-fit", {"card_gb": 80, "billions": 16, "other_gb": 8, "token_kb": 125, "prompt": 3000, "output": 1000, "longest": 8000}, "80", {
        "weights-take-no-room": "144", "rest-of-memory-forgotten": "96", "outputs-not-cached": "106",
        "prompts-not-cached": "320", "longest-length-reserved": "40", "bf16-counted-as-fp32": "16",
        "sixteen-bits-in-a-byte": "112", "prefill-and-decode-cache-apart": "45",
    }),
    ("tuning-lora-params-m", {"layers": 25, "hidden": 4000, "rank": 16, "alpha": 32, "targets": 2}, "32/5", {
        "one-lora-matrix": "16/5", "one-projection-a-layer": "16/5", "every-projection-adapted": "64/5",
        "alpha-for-rank": "64/5", "bytes-for-parameters": "64/5",
    }),
    ("tuning-lora-gb", {"billions": 8, "bits": 4, "adapter_m": 250}, "8", {
        "weights-stay-sixteen-bit": "20", "four-bits-in-a-byte": "12", "bf16-counted-as-fp32": "0",
        "base-gradients-kept": "24", "optimizer-states-forgotten": "5", "states-are-weights-only": "9/2",
        "frozen-base-takes-nothing": "4", "sixteen-bits-in-a-byte": "0", "lora-is-qlora": "0", "adam-counted-twice": "11", "bits-for-bytes": "36",
    }),
    ("tuning-lora-gpus", {"card_gb": 80, "other_gb": 30, "billions": 70, "adapter_m": 500}, "3", {
        "lora-trains-the-base": "23", "base-gradients-kept": "6", "rest-of-memory-forgotten": "2",
        "lora-is-qlora": "1", "sixteen-bits-in-a-byte": "2", "frozen-base-takes-nothing": "1",
        "adam-counted-twice": "4",
    }),
    ("card-offload-left-gb", {"billions": 8, "gpus": 4, "zero": 2}, "20", {
        "zero-stage-early": "32", "zero-stage-late": "8", "zero-shards-everything": "8",
        "sharding-ignored": "32", "offload-takes-gradients": "16", "offload-keeps-master-copy": "28",
        "offload-frees-nothing": "44", "bf16-counted-as-fp32": "40",
    }),
    ("card-activations-mb", {"sequence": 2000, "micro_batch": 2, "hidden": 5000, "heads": 50, "tensor": 4, "recompute": 1}, "170", {
        "selective-drops-nothing": "670", "selective-keeps-the-core": "500", "selective-drops-linear-parts": "50",
        "norms-stay-whole": "320", "norms-keep-nothing": "120",
        "tensor-parallel-keeps-all": "680", "micro-batch-of-one": "85", "bytes-counted-twice": "340",
    }),
    ("card-largest-model-b", {"card_gb": 80, "other_gb": 24, "gpus": 4, "zero": 1}, "8", {
        "zero-stage-early": "3", "zero-stage-late": "10", "zero-shards-everything": "14",
        "sharding-ignored": "3", "rest-of-memory-forgotten": "11", "states-are-weights-only": "28",
        "optimizer-states-forgotten": "14", "bf16-counted-as-fp32": "5", "master-copy-unsharded": "5",
    }),
    ("card-micro-batch", {"card_gb": 80, "fixed_gb": 40, "stages": 4, "micro_batches": 8, "layers": 10, "layer_mb": 100}, "10", {
        "one-micro-batch-live": "40", "all-micro-batches-live": "5", "held-for-the-round-trip": "5",
        "average-for-first-stage": "16", "rest-of-memory-forgotten": "20", "activations-shared-by-stages": "20",
        "all-layers-on-a-stage": "2",
    }),
    ("experts-stored-gb", {"shared": 4, "experts": 8, "expert": 3, "active": 2, "bytes_each": 2}, "56", {
        "moe-memory-is-active-only": "20", "one-expert-at-a-time": "14", "experts-are-whole-models": "112",
        "sixteen-bits-in-a-byte": "28", "bf16-counted-as-fp32": "112", "weights-stay-sixteen-bit": "0",
        "active-added-to-stored": "76",
    }),
    ("experts-rank-gb", {"shared": 4, "experts": 8, "expert": 3, "active": 2, "ranks": 4, "bytes_each": 2}, "20", {
        "shared-part-sharded": "14", "experts-on-every-rank": "56", "moe-memory-is-active-only": "20",
        "one-expert-a-rank": "14", "shared-part-held-elsewhere": "12", "active-experts-spread": "11",
        "bf16-counted-as-fp32": "40", "sixteen-bits-in-a-byte": "10",
    }),
]  # fmt: skip
