"""Sizes and costs to try schedules on, and an account of a schedule that shares no code with the engine."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from hypothesis import strategies as st

from burnin.systems.pipeline import Costs, Pass, Schedule, Task, costs_per_rank
from burnin.systems.pipeline_schedules import KINDS, make_schedule

TIMES = st.integers(1, 9) | st.fractions(Fraction(1, 4), 9, max_denominator=7)
SENDS = TIMES | st.just(0)


@st.composite
def schedules(draw, names=tuple(KINDS), ranks=6, micro_batches=18):
    """Any schedule of any allowed size."""
    name = draw(st.sampled_from(names))
    p = draw(st.integers(1, ranks))
    m = draw(st.integers(1, micro_batches))
    chunks = None
    if name == "dualpipe":
        p += p % 2
        m = max(m + m % 2, 2 * p)
    if name == "interleaved":
        m = max(p, m - m % p)
        chunks = draw(st.integers(1, 4))
    return make_schedule(name, ranks=p, micro_batches=m, chunks=chunks)


@st.composite
def unequal(draw, schedule: Schedule, send=SENDS):
    """Costs that differ from stage to stage."""
    times = st.lists(TIMES, min_size=schedule.stages, max_size=schedule.stages).map(tuple)
    return Costs(
        forward=draw(times), backward_input=draw(times), backward_weight=draw(times), send=draw(send)
    )


def equal(schedule: Schedule, f=1, i=1, w=1, **more) -> Costs:
    p = schedule.ranks
    return costs_per_rank([f] * p, [i] * p, [w] * p, schedule=schedule, **more)


def next_size(schedule: Schedule) -> Schedule:
    """The same pipeline with as few more micro-batches as it allows."""
    step = {"interleaved": schedule.ranks, "dualpipe": 2}.get(schedule.name, 1)
    chunks = schedule.chunks if schedule.name == "interleaved" else None
    return make_schedule(
        schedule.name, ranks=schedule.ranks, micro_batches=schedule.micro_batches + step, chunks=chunks
    )


def relaxed_starts(schedule: Schedule, costs: Costs) -> dict[Task, Fraction]:
    """Earliest starts by brute force: push every start up until no constraint is broken."""
    where: dict[Task, int] = {}
    long: dict[Task, Fraction] = {}
    joined: dict[Task, tuple[Task, ...]] = {}
    before: dict[Task, list[Task]] = defaultdict(list)
    for rank, order in enumerate(schedule.orders):
        for number, step in enumerate(order):
            time = Fraction(0)
            for task in step:
                where[task] = rank
                joined[task] = step
                cost = {
                    Pass.FORWARD: costs.forward[task.stage],
                    Pass.INPUT: costs.backward_input[task.stage],
                    Pass.WEIGHT: costs.backward_weight[task.stage],
                    Pass.BACKWARD: costs.backward_input[task.stage] + costs.backward_weight[task.stage],
                }[task.kind]
                time += cost
                if number:
                    before[task].extend(order[number - 1])
            if len(step) == 2:
                time -= costs.hidden
            for task in step:
                long[task] = time
    edges: list[tuple[Task, Task, Fraction]] = []
    for task in where:
        edges += [(earlier, task, Fraction(0)) for earlier in before[task]]
        kind, m, s = task
        wanted: list[Task] = []
        if kind is Pass.FORWARD and s:
            wanted = [Task(Pass.FORWARD, m, s - 1)]
        elif kind is Pass.WEIGHT:
            wanted = [Task(Pass.INPUT, m, s)]
        elif kind in (Pass.BACKWARD, Pass.INPUT):
            wanted = [Task(Pass.FORWARD, m, s)]
            if s + 1 < schedule.stages:
                wanted += [
                    t for t in (Task(Pass.BACKWARD, m, s + 1), Task(Pass.INPUT, m, s + 1)) if t in where
                ]
        for need in wanted:
            edges.append((need, task, Fraction(costs.send if where[need] != where[task] else 0)))
    start = {task: Fraction(0) for task in where}
    moved = True
    while moved:
        moved = False
        for earlier, later, delay in edges:
            least = start[earlier] + long[earlier] + delay
            for task in joined[later]:
                if start[task] < least:
                    start[task] = least
                    moved = True
    return start
