"""Pipeline schedules: from what a person types to a timeline, its measures and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from burnin.app.errors import BadRequest
from burnin.figures.timeline import Block, Lanes
from burnin.systems.pipeline import Flush, Pass, Time, Timeline, costs_per_rank, run
from burnin.systems.pipeline_measures import Bubble, activations, bubble, staleness, steady_bubble
from burnin.systems.pipeline_published import Published, published
from burnin.systems.pipeline_schedules import KINDS, make_schedule
from burnin.systems.trace import NAMES, chrome_trace

__all__ = ["SCHEDULES", "PipelineRun", "compare", "lanes", "milliseconds", "plain", "simulate", "trace"]

SCHEDULES = tuple(KINDS)
TASKS_MAX = 200_000
_ORDER = (Pass.FORWARD, Pass.BACKWARD, Pass.INPUT, Pass.WEIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """A timeline in milliseconds with everything measured on it."""

    title: str
    source: str
    timeline: Timeline
    bubble: Bubble
    steady: Bubble | None
    peaks: tuple[Fraction, ...]
    published: Published | None
    stale: tuple[tuple[int, int], ...]
    activation_gib: float | None


def milliseconds(text: str, name: str) -> tuple[Fraction, ...]:
    """Read ``12.5`` or ``10,12,10``, exactly; BadRequest says which option is wrong."""
    try:
        times = tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise BadRequest(f"{name} takes a number or one number a stage with commas, not {text!r}") from None
    if any(time < 0 for time in times):
        raise BadRequest(f"{name} must not be below 0")
    return times


def simulate(
    name: str,
    *,
    stages: int,
    micro_batches: int,
    chunks: int | None = None,
    forward_ms: Sequence[Fraction] = (Fraction(1),),
    backward_ms: Sequence[Fraction] | None = None,
    weight_ms: Sequence[Fraction] | None = None,
    send_ms: Fraction = Fraction(0),
    hidden_ms: Fraction = Fraction(0),
    kept_for_weights: Fraction = Fraction(1),
    activation_gib: float | None = None,
) -> PipelineRun:
    """Run one schedule.

    Times are per stage (one for all, or one each) and micro-batch; ``backward_ms`` is the
    whole backward (twice the forward unless said), ``weight_ms`` the part of it that is the
    weight gradient (half unless said). ``activation_gib`` is what one micro-batch leaves on
    one stage. BadRequest for anything a schedule cannot be.
    """
    if stages * micro_batches * (chunks or 2) * 3 > TASKS_MAX:
        raise BadRequest(f"{stages} stages with {micro_batches} micro-batches are over {TASKS_MAX:,} passes")
    try:
        schedule = make_schedule(name, ranks=stages, micro_batches=micro_batches, chunks=chunks)
        forward = _each(forward_ms, stages, "forward")
        whole = _each(backward_ms, stages, "backward") if backward_ms else tuple(2 * f for f in forward)
        weight = _each(weight_ms, stages, "weight") if weight_ms else tuple(b / 2 for b in whole)
        if any(0 < b <= w for w, b in zip(weight, whole, strict=True)):
            raise ValueError("the weight gradient is a part of the backward: it must be shorter")
        split = tuple(b - w for b, w in zip(whole, weight, strict=True))
        costs = costs_per_rank(forward, split, weight, schedule=schedule, send=send_ms, hidden=hidden_ms)
        timeline = run(schedule, costs)
        held = activations(timeline, kept_for_weights=kept_for_weights)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    stream = schedule.flush is Flush.NEVER
    said = None
    if send_ms == 0 and all(len(set(times)) == 1 for times in (forward, split, weight)):
        said = published(
            name,
            ranks=stages,
            micro_batches=micro_batches,
            forward=forward[0],
            backward_input=split[0],
            backward_weight=weight[0],
            chunks=schedule.chunks,
            hidden=hidden_ms,
        )
    return PipelineRun(
        title=KINDS[name].title,
        source=KINDS[name].source,
        timeline=timeline,
        bubble=bubble(timeline),
        steady=steady_bubble(timeline) if stream else None,
        peaks=tuple(h.peak for h in held),
        published=said,
        stale=tuple((s.delays[-1], s.versions) for s in staleness(timeline)) if stream else (),
        activation_gib=activation_gib,
    )


def compare(names: Sequence[str], *, stages: int, micro_batches: int, **more: Any) -> list[PipelineRun | str]:
    """Run several schedules at one size; one that does not have it gives its reason instead."""
    runs: list[PipelineRun | str] = []
    for name in names:
        try:
            runs.append(simulate(name, stages=stages, micro_batches=micro_batches, **more))
        except BadRequest as error:
            runs.append(f"{KINDS[name].title}: {error}")
    return runs


def _each(times: Sequence[Fraction], stages: int, name: str) -> tuple[Fraction, ...]:
    if len(times) not in (1, stages):
        raise ValueError(f"{name} takes one time or {stages}, one a stage, not {len(times)}")
    return tuple(times) * stages if len(times) == 1 else tuple(times)


def answer(done: PipelineRun) -> str:
    """Return the result as one sentence."""
    schedule, found = done.timeline.schedule, done.bubble
    size = f"{schedule.ranks} stages and {schedule.micro_batches} micro-batches"
    if done.steady is not None:
        oldest = max(delay for delay, _ in done.stale)
        return (
            f"{done.title} with {size}: {_percent(done.steady.of_total)} idle once full, and the first stage "
            f"applies gradients of weights that are {oldest} updates old."
        )
    words = (
        f"{done.title} with {size}: a batch takes {_number(found.period)} ms, and ranks idle "
        f"{_percent(found.of_total)} of it ({_percent(found.over_ideal)} of the working time)"
    )
    if found.imbalance > 0:
        words += f", {_percent(found.imbalance)} because stages are unequal"
    return f"{words}; a rank holds at most {_number(max(done.peaks))} micro-batches of activations."


def plain(done: PipelineRun) -> dict[str, Any]:
    """Return the run as plain data; times in milliseconds, shares from 0 to 1."""
    schedule, found, said = done.timeline.schedule, done.bubble, done.published
    result: dict[str, Any] = {
        "schedule": schedule.name,
        "title": done.title,
        "stages": schedule.ranks,
        "micro_batches": schedule.micro_batches,
        "chunks": schedule.chunks,
        "weight_copies": schedule.copies,
        "flush": schedule.flush.value,
        "makespan_ms": float(done.timeline.makespan),
        "period_ms": float(found.period),
        "bubble_ms": float(found.longest),
        "bubble_of_total": float(found.of_total),
        "bubble_over_ideal": float(found.over_ideal),
        "imbalance_of_total": float(found.imbalance),
        "activation_peak_micro_batches": float(max(done.peaks)),
        "ranks": [
            {
                "rank": rank,
                "work_ms": float(found.work[rank]),
                "idle_ms": float(found.idle[rank]),
                "activation_peak_micro_batches": float(peak),
                **(
                    {"activation_peak_gib": float(peak) * done.activation_gib}
                    if done.activation_gib is not None
                    else {}
                ),
                **(
                    {"updates_behind": done.stale[rank][0], "weight_versions": done.stale[rank][1]}
                    if done.stale
                    else {}
                ),
            }
            for rank, peak in enumerate(done.peaks)
        ],
        "steady_bubble_of_total": float(done.steady.of_total) if done.steady is not None else None,
        "published": None,
        "answer": answer(done),
        "source": done.source,
    }
    if said is not None:
        result["published"] = {
            "bubble": said.formula,
            "bubble_ms": float(said.bubble) if said.bubble is not None else None,
            "activation_peak": said.peak_formula,
            "activation_peak_micro_batches": float(said.peak) if said.peak is not None else None,
            "assumes": said.assumes,
            "source": said.source,
        }
    return result


def lanes(done: PipelineRun) -> Lanes:
    """Return the timeline as a picture to draw; micro-batches count from 1 in it."""
    schedule = done.timeline.schedule
    blocks = [
        Block(
            lane=rank,
            start=float(span.start),
            end=float(span.end),
            kind=_ORDER.index(task.kind),
            label=str(task.micro_batch + 1),
            cells=(str(task.micro_batch + 1), str(task.stage + 1)),
            row=row,
            rows=len(span.step),
        )
        for rank, spans in enumerate(done.timeline.spans)
        for span in spans
        for row, task in enumerate(span.step)
    ]
    return Lanes(
        title=f"{done.title}: {schedule.ranks} stages, {schedule.micro_batches} micro-batches",
        summary=answer(done),
        unit="ms",
        lanes=tuple(f"rank {rank}" for rank in range(schedule.ranks)),
        kinds=tuple((kind.value, NAMES[kind]) for kind in _ORDER),
        blocks=tuple(blocks),
        columns=("Micro-batch", "Stage"),
    )


def trace(done: PipelineRun) -> dict[str, Any]:
    """Return the run as a Chrome trace."""
    return chrome_trace(done.timeline, us_per_unit=Fraction(1000))


def _number(value: Time) -> str:
    return f"{float(value):.4g}"


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.3g} %"
