from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from burnin.systems.serving.arrivals import Workload, accepted_drafts, poisson, workload
from burnin.systems.serving.events.simulate import simulate
from burnin.systems.serving.policy import Fleet, Policy
from burnin.systems.serving.step_time import StepCosts

from . import reference

GRAIN = 2.0**-16  # sums of such seconds are exact in doubles


def case(seed: int) -> tuple[Workload, StepCosts, Policy, Fleet, list[int]]:
    """Return a small case with features thrown in by chance; short memory, so that requests are evicted."""
    r = Random(seed)
    count = r.randint(1, 14)
    closed = r.random() < 0.3
    size = r.choice([1, 2, 4, 16])
    drafts = r.choice([0, 0, 0, 1, 3])
    most = r.choice([1, 2, 3, 6])
    costs = StepCosts(
        fixed_s=r.randint(1, 200) * GRAIN,
        per_request_s=r.randint(0, 5) * GRAIN,
        per_prefill_token_s=r.randint(0, 9) * GRAIN,
        per_prefill_pair_s=r.randint(0, 3) * GRAIN / 4,
        per_decode_token_s=r.randint(0, 9) * GRAIN,
        weights_s=r.randint(0, 100) * GRAIN,
        per_kv_token_s=r.randint(0, 3) * GRAIN / 4,
        overlap=r.choice(["max", "sum"]),
    )
    policy = Policy(
        batching=r.choice(["in-flight", "in-flight", "dynamic", "static"]),
        max_requests=most,
        token_budget=most * (1 + drafts) + r.choice([1, 3, 10, 60]),
        chunked=r.random() < 0.6,
        kv_blocks=r.randint(70, 160) // size + 1,
        block_tokens=size,
        spare_blocks=r.choice([0, 0, 2]),
        prefix_cache=r.random() < 0.5,
        preferred=r.randint(1, most),
        max_delay_s=r.randint(0, 4000) * GRAIN,
        queue_limit=r.choice([None, None, 1, 4]),
        draft_tokens=drafts,
        draft_s=r.randint(0, 9) * GRAIN,
        max_adapters=r.randint(1, 3),
        adapter_load_s=r.randint(0, 500) * GRAIN,
    )
    fleet = Fleet(
        replicas=r.choice([1, 1, 2, 3]),
        routing=r.choice(["round-robin", "least-outstanding", "prefix-aware"]),
        prefill_replicas=r.choice([0, 0, 1, 2]),
        transfer_s=r.randint(0, 300) * GRAIN,
        transfer_per_token_s=r.randint(0, 3) * GRAIN,
    )
    groups = r.randint(1, 3)
    work = workload(
        arrival_s=() if closed else sorted(r.randint(0, r.choice([1, 60_000])) * GRAIN for _ in range(count)),
        prompt=[r.randint(1, 60) for _ in range(count)],
        output=[r.randint(1, 30) for _ in range(count)],
        priority=[r.randint(0, 2) for _ in range(count)] if r.random() < 0.4 else 0,
        prefix=[r.randint(-1, groups - 1) for _ in range(count)],
        prefix_tokens=r.randint(0, 40),
        adapter=[r.randint(-1, 3) for _ in range(count)] if r.random() < 0.4 else -1,
        clients=r.randint(1, 5) if closed else 0,
        think_s=r.randint(0, 2000) * GRAIN,
        count=count,
    )
    return work, costs, policy, fleet, [r.randint(0, drafts) for _ in range(64)]


def test_equals_the_plain_simulator_event_by_event() -> None:
    seen = {"evicted": 0, "cached": 0, "rejected": 0, "moved": 0}
    for seed in range(1000):
        work, costs, policy, fleet, accepted = case(seed)
        run = simulate(work, costs, policy, fleet, accepted=accepted, notes=True)
        requests, notes = reference.run(work, costs, policy, fleet, accepted)
        ours = sorted((Fraction(t), i, what, where) for t, i, what, where in run.notes)
        assert ours == sorted(notes), seed
        assert run.preempted.tolist() == [r["evictions"] for r in requests], seed
        assert run.tokens.tolist() == [r["made"] for r in requests], seed
        assert run.free_blocks == (policy.kv_blocks,) * len(run.free_blocks), seed
        seen["evicted"] += int(run.preempted.sum())
        seen["cached"] += run.cached_tokens
        seen["rejected"] += run.rejected
        seen["moved"] += sum(what == "moved" for _, _, what, _ in run.notes)
    assert min(seen.values()) > 200, seen


ONE = Policy(max_requests=1, token_budget=10**9, kv_blocks=10**9)
TOKENS_ONLY = StepCosts(
    fixed_s=0.0,
    per_request_s=0.0,
    per_prefill_token_s=1e-6,
    per_prefill_pair_s=0.0,
    per_decode_token_s=0.0,
    weights_s=0.0,
    per_kv_token_s=0.0,
)


@pytest.mark.parametrize("load", [0.5, 0.8])
@pytest.mark.parametrize(("law", "factor"), [("M/M/1", 1.0), ("M/D/1", 0.5)])
def test_waits_as_queueing_theory_says_at_batch_one(law: str, factor: float, load: float) -> None:
    """Mean wait of a single server with service of 1 s: load / (1 - load), halved where service is constant."""
    count, rng = 200_000, np.random.default_rng(7)
    prompt: Any = 10**6 if law == "M/D/1" else np.ceil(rng.exponential(1e6, count)).astype(np.int64)
    work = workload(arrival_s=poisson(load, count, rng), prompt=prompt, output=1)
    run = simulate(work, TOKENS_ONLY, ONE)
    wait = float(np.mean(run.latency_s - work.prompt * 1e-6))
    assert wait == pytest.approx(factor * load / (1 - load), rel=0.05)


def test_tokens_are_conserved_and_blocks_come_back() -> None:
    rng = np.random.default_rng(3)
    count = 2000
    work = workload(arrival_s=poisson(30.0, count, rng), prompt=1000, output=200)
    costs = StepCosts(
        fixed_s=0.002,
        per_request_s=1e-5,
        per_prefill_token_s=2e-5,
        per_prefill_pair_s=1e-10,
        per_decode_token_s=2e-5,
        weights_s=0.005,
        per_kv_token_s=4e-8,
    )
    run = simulate(work, costs, Policy(kv_blocks=4000), samples=True)
    assert run.preempted.sum() > 0
    assert int(run.tokens.sum()) == 200 * count
    # Every eviction prefills its prompt again, and at least the token that was made.
    assert run.prefilled_tokens >= 1000 * count + 1001 * int(run.preempted.sum())
    assert run.free_blocks == (4000,)
    assert max(used for _, _, used, _, _ in run.samples) <= 4000


def test_holds_as_many_requests_as_little_says() -> None:
    """Mean requests inside, counted on a clock of its own, are rate x mean stay (Little, 1961)."""
    rng = np.random.default_rng(5)
    work = workload(arrival_s=poisson(0.7, 20_000, rng), prompt=10**6, output=1)
    run = simulate(work, TOKENS_ONLY, ONE)
    looks = np.arange(0.0, float(run.finish_s.max()), 0.05)
    inside = np.searchsorted(run.arrival_s, looks, "right") - np.searchsorted(
        np.sort(run.finish_s), looks, "right"
    )
    rate = len(work) / float(run.finish_s.max())
    assert float(inside.mean()) == pytest.approx(rate * float(run.latency_s.mean()), rel=0.01)


def test_drafts_are_accepted_as_the_formula_says() -> None:
    drawn = accepted_drafts(0.8, 4, np.random.default_rng(0))
    assert float(np.mean(1 + drawn)) == pytest.approx((1 - 0.8**5) / (1 - 0.8), rel=0.01)
