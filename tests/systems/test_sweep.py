"""The sweep equals the scalar function plan by plan, and its front is one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from burnin.systems.coefficients import Coefficients
from burnin.systems.memory import training_memory
from burnin.systems.plan import Plan, plan_faults
from burnin.systems.sweep import pareto_front, plan_space, sweep
from burnin.systems.training import train_step

from .shapes import cluster, gpu, model

CASES = [
    ("llama-3.1-70b", "h100-sxm5-80gb", "dgx-h100", 512, Plan(global_batch=1024, precision="fp8")),
    ("gpt-3-175b", "a100-sxm4-80gb", "dgx-a100-80gb", 384, Plan(global_batch=1536, flash=0, dropout=True)),
    (
        "qwen3-30b-a3b",
        "gb200",
        "gb200-nvl72",
        64,
        Plan(global_batch=512, precision="mxfp8", overlap_expert=True),
    ),
    ("deepseek-v3", "b300-sxm", "dgx-b300", 256, Plan(global_batch=4096, optimizer="adam-mixed")),
    ("nemotron-3-nano", "h100-sxm5-80gb", "dgx-h100", 64, Plan(global_batch=512, cuda_graphs=True)),
]


@pytest.mark.parametrize(("name", "card", "where", "ranks", "base"), CASES)
def test_two_thousand_random_plans_each_equal_the_scalar_function(
    name: str, card: str, where: str, ranks: int, base: Plan
) -> None:
    shape, chip, place, fitted = model(name), gpu(card), cluster(where), Coefficients()
    space = plan_space(shape, ranks, base)
    found = sweep(shape, chip, place, space, fitted)
    chosen = np.random.default_rng(11).choice(len(space), size=2000, replace=len(space) < 2000)
    for index in chosen:
        plan = space.plan(int(index))
        assert plan_faults(plan, shape) == []
        assert plan.ranks == ranks
        step = train_step(shape, chip, place, plan, fitted, explain=False)
        assert step.seconds == pytest.approx(found.seconds[index], rel=1e-12)
        assert step.mfu == pytest.approx(found.mfu[index], rel=1e-12)
        assert step.memory.total == pytest.approx(found.bytes_held[index], rel=1e-12)
        assert step.memory.fits == found.fits[index]


def test_the_space_holds_every_plan_that_a_brute_force_finds() -> None:
    shape = model("qwen3-30b-a3b")
    base = Plan(global_batch=16, sequence=4096)
    space = plan_space(shape, 8, base, micro_batches=(1, 2), recompute=("none", "full"), zero=(0, 1, 3))
    listed = {space.plan(i) for i in range(len(space))}
    assert len(listed) == len(space)
    found = set()
    powers = (1, 2, 4, 8)
    for t in powers:
        for p in powers:
            for c in powers:
                for d in powers:
                    for e in powers:
                        for m in (1, 2):
                            for r in ("none", "full"):
                                for z in (0, 1, 3):
                                    for sp in (True, False):
                                        plan = replace(
                                            base,
                                            tensor=t,
                                            pipeline=p,
                                            context=c,
                                            data=d,
                                            expert=e,
                                            micro_batch=m,
                                            recompute=r,
                                            zero=z,
                                            sequence_parallel=sp,
                                        )
                                        if plan.ranks != 8 or plan_faults(plan, shape):
                                            continue
                                        if (not sp and t == 1) or (z and d * c == 1):
                                            continue
                                        found.add(plan)
    assert {plan for plan in listed if plan.interleave == 1} == found


def test_the_front_is_what_nobody_beats() -> None:
    rng = np.random.default_rng(5)
    gain, cost = rng.integers(0, 20, 300).astype(float), rng.integers(0, 20, 300).astype(float)
    front = pareto_front(gain, cost)
    points = {(gain[i], cost[i]) for i in front}
    for g, c in zip(gain, cost, strict=True):
        beaten = any((a >= g and b <= c and (a, b) != (g, c)) for a, b in zip(gain, cost, strict=True))
        assert ((g, c) in points) is not beaten
    assert [gain[i] for i in front] == sorted((gain[i] for i in front), reverse=True)


def test_best_and_front_hold_only_plans_that_fit() -> None:
    shape, chip = model("llama-3.1-70b"), gpu("h100-sxm5-80gb")
    space = plan_space(shape, 64, Plan(global_batch=128, sequence=8192))
    found = sweep(shape, chip, cluster("dgx-h100"), space, Coefficients())
    best = found.best(5)
    assert best
    assert (
        found.pareto()[0] == best[0] or found.tokens_s_gpu[found.pareto()[0]] == found.tokens_s_gpu[best[0]]
    )
    for index in {*best, *found.pareto()}:
        assert training_memory(shape, space.plan(index), chip).fits
    assert found.tokens_s_gpu[best[0]] == found.tokens_s_gpu[found.fits].max()
