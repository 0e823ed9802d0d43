"""The peer's side of ``benchmarks.systems``: runs in an environment of its own and prints one JSON line."""

from __future__ import annotations

import json
import logging
from itertools import product
from time import process_time

logging.disable(logging.CRITICAL)

from llm_analysis.analysis import ActivationRecomputation, DSZeRO, LLMAnalysis  # noqa: E402
from llm_analysis.config import GPUConfig, ModelConfig, ParallelismConfig  # noqa: E402

MODEL = ModelConfig(
    name="llama-70b",
    num_layers=80,
    n_head=64,
    hidden_dim=8192,
    vocab_size=128256,
    max_seq_len=8192,
    num_key_value_heads=8,
    expansion_ratio=4,  # it knows whole ratios only; the time does not depend on it
)
GPU = GPUConfig(
    name="h100",
    mem_per_GPU_in_GB=80,
    hbm_bandwidth_in_GB_per_sec=3350,
    intra_node_bandwidth_in_GB_per_sec=900,
    intra_node_min_message_latency=8e-6,
    peak_fp16_TFLOPS=989,
    inter_node_bandwidth_in_GB_per_sec=400,
)


def main() -> None:
    plans = [
        (t, p, m, r, z)
        for t, p, m, r, z in product(
            (1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 4), tuple(ActivationRecomputation), tuple(DSZeRO)
        )
    ]
    seconds, done = 0.0, 0
    for t, p, m, r, z in plans:
        data = 1024 // t // p
        began = process_time()
        try:
            analysis = LLMAnalysis(
                MODEL,
                GPU,
                parallelism_config=ParallelismConfig(tp_size=t, pp_size=p, dp_size=data, sp_size=t),
                flops_efficiency=0.5,
                hbm_memory_efficiency=0.7,
            )
            analysis.training(
                batch_size_per_gpu=m,
                global_batch_size=4096,
                seq_len=8192,
                total_num_tokens=10**12,
                activation_recomputation=r,
                ds_zero=z,
            )
        except AssertionError:
            # The peer's way to say that a plan does not fit; it stops early, so the plan does not count.
            continue
        seconds += process_time() - began
        done += 1
    print(json.dumps({"plans_s": done / seconds, "plans": done}))


if __name__ == "__main__":
    main()
