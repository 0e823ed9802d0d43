"""A rank's memory: filled formulas add up, limits hold, the smallest change is one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.systems.footprint import Assumptions
from burnin.systems.memory import BadPlan, changes, offload, smallest_change, training_memory
from burnin.systems.plan import Plan, plan_faults

from .shapes import catalog, gpu, model

NOTHING = Assumptions(context_gib=0, fragmentation=0, gathered_layers=0)
H100 = "h100-sxm5-80gb"

plans = st.builds(
    Plan,
    tensor=st.sampled_from([1, 2, 4, 8]),
    pipeline=st.sampled_from([1, 2, 4, 8]),
    data=st.sampled_from([1, 2, 8, 64]),
    context=st.sampled_from([1, 2]),
    micro_batch=st.sampled_from([1, 2]),
    global_batch=st.just(1024),
    sequence_parallel=st.booleans(),
    zero=st.integers(0, 1),
    recompute=st.sampled_from(["none", "selective", "full"]),
    flash=st.sampled_from([0, 2]),
    dropout=st.booleans(),
)


def test_seven_billion_on_one_card_is_the_eightfold_of_its_16_bit_weights() -> None:
    memory = training_memory(model("llama-2-7b"), Plan(optimizer="adam-mixed"), assumed=NOTHING)
    states = sum(t.value for t in memory.terms if t.name in {"weights", "gradients", "optimizer states"})
    assert states == pytest.approx(16 * 6_738_415_616)


@given(plan=plans)
@settings(max_examples=60)
def test_filled_formulas_give_the_terms_and_terms_give_the_waterfall(plan: Plan) -> None:
    memory = training_memory(model("llama-3.1-70b"), plan, gpu(H100))
    for term in memory.terms:
        sum_ = term.filled.partition(" [")[0].replace(" x ", "*").replace("^", "**")
        assert eval(sum_) == pytest.approx(term.value, rel=1e-5), term
    values = [term.value for term, _ in memory.waterfall]
    assert values == sorted(values, reverse=True)
    assert memory.waterfall[-1][1] == pytest.approx(memory.total)


@given(plan=plans)
@settings(max_examples=60)
def test_what_should_save_memory_never_costs_any(plan: Plan) -> None:
    shape = model("llama-3.1-70b")
    before = training_memory(shape, plan, assumed=NOTHING).total
    for changed in (
        replace(plan, zero=1),
        replace(plan, sequence_parallel=True),
        replace(plan, recompute="full" if plan.recompute == "full" else "selective"),
        replace(plan, micro_batch=1),
    ):
        assert training_memory(shape, changed, assumed=NOTHING).total <= before * (1 + 1e-12)


def test_states_of_all_ranks_add_up_to_the_whole_model() -> None:
    """Conservation: with full sharding N ranks hold 18 bytes a parameter once."""
    for name in ("llama-3.1-8b", "qwen3-30b-a3b"):
        shape = model(name)
        plan = Plan(data=16, zero=3, expert=8 if shape.experts else 1, global_batch=16)
        memory = training_memory(shape, plan, assumed=NOTHING)
        states = sum(t.value for t in memory.terms if t.name in {"weights", "gradients", "optimizer states"})
        from burnin.systems.counting import count

        assert states * 16 == pytest.approx(18 * count(shape).total, rel=1e-9)


def test_the_smallest_change_fits_and_no_cheaper_one_does() -> None:
    shape, card = model("llama-3.1-8b"), gpu(H100)
    plan = Plan(data=8, global_batch=64, micro_batch=2, sequence=8192, zero=1)
    assert not training_memory(shape, plan, card).fits
    change = smallest_change(shape, plan, card)
    assert change is not None
    assert training_memory(shape, change.plan, card).fits
    for cheaper, words, _ in changes(plan):
        if words == change.words:
            break
        assert plan_faults(cheaper, shape) or not training_memory(shape, cheaper, card).fits
    assert smallest_change(shape, change.plan, card) is None


def test_a_plan_that_cannot_run_is_refused_in_words() -> None:
    with pytest.raises(BadPlan, match="does not divide 64 heads"):
        training_memory(model("llama-3.1-70b"), Plan(tensor=3))
    with pytest.raises(BadPlan, match="needs a mixture of experts"):
        training_memory(model("llama-3.1-70b"), Plan(expert=2, data=2, global_batch=2))


def test_offloading_states_moves_a_gradient_down_and_a_weight_up() -> None:
    plan = Plan(optimizer="adam-mixed", zero=0)
    moved = offload(model("llama-2-7b"), plan, states=True, weights=False, link_gb_s=32)
    assert moved.saved == pytest.approx(12 * 6_738_415_616)
    assert moved.seconds == pytest.approx(4 * 6_738_415_616 / 32e9)


def test_every_built_in_model_can_be_sized() -> None:
    for shape in catalog().models.values():
        memory = training_memory(shape, Plan(zero=3, data=64, global_batch=64), gpu(H100))
        assert memory.total > 0
