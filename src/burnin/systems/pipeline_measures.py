"""What a timeline shows: idle time, activations held, weight versions and their staleness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from burnin.systems.pipeline import Flush, Pass, Time, Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """Idle time of one batch, measured.

    ``period`` is from the start of one batch to the start of the next; ``work`` and
    ``idle`` (one entry a rank) add up to it. Unequal stages idle for two reasons: they wait
    for the slowest stage (``imbalance``), and all wait for the first and last micro-batches.
    """

    period: Time
    work: tuple[Time, ...]

    @property
    def idle(self) -> tuple[Time, ...]:
        """How long each rank computes nothing."""
        return tuple(self.period - work for work in self.work)

    @property
    def longest(self) -> Time:
        """The longest idle time of a rank: what papers on equal stages call the bubble."""
        return max(self.idle)

    @property
    def of_total(self) -> Fraction:
        """Idle share of all ranks' time."""
        return 1 - self._mean() / Fraction(self.period)

    @property
    def over_ideal(self) -> Fraction:
        """Idle time over working time: (p-1)/m for GPipe and 1F1B with equal stages."""
        return Fraction(self.period) / self._mean() - 1

    @property
    def imbalance(self) -> Fraction:
        """The part of ``of_total`` that more micro-batches cannot remove."""
        return (max(self.work) - self._mean()) / Fraction(self.period)

    def _mean(self) -> Fraction:
        return Fraction(sum(self.work, Fraction(0))) / len(self.work)


def bubble(timeline: Timeline) -> Bubble:
    """Measure the bubble of one batch.

    With a common flush the period is the makespan. Where each rank flushes by itself the
    next batch follows in the same staggered shape, so the period is the longest reach of a
    rank (Qi et al., arXiv 2401.10241, section 4 and its definition of cost). A stream that
    never flushes is measured from its first start to its last end, as one batch would be;
    ``steady_bubble`` leaves out filling and draining.
    """
    ranks = range(timeline.schedule.ranks)
    each = timeline.schedule.flush is Flush.EACH
    period = max(timeline.reach(rank) for rank in ranks) if each else timeline.makespan
    return Bubble(period=period, work=tuple(timeline.work(rank) for rank in ranks))


def steady_bubble(timeline: Timeline) -> Bubble | None:
    """Measure idle time while the pipeline is full; None if it never is.

    Full is from the first backward on the first rank to the last forward there. This is
    what counts for a stream without flushes.
    """
    begin: Time | None = None
    end: Time = 0
    for span in timeline.spans[0]:
        kinds = {task.kind for task in span.step}
        if begin is None and kinds & {Pass.BACKWARD, Pass.INPUT}:
            begin = span.start
        if Pass.FORWARD in kinds:
            end = span.end
    if begin is None or end <= begin:
        return None
    work = []
    for rank in timeline.spans:
        inside: Time = 0
        for span in rank:
            inside += max(0, min(span.end, end) - max(span.start, begin))
        work.append(inside)
    return Bubble(period=end - begin, work=tuple(work))


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Activations on one rank over time, in micro-batches of all the rank's layers.

    ``steps`` are (moment, amount from then on); ``peak`` is the largest amount.
    """

    steps: tuple[tuple[Time, Fraction], ...]
    peak: Fraction


def activations(timeline: Timeline, *, kept_for_weights: Fraction = Fraction(1)) -> tuple[Held, ...]:
    """Follow what each rank keeps for its backward passes.

    A forward takes its memory when it starts; a whole backward gives it back when it ends.
    A split one gives back all but ``kept_for_weights`` (a share from 0 to 1; 1 is on the
    safe side) with the input gradient, and the rest with the weight gradient.
    """
    if not 0 <= kept_for_weights <= 1:
        raise ValueError("kept_for_weights is a share from 0 to 1")
    one = Fraction(1, timeline.schedule.chunks)
    back = {Pass.BACKWARD: one, Pass.INPUT: one * (1 - kept_for_weights), Pass.WEIGHT: one * kept_for_weights}
    held = []
    for rank in timeline.spans:
        changes: list[tuple[Time, Fraction]] = []
        for span in rank:
            for task in span.step:
                if task.kind is Pass.FORWARD:
                    changes.append((span.start, one))
                else:
                    changes.append((span.end, -back[task.kind]))
        held.append(_follow(changes))
    return tuple(held)


def _follow(changes: Sequence[tuple[Time, Fraction]]) -> Held:
    amount = Fraction(0)
    steps: list[tuple[Time, Fraction]] = []
    # At one moment what is given back goes first: it is free before the next pass begins.
    for moment, change in sorted(changes):
        amount += change
        if steps and steps[-1][0] == moment:
            steps[-1] = (moment, amount)
        else:
            steps.append((moment, amount))
    return Held(steps=tuple(steps), peak=max((held for _, held in steps), default=Fraction(0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """Weight updates of one stage in a stream without flushes.

    ``delays`` holds, for each micro-batch, how many updates came between reading the
    weights and applying this micro-batch's gradient; ``versions`` is the most versions of
    the weights that must be kept at once so that forward and backward see the same.
    """

    delays: tuple[int, ...]
    versions: int


def staleness(timeline: Timeline) -> tuple[Staleness, ...]:
    """Measure weight staleness a stage: p - 1 - s updates in stage s once the pipeline is full.

    Only for a schedule that never flushes. Narayanan et al. (PipeDream), arXiv 1806.03377,
    effective learning: gradients of stage s are taken at weights that many updates old, and the
    first stage stashes p versions.
    """
    if timeline.schedule.flush is not Flush.NEVER:
        raise ValueError(f"{timeline.schedule.name} flushes: all its weights are of one version")
    measured = []
    for rank in timeline.spans:
        updates = 0
        read: dict[int, int] = {}
        delays: list[int] = []
        versions = 1
        for span in rank:
            for task in span.step:
                if task.kind is Pass.FORWARD:
                    read[task.micro_batch] = updates
                    versions = max(versions, len({*read.values(), updates}))
                elif task.kind is not Pass.INPUT:
                    delays.append(updates - read.pop(task.micro_batch))
                    updates += 1
        measured.append(Staleness(delays=tuple(delays), versions=versions))
    return tuple(measured)
