"""Exact pipeline timelines: ordered passes and their dependencies to start and end times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

Time = int | Fraction
"""A duration or a moment, in whatever unit the costs are in; exact, so ends meet starts."""


class Pass(StrEnum):
    """A unit of work of one micro-batch in one stage.

    Papers disagree on the letter B: the Zero Bubble paper means the input-gradient half,
    DeepSeek's table the whole backward. Here BACKWARD is the whole one.
    """

    FORWARD = "F"
    BACKWARD = "B"  # input and weight gradients in one go
    INPUT = "I"  # gradient of the input only: what the stage before waits for
    WEIGHT = "W"  # gradient of the weights only: nobody waits for it


class Task(NamedTuple):
    """One pass. ``stage`` counts model parts from the input, from 0, chunks included."""

    kind: Pass
    micro_batch: int
    stage: int


Step = tuple[Task, ...]
"""What a rank runs at a time: one task, or two that hide each other's communication."""


class Flush(StrEnum):
    """When the next batch may begin."""

    TOGETHER = "together"  # after the last rank has finished
    EACH = "each"  # each rank when it has finished itself: needs post-validation of the optimizer step
    NEVER = "never"  # micro-batches stream on; weights are updated after each (asynchronous)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Who runs what in which order, without times.

    ``orders`` holds one sequence of steps a rank. ``chunks`` is how many stages one
    micro-batch passes on each rank, ``copies`` how many copies of the weights there are.
    """

    name: str
    micro_batches: int
    orders: tuple[tuple[Step, ...], ...]
    chunks: int = 1
    copies: int = 1
    flush: Flush = Flush.TOGETHER

    @property
    def ranks(self) -> int:
        """How many devices the pipeline spans."""
        return len(self.orders)

    @property
    def stages(self) -> int:
        """How many parts the model is cut into."""
        return self.ranks * self.chunks

    def tasks(self) -> Iterator[tuple[int, Task]]:
        """Yield every task with its rank."""
        for rank, order in enumerate(self.orders):
            for step in order:
                for task in step:
                    yield rank, task


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """How long each pass takes in each stage, all in one unit.

    ``send`` lies between the end of a pass and the start of the one on another rank that
    waits for it; the sender computes on meanwhile. ``hidden`` is what a pair of passes run
    together saves against one after the other (DualPipe).
    """

    forward: tuple[Time, ...]
    backward_input: tuple[Time, ...]
    backward_weight: tuple[Time, ...]
    send: Time = 0
    hidden: Time = 0

    def __post_init__(self) -> None:
        if not len(self.forward) == len(self.backward_input) == len(self.backward_weight):
            raise ValueError("every stage needs a forward, a backward_input and a backward_weight time")
        for name in ("forward", "backward_input", "backward_weight"):
            if any(time <= 0 for time in getattr(self, name)):
                raise ValueError(f"{name} times must be above 0")
        if self.send < 0 or self.hidden < 0:
            raise ValueError("send and hidden must not be below 0")

    def of(self, step: Step) -> Time:
        """Return the time of one step."""
        if len(step) == 1:
            return self._task(step[0])
        one, other = map(self._task, step)
        if self.hidden > min(one, other):
            raise ValueError(f"hidden is {self.hidden}, more than the shorter of two passes run together")
        return one + other - self.hidden

    def _task(self, task: Task) -> Time:
        if task.kind is Pass.FORWARD:
            return self.forward[task.stage]
        if task.kind is Pass.INPUT:
            return self.backward_input[task.stage]
        if task.kind is Pass.WEIGHT:
            return self.backward_weight[task.stage]
        return self.backward_input[task.stage] + self.backward_weight[task.stage]


def costs_per_rank(
    forward: Sequence[Time],
    backward_input: Sequence[Time],
    backward_weight: Sequence[Time],
    *,
    schedule: Schedule,
    send: Time = 0,
    hidden: Time = 0,
) -> Costs:
    """Spread times given per rank evenly over the rank's chunks.

    Four ranks that take 6 each, with two chunks a rank, become eight stages that take 3
    each. Where two model parts meet on a rank in DualPipe, each takes its own rank's time.
    ``ValueError`` unless there is one time a rank.
    """
    ranks, chunks = schedule.ranks, schedule.chunks
    for times in (forward, backward_input, backward_weight):
        if len(times) != ranks:
            raise ValueError(f"{ranks} ranks need {ranks} times, not {len(times)}")
    home = [0] * schedule.stages
    for rank, task in schedule.tasks():
        # In DualPipe a stage lives on two ranks; the copy of micro-batch 0 counts.
        if task.micro_batch == 0:
            home[task.stage] = rank

    def spread(times: Sequence[Time]) -> tuple[Time, ...]:
        return tuple(_whole(Fraction(times[rank]) / chunks) for rank in home)

    return Costs(
        forward=spread(forward),
        backward_input=spread(backward_input),
        backward_weight=spread(backward_weight),
        # A fraction of denominator 1 would turn every sum on the timeline into a slower fraction.
        send=_whole(Fraction(send)),
        hidden=_whole(Fraction(hidden)),
    )


class Span(NamedTuple):
    """One step with its place in time."""

    rank: int
    start: Time
    end: Time
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A schedule run: for each rank its spans in order. Starts at 0."""

    schedule: Schedule
    costs: Costs
    spans: tuple[tuple[Span, ...], ...]

    @property
    def makespan(self) -> Time:
        """When the last rank has finished."""
        return max(rank[-1].end for rank in self.spans if rank)

    def work(self, rank: int) -> Time:
        """How long a rank computes."""
        return _total([span.end - span.start for span in self.spans[rank]])

    def reach(self, rank: int) -> Time:
        """From a rank's first start to its last end."""
        spans = self.spans[rank]
        return spans[-1].end - spans[0].start


class Deadlock(ValueError):
    """The orders contradict the dependencies: every rank left waits for another."""


def run(schedule: Schedule, costs: Costs) -> Timeline:
    """Start every step as early as its rank and its dependencies allow.

    >>> from burnin.systems.pipeline_schedules import make_schedule
    >>> plan = make_schedule("1f1b", ranks=2, micro_batches=2)
    >>> run(plan, Costs(forward=(1, 1), backward_input=(1, 1), backward_weight=(1, 1))).makespan
    9

    A forward waits for the forward of the stage before; a whole or input-gradient backward
    for that of the stage after, and for its own forward; a weight gradient for its own
    input gradient. Exact for integers and fractions. ``Deadlock`` where the orders allow no
    progress, ``ValueError`` where the costs are for another number of stages.
    """
    if len(costs.forward) != schedule.stages:
        raise ValueError(f"{schedule.stages} stages need as many times, not {len(costs.forward)}")
    done: dict[tuple[str, int, int], tuple[Time, int]] = {}
    waiting: dict[tuple[str, int, int], list[int]] = {}
    spans: list[list[Span]] = [[] for _ in schedule.orders]
    free: list[Time] = [0] * schedule.ranks
    ready = list(range(schedule.ranks - 1, -1, -1))
    while ready:
        rank = ready.pop()
        order = schedule.orders[rank]
        while len(spans[rank]) < len(order):
            step = order[len(spans[rank])]
            needed = [need for task in step for need in _needs(task, schedule.stages)]
            missing = next((need for need in needed if need not in done), None)
            if missing is not None:
                waiting.setdefault(missing, []).append(rank)
                break
            start = free[rank]
            for need in needed:
                end, where = done[need]
                start = max(start, end if where == rank else end + costs.send)
            free[rank] = start + costs.of(step)
            spans[rank].append(Span(rank, start, free[rank], step))
            for task in step:
                made = _made(task)
                done[made] = (free[rank], rank)
                ready.extend(waiting.pop(made, ()))
    stuck = [
        f"rank {r} at {_named(o[len(spans[r])])}"
        for r, o in enumerate(schedule.orders)
        if len(spans[r]) < len(o)
    ]
    if stuck:
        raise Deadlock(f"{schedule.name}: {', '.join(stuck)}")
    return Timeline(schedule=schedule, costs=costs, spans=tuple(map(tuple, spans)))


def _needs(task: Task, stages: int) -> Iterator[tuple[str, int, int]]:
    kind, micro_batch, stage = task
    if kind is Pass.FORWARD:
        if stage > 0:
            yield "output", micro_batch, stage - 1
    elif kind is Pass.WEIGHT:
        yield "gradient", micro_batch, stage
    else:
        yield "output", micro_batch, stage
        if stage < stages - 1:
            yield "gradient", micro_batch, stage + 1


def _made(task: Task) -> tuple[str, int, int]:
    what = {Pass.FORWARD: "output", Pass.WEIGHT: "weights"}.get(task.kind, "gradient")
    return what, task.micro_batch, task.stage


def _named(step: Step) -> str:
    return "+".join(f"{task.kind}{task.micro_batch}@{task.stage}" for task in step)


def _whole(time: Fraction) -> Time:
    """Integers add up faster than fractions."""
    return time.numerator if time.denominator == 1 else time


def _total(times: Sequence[Time]) -> Time:
    total: Time = 0
    for time in times:
        total += time
    return total
