"""A training step: causes add up, limits hold, the why is verified, published orders of magnitude are met."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.systems.batch import batch_of
from burnin.systems.coefficients import BOUNDS, Coefficients, coefficients
from burnin.systems.counting import count, forward_flops
from burnin.systems.machine import NoSuchPeak, rates, speeds
from burnin.systems.memory import BadPlan
from burnin.systems.placement import coordinates, groups
from burnin.systems.plan import Plan
from burnin.systems.step import CAUSES, step_times
from burnin.systems.training import better_plans, total_of, train_step

from .shapes import cluster, gpu, model

H100, DGX = "h100-sxm5-80gb", "dgx-h100"
IDEAL = Coefficients(
    gemm_16bit=1.0,
    gemm_8bit=1.0,
    gemm_4bit=1.0,
    attention=1.0,
    grouped=1.0,
    memory=1e9,
    nvlink=1e9,
    network=1e9,
    hidden=1.0,
    launch_us=0.0,
    quantise=0.0,
    spread=0.0,
)

plans = st.builds(
    Plan,
    tensor=st.sampled_from([1, 2, 4, 8]),
    pipeline=st.sampled_from([1, 2, 4, 8]),
    data=st.sampled_from([1, 2, 8]),
    context=st.sampled_from([1, 2]),
    micro_batch=st.sampled_from([1, 2]),
    global_batch=st.sampled_from([64, 256]),
    zero=st.integers(0, 1),
    recompute=st.sampled_from(["none", "selective", "full"]),
    flash=st.sampled_from([0, 1, 2]),
    precision=st.sampled_from(["bf16", "fp8"]),
    overlap_data=st.booleans(),
    overlap_tensor=st.booleans(),
)


DEFAULTS = Coefficients()


def seconds(plan: Plan, fitted: Coefficients = DEFAULTS, name: str = "llama-3.1-70b") -> float:
    sheet = rates(gpu(H100), cluster(DGX), plan.precision)
    return float(step_times(count(model(name)), batch_of(plan), speeds(sheet, fitted)).total)


@given(plan=plans)
@settings(max_examples=80)
def test_causes_add_up_to_the_step(plan: Plan) -> None:
    sheet = rates(gpu(H100), cluster(DGX), plan.precision)
    times = step_times(count(model("llama-3.1-70b")), batch_of(plan), speeds(sheet, Coefficients()))
    assert total_of(times) == pytest.approx(float(times.total))
    assert all(float(getattr(times, name)) >= 0 for name in CAUSES)


def test_with_ideal_hardware_a_step_takes_its_operations_over_the_peak() -> None:
    """The limit: no traffic, no memory time, full efficiency leave 6 P T and attention, MFU 1."""
    plan = Plan(tensor=8, global_batch=8, sequence=4096)
    shape = model("llama-3.1-70b")
    # Flash attention recomputes its forward pass: 2.5 instead of 2 times forward, which no MFU counts.
    attention = 0.5 * 2 * count(shape).score_width * count(shape).attending * 2048 * plan.sequence * 8
    flops = 3 * forward_flops(count(shape), plan.sequence) * plan.sequence * 8 + attention
    assert seconds(plan, IDEAL) == pytest.approx(flops / 8 / 989e12, rel=1e-6)


@given(p=st.sampled_from([2, 4, 8]), m=st.sampled_from([8, 16, 64]), v=st.sampled_from([1, 2, 5]))
def test_the_bubble_of_ideal_hardware_is_the_published_share(p: int, m: int, v: int) -> None:
    """(p - 1)/(v m) of the ideal time (arXiv 2104.04473, section 2.2), with the output layer set aside."""
    plan = Plan(pipeline=p, global_batch=m, interleave=v)
    sheet = rates(gpu(H100), cluster(DGX), "bf16")
    times = step_times(count(model("llama-3.1-70b")), batch_of(plan), speeds(sheet, IDEAL))
    layers = float(times.total) - float(times.bubble) - float(times.output_layer)
    assert float(times.bubble) / layers == pytest.approx((p - 1) / (v * m), rel=1e-6)


@given(plan=plans)
@settings(max_examples=60)
def test_more_micro_batches_never_raise_the_bubbles_share(plan: Plan) -> None:
    sheet = rates(gpu(H100), cluster(DGX), plan.precision)
    shares = []
    for factor in (1, 2, 4):
        more = replace(plan, global_batch=plan.global_batch * factor)
        times = step_times(count(model("llama-3.1-70b")), batch_of(more), speeds(sheet, Coefficients()))
        shares.append(float(times.bubble) / float(times.total))
    assert shares == sorted(shares, reverse=True) or max(shares) == 0


@given(plan=plans)
@settings(max_examples=60)
def test_faster_hardware_and_more_overlap_never_slow_a_step_down(plan: Plan) -> None:
    base = seconds(plan)
    for name in ("gemm_16bit", "gemm_8bit", "attention", "memory", "nvlink", "network", "hidden"):
        better = replace(Coefficients(), **{name: BOUNDS[name][1]})
        assert seconds(plan, better) <= base * (1 + 1e-12), name
    assert seconds(replace(plan, overlap_data=True, overlap_tensor=True)) <= base * (1 + 1e-12)


def test_a_flip_is_true_on_both_sides() -> None:
    shape, card, where = model("llama-3.1-70b"), gpu(H100), cluster(DGX)
    plan = Plan(tensor=8, pipeline=2, data=1, global_batch=4, sequence=2048, overlap_tensor=False)
    slow = replace(where, network_gbit_s=0.2)
    step = train_step(shape, card, slow, plan, Coefficients())
    assert step.binds == "pipeline_traffic"
    flip = next(f for f in step.flips if f.quantity == "interconnect bandwidth")
    for factor, binds in ((flip.factor * 0.999, True), (flip.factor * 1.001, False)):
        faster = replace(slow, network_gbit_s=slow.network_gbit_s * factor)
        linked = replace(card, nvlink_gb_s_total=card.nvlink_gb_s_total * factor)
        assert (train_step(shape, linked, faster, plan, Coefficients()).binds == step.binds) is binds


def test_recomputing_everything_costs_about_a_third_and_hfu_shows_it() -> None:
    shape, card, where = model("llama-3.1-8b"), gpu(H100), cluster(DGX)
    plan = Plan(data=8, global_batch=64)
    plain, full = (
        train_step(shape, card, where, replace(plan, recompute=r), Coefficients()) for r in ("none", "full")
    )
    assert 1.2 < full.seconds / plain.seconds < 1.4
    assert plain.hfu == plain.mfu
    assert full.hfu / full.mfu == pytest.approx(4 / 3, rel=0.05)


def test_money_and_energy_follow_their_assumptions() -> None:
    shape, card, where = model("llama-3.1-8b"), gpu(H100), cluster(DGX)
    plan = Plan(data=8, global_batch=64)
    step = train_step(shape, card, where, plan, Coefficients())
    assert step.usd_step == pytest.approx(8 * card.price_usd_hour * step.seconds / 3600)
    assert step.usd_million_tokens == pytest.approx(step.usd_step / (64 * 4096) * 1e6)
    dear = train_step(
        shape, replace(card, price_usd_hour=2 * card.price_usd_hour), where, plan, Coefficients()
    )
    assert dear.usd_step == pytest.approx(2 * step.usd_step)
    most = 8 * (card.tdp_w + where.overhead_w_per_gpu) * step.seconds
    assert 0.3 * most < step.joules_step <= most


def test_better_plans_fit_and_are_faster() -> None:
    shape, card, where = model("llama-3.1-70b"), gpu(H100), cluster(DGX)
    plan = Plan(tensor=8, pipeline=4, data=2, global_batch=128, recompute="full", optimizer="adam-mixed")
    now = train_step(shape, card, where, plan, Coefficients())
    better = better_plans(shape, card, where, plan, Coefficients())
    assert better
    for found in better:
        then = train_step(shape, card, where, found.plan, Coefficients())
        assert then.memory.fits
        assert then.tokens_s / now.tokens_s == pytest.approx(found.speedup)


def test_what_cannot_run_is_refused() -> None:
    shape, where = model("llama-3.1-8b"), cluster("dgx-a100-80gb")
    with pytest.raises(NoSuchPeak, match="does not compute in fp8"):
        train_step(shape, gpu("a100-sxm4-80gb"), where, Plan(precision="fp8"), Coefficients())
    with pytest.raises(BadPlan, match="no multiple of data parallel"):
        train_step(shape, gpu(H100), cluster(DGX), Plan(data=8, global_batch=4), Coefficients())
    with pytest.raises(ValueError, match="out of"):
        coefficients({"memory": 1.2})


def test_every_rank_has_one_place_and_tensor_groups_stay_in_their_node() -> None:
    plan = Plan(tensor=8, pipeline=2, data=4, context=2, global_batch=4)
    places = {tuple(coordinates(plan, rank).values()) for rank in range(plan.ranks)}
    assert len(places) == plan.ranks == 128
    by_kind = {group.kind: group for group in groups(plan, cluster(DGX))}
    assert by_kind["tensor"].inside
    assert by_kind["context"].domains == 2
    assert by_kind["data"].domains == 4
    wide = {group.kind: group for group in groups(replace(plan, tensor=16), cluster(DGX))}
    assert not wide["tensor"].inside
