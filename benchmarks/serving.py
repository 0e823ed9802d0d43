"""Simulated requests a CPU second: 1,000 prompt and 200 output tokens, one thread.

    python -m benchmarks.serving

In-flight batching, chunked prefill, paged KV and preemption are on in every row. The
peer is the plain step-by-step simulator that the tests compare with, on the same
requests (fewer, as it is slow); the ratio is ours / plain in requests a second.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np
from tests.systems.serving import reference

from burnin.systems.serving.arrivals import Workload, poisson, workload
from burnin.systems.serving.events.simulate import simulate
from burnin.systems.serving.policy import Fleet, Policy
from burnin.systems.serving.step_time import StepCosts

# Of the order of an 8B model on one card; the speed hangs on the load, not on these.
COSTS = StepCosts(
    fixed_s=0.002,
    per_request_s=1e-5,
    per_prefill_token_s=2e-5,
    per_prefill_pair_s=1e-10,
    per_decode_token_s=2e-5,
    weights_s=0.005,
    per_kv_token_s=4e-8,
)
LOADS = (
    ("room to spare", 20, 20_000),
    ("short of KV memory, evicts", 20, 4_000),
    ("overloaded", 60, 20_000),
)


def asked(rate: float, count: int) -> Workload:
    arrivals = poisson(rate, count, np.random.default_rng(0))
    return workload(arrival_s=arrivals, prompt=1000, output=200)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--plain-requests", type=int, default=40)
    arguments = parser.parse_args()
    for name, rate, blocks in LOADS:
        policy = Policy(kv_blocks=blocks)
        work = asked(rate, arguments.requests)
        began = process_time()
        run = simulate(work, COSTS, policy)
        ours = len(work) / (process_time() - began)
        few = asked(rate, arguments.plain_requests)
        began = process_time()
        reference.run(few, COSTS, policy, Fleet(), [0])
        plain = len(few) / (process_time() - began)
        print(
            f"{name}: {ours:,.0f} requests/s ({run.steps:,} steps, {int(run.preempted.sum()):,} evictions); "
            f"plain {plain:,.0f}; ratio {ours / plain:,.0f}"
        )


if __name__ == "__main__":
    main()
