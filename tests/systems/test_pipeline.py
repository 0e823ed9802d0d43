import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.systems.pipeline import Costs, Deadlock, Pass, Schedule, Task, costs_per_rank, run
from burnin.systems.pipeline_schedules import KINDS, make_schedule
from tests.systems.pipelines import equal, relaxed_starts, schedules, unequal


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_every_start_is_the_earliest_that_the_constraints_allow(data):
    schedule = data.draw(schedules(ranks=4, micro_batches=8))
    costs = data.draw(unequal(schedule))
    expected = relaxed_starts(schedule, costs)
    started = {task: span.start for rank in run(schedule, costs).spans for span in rank for task in span.step}
    assert started == expected


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_rank_does_two_steps_at_once_and_no_dependency_is_broken(data):
    schedule = data.draw(schedules())
    costs = data.draw(unequal(schedule))
    timeline = run(schedule, costs)
    at = {}
    for rank, spans in enumerate(timeline.spans):
        for one, other in itertools.pairwise(spans):
            assert one.end <= other.start
        at.update({task: (span.start, span.end, rank) for span in spans for task in span.step})
    for task, (start, _, rank) in at.items():
        if task.kind is Pass.FORWARD:
            needs = [task._replace(stage=task.stage - 1)]
        elif task.kind is Pass.WEIGHT:
            needs = [task._replace(kind=Pass.INPUT)]
        else:
            needs = [task._replace(kind=Pass.FORWARD)]
            needs += [Task(kind, task.micro_batch, task.stage + 1) for kind in (Pass.BACKWARD, Pass.INPUT)]
        for need in needs:
            if need in at:
                _, end, there = at[need]
                assert start >= end + (costs.send if there != rank else 0)


@given(schedules())
@settings(max_examples=200, deadline=None)
def test_each_micro_batch_passes_each_stage_once_and_on_one_rank(schedule):
    seen = {}
    for rank, task in schedule.tasks():
        assert task not in seen
        seen[task] = rank
    for m in range(schedule.micro_batches):
        for s in range(schedule.stages):
            forward = seen.pop(Task(Pass.FORWARD, m, s))
            if Task(Pass.BACKWARD, m, s) in seen:
                back = {seen.pop(Task(Pass.BACKWARD, m, s))}
            else:
                back = {seen.pop(Task(Pass.INPUT, m, s)), seen.pop(Task(Pass.WEIGHT, m, s))}
            assert back == {forward}
    assert not seen


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_work_is_conserved(data):
    schedule = data.draw(schedules())
    costs = data.draw(unequal(schedule))
    timeline = run(schedule, costs)
    total = sum(timeline.work(rank) for rank in range(schedule.ranks))
    assert total == schedule.micro_batches * sum(
        f + i + w for f, i, w in zip(costs.forward, costs.backward_input, costs.backward_weight, strict=True)
    )
    assert timeline.makespan >= max(timeline.work(rank) for rank in range(schedule.ranks))
    assert timeline.makespan >= sum(costs.forward) + sum(costs.backward_input)


@pytest.mark.parametrize("name", KINDS)
def test_slower_sending_never_ends_earlier(name):
    schedule = make_schedule(name, ranks=4, micro_batches=8)
    spans = [run(schedule, equal(schedule, 2, 3, 1, send=send)).makespan for send in range(6)]
    assert spans == sorted(spans)
    assert spans[0] < spans[-1]


def test_the_pair_saves_what_is_hidden():
    schedule = make_schedule("dualpipe", ranks=4, micro_batches=12)
    plain, paired = (run(schedule, equal(schedule, 4, 4, 4, hidden=hidden)) for hidden in (0, 3))
    for rank in range(4):
        pairs = sum(len(span.step) == 2 for span in paired.spans[rank])
        assert plain.work(rank) - paired.work(rank) == 3 * pairs > 0
    with pytest.raises(ValueError, match="more than the shorter"):
        run(schedule, equal(schedule, 2, 2, 2, hidden=3))


def test_times_per_rank_are_shared_by_its_chunks():
    schedule = make_schedule("zb-v", ranks=2, micro_batches=4)
    costs = costs_per_rank([2, 3], [4, 6], [1, 1], schedule=schedule)
    assert costs.forward == (1, Fraction(3, 2), Fraction(3, 2), 1)
    assert costs.backward_input == (2, 3, 3, 2)
    interleaved = make_schedule("interleaved", ranks=2, micro_batches=4)
    assert costs_per_rank([2, 4], [2, 4], [2, 4], schedule=interleaved).forward == (1, 2, 1, 2)


def test_orders_that_contradict_the_dependencies_are_named():
    back_first = ((Task(Pass.BACKWARD, 0, 0),), (Task(Pass.FORWARD, 0, 0),))
    schedule = Schedule(name="backwards", micro_batches=1, orders=(back_first,))
    with pytest.raises(Deadlock, match="rank 0 at B0@0"):
        run(schedule, Costs(forward=(1,), backward_input=(1,), backward_weight=(1,)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"forward": (1, 0)}, "forward times must be above 0"),
        ({"forward": (1,)}, "every stage needs"),
        ({"send": -1}, "must not be below 0"),
    ],
)
def test_costs_that_cannot_be_are_refused(changes, said):
    fields = {"forward": (1, 1), "backward_input": (1, 1), "backward_weight": (1, 1)}
    with pytest.raises(ValueError, match=said):
        Costs(**{**fields, **changes})


def test_costs_for_another_number_of_stages_are_refused():
    schedule = make_schedule("1f1b", ranks=3, micro_batches=3)
    with pytest.raises(ValueError, match="3 stages need as many times, not 2"):
        run(schedule, Costs(forward=(1, 1), backward_input=(1, 1), backward_weight=(1, 1)))
    with pytest.raises(ValueError, match="3 ranks need 3 times, not 2"):
        costs_per_rank([1, 1], [1, 1], [1, 1], schedule=schedule)
