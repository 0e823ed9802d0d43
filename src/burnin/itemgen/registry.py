"""Every sum by the name that generators' words use, and every misconception's functions."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.itemgen import (
    card_sums,
    compute_sums,
    decode_sums,
    expert_sums,
    grid_sums,
    memory_sums,
    pipeline_sums,
    serving_sums,
    traffic_sums,
    tuning_sums,
)
from burnin.itemgen.sums import Rule, Sum

SUMS: Mapping[str, Sum] = {
    "pipeline-bubble-of-total": pipeline_sums.BUBBLE_OF_TOTAL,
    "pipeline-bubble-interleaved": pipeline_sums.INTERLEAVED_BUBBLE,
    "pipeline-idle-ms": pipeline_sums.IDLE_MS,
    "pipeline-step-ms": pipeline_sums.STEP_MS,
    "pipeline-activations-held": pipeline_sums.ACTIVATIONS_HELD,
    "grid-world-size": grid_sums.WORLD_SIZE,
    "grid-replicas": grid_sums.REPLICAS,
    "grid-global-batch": grid_sums.GLOBAL_BATCH,
    "grid-gradient-gb": grid_sums.GRADIENT_GB,
    "memory-zero-gb": memory_sums.ZERO_GB,
    "memory-gpus-for-states": memory_sums.GPUS_FOR_STATES,
    "memory-kv-cache-gib": memory_sums.KV_CACHE_GIB,
    "speed-decode-floor-ms": decode_sums.DECODE_FLOOR_MS,
    "speed-decode-step-ms": decode_sums.DECODE_STEP_MS,
    "speed-prefill-ms": decode_sums.PREFILL_MS,
    "speed-ridge-batch": decode_sums.RIDGE_BATCH,
    "speed-speculative-tokens": decode_sums.SPECULATIVE_TOKENS,
    "speed-ring-sent-gb": traffic_sums.RING_SENT_GB,
    "speed-accumulation": traffic_sums.ACCUMULATION,
    "speed-train-tokens-k": compute_sums.TRAIN_TOKENS_K,
    "speed-mfu": compute_sums.MFU,
    "speed-gpu-hours-k": compute_sums.GPU_HOURS_K,
    "speed-optimal-params-b": compute_sums.OPTIMAL_PARAMS_B,
    "speed-tensor-mb": traffic_sums.TENSOR_MB,
    "serving-weights-gb": serving_sums.WEIGHTS_GB,
    "serving-kv-token-kib": serving_sums.KV_TOKEN_KIB,
    "serving-sequences-fit": serving_sums.SEQUENCES_FIT,
    "tuning-lora-params-m": tuning_sums.LORA_PARAMS_M,
    "tuning-lora-gb": tuning_sums.TUNING_GB,
    "tuning-lora-gpus": tuning_sums.LORA_GPUS,
    "card-offload-left-gb": card_sums.OFFLOAD_LEFT_GB,
    "card-activations-mb": card_sums.ACTIVATIONS_MB,
    "card-largest-model-b": card_sums.LARGEST_MODEL_B,
    "card-micro-batch": card_sums.MICRO_BATCH,
    "experts-stored-gb": expert_sums.MOE_GB,
    "experts-rank-gb": expert_sums.EXPERT_RANK_GB,
}


def misconception_functions() -> dict[str, dict[str, Rule]]:
    """Return, for each misconception that can be computed with, its function in each sum."""
    functions: dict[str, dict[str, Rule]] = {}
    for name, model in SUMS.items():
        for misconception, rule in model.slips.items():
            functions.setdefault(misconception, {})[name] = rule
    return functions
