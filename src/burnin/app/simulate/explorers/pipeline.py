"""A pipeline schedule's timeline, what idles in it, and what it holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from burnin.app.errors import BadRequest
from burnin.app.simulate import pipeline as simulator
from burnin.app.simulate.explorers.explorer import Explorer, Preset, Table, View
from burnin.app.simulate.explorers.knobs import Choice, Group, Number, Values, write
from burnin.app.simulate.pipeline import PipelineRun
from burnin.catalog import Catalog
from burnin.figures.timeline import timeline_table
from burnin.systems.pipeline_schedules import KINDS

PASSES_LISTED = 200
PASSES_COMPARED = 256
_TIMES_MS = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60)

_SCHEDULE = Choice(
    name="schedule",
    label="Schedule",
    options=tuple((name, kind.title) for name, kind in KINDS.items()),
    default="1f1b",
)
_STAGES = Number(name="stages", label="Stages", stops=tuple(range(1, 33)), default=4)
_MICRO = Number(
    name="micro_batches",
    label="Micro-batches",
    stops=(*range(1, 17), *range(18, 33, 2), *range(36, 65, 4), *range(72, 129, 8)),
    default=8,
)
_CHUNKS = Number(
    name="chunks",
    label="Model chunks a rank",
    stops=tuple(range(1, 9)),
    default=2,
    hint="Only the interleaved schedule takes it.",
)
_FORWARD = Number(name="forward_ms", label="Forward, ms", stops=_TIMES_MS, default=1, whole=False)
_BACKWARD = Number(
    name="backward_ms",
    label="Backward, ms",
    stops=(*_TIMES_MS, 80, 120),
    default=2,
    whole=False,
    hint="Input and weight gradients together, half each.",
)
_SLOW = Number(
    name="slow",
    label="Last stage, times as slow",
    stops=(1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3),
    default=1,
    whole=False,
)
_SEND = Number(
    name="send_ms",
    label="Sending to the next rank, ms",
    stops=(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5),
    default=0,
    whole=False,
)
_HELD = Number(
    name="activation_gib",
    label="One micro-batch on one stage, GiB",
    stops=(0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16),
    default=0,
    whole=False,
    hint="0 counts micro-batches only.",
)


def _groups(catalog: Catalog) -> tuple[Group, ...]:
    return (
        Group(title="Schedule", knobs=(_SCHEDULE, _STAGES, _MICRO, _CHUNKS)),
        Group(title="Times and memory", knobs=(_FORWARD, _BACKWARD, _SLOW, _SEND, _HELD)),
    )


def _exact(value: float) -> Fraction:
    return Fraction(write(value))


def _arguments(values: Values) -> dict[str, Any]:
    stages, slow = values["stages"], _exact(values["slow"])

    def each(time: Fraction) -> tuple[Fraction, ...]:
        return (time,) if slow == 1 else (*[time] * (stages - 1), time * slow)

    return {
        "stages": stages,
        "micro_batches": values["micro_batches"],
        "forward_ms": each(_exact(values["forward_ms"])),
        "backward_ms": each(_exact(values["backward_ms"])),
        "send_ms": _exact(values["send_ms"]),
        "activation_gib": values["activation_gib"] or None,
    }


def _show(catalog: Catalog, values: Values) -> View:
    name = values["schedule"]
    arguments = _arguments(values)
    chunks = values["chunks"] if name == "interleaved" else None
    done = simulator.simulate(name, chunks=chunks, **arguments)
    plain = simulator.plain(done)
    drawn = simulator.lanes(done)
    tables = [_ranks(plain)]
    if len(drawn.blocks) <= PASSES_COMPARED:
        tables.append(_compared(name, chunks, arguments))
    if len(drawn.blocks) <= PASSES_LISTED:
        columns, rows = timeline_table(drawn)
        last = len(columns)
        tables.append(
            Table(title="Every pass", columns=columns, rows=rows, numbers=frozenset(range(2, last)))
        )
    return View(
        answer=plain["answer"],
        pictures=(drawn,),
        tables=tuple(tables),
        sums=(_sums(done, plain),),
        command=_command(values, arguments, chunks),
    )


_HEADS = {
    "rank": "Rank",
    "work_ms": "Works, ms",
    "idle_ms": "Idles, ms",
    "activation_peak_micro_batches": "Holds at most, micro-batches",
    "activation_peak_gib": "Holds at most, GiB",
    "updates_behind": "Updates behind",
    "weight_versions": "Weight versions",
}


def _ranks(plain: dict[str, Any]) -> Table:
    keys = [key for key in _HEADS if key in plain["ranks"][0]]
    return Table(
        title="Every rank",
        columns=tuple(_HEADS[key] for key in keys),
        rows=tuple(tuple(f"{rank[key]:.4g}" for key in keys) for rank in plain["ranks"]),
        numbers=frozenset(range(1, len(keys))),
    )


def _compared(chosen: str, chunks: int | None, arguments: dict[str, Any]) -> Table:
    rows: list[tuple[str, ...]] = []
    links: list[Values | None] = []
    for name in simulator.SCHEDULES:
        parts = chunks if name == "interleaved" else None
        try:
            plain = simulator.plain(simulator.simulate(name, chunks=parts, **arguments))
        except BadRequest as error:
            rows.append((KINDS[name].title, "", "", "", "", str(error)))
            links.append(None)
            continue
        share = plain["bubble_of_total"] if plain["flush"] != "never" else plain["steady_bubble_of_total"]
        rows.append(
            (
                KINDS[name].title,
                f"{plain['period_ms']:.4g}",
                "" if share is None else f"{100 * share:.3g} %",
                f"{plain['activation_peak_micro_batches']:.4g}",
                str(plain["weight_copies"]),
                "once full" if plain["flush"] == "never" else "",
            )
        )
        links.append(None if name == chosen else {"schedule": name})
    return Table(
        title="The other schedules at this size",
        columns=("Schedule", "Batch, ms", "Idle share", "Holds, micro-batches", "Weight copies", "Note"),
        rows=tuple(rows),
        numbers=frozenset({1, 2, 3, 4}),
        links=tuple(links),
    )


def _sums(done: PipelineRun, plain: dict[str, Any]) -> Table:
    found = done.bubble
    timeline = done.timeline.schedule
    rows = [
        (
            "idle share of the batch",
            "idle time of all ranks / (ranks x batch time)",
            f"{_ms(sum(found.idle))} / ({timeline.ranks} x {_ms(found.period)})",
            f"{100 * float(found.of_total):.3g} %",
            "measured on the timeline",
        ),
        (
            "bubble over ideal",
            "idle time / working time",
            f"{_ms(sum(found.idle))} / {_ms(sum(found.work))}",
            f"{100 * float(found.over_ideal):.3g} %",
            "measured on the timeline",
        ),
    ]
    said = plain["published"]
    if said:
        numbers = (
            f"p = {timeline.ranks}, m = {timeline.micro_batches}, v = {timeline.chunks}, "
            f"F = {_ms(_first(done, 'forward'))}, I = {_ms(_first(done, 'backward_input'))}, "
            f"W = {_ms(_first(done, 'backward_weight'))} ms"
        )
        bubble = (
            "outside its assumptions" if said["bubble_ms"] is None else f"{said['bubble_ms']:.4g} ms a rank"
        )
        peak = said["activation_peak_micro_batches"]
        rows += [
            (
                f"published bubble ({said['assumes']})",
                said["bubble"],
                numbers,
                bubble,
                said["source"],
            ),
            (
                "published activation peak, micro-batches",
                said["activation_peak"],
                numbers,
                "outside its assumptions" if peak is None else f"{peak:.4g}",
                said["source"],
            ),
        ]
    return Table(
        title="The sums",
        columns=("What", "Formula", "With your numbers", "Value", "Source"),
        rows=tuple(rows),
        numbers=frozenset({3}),
        code=frozenset({1, 2}),
    )


def _first(done: PipelineRun, name: str) -> Any:
    """A rank's time for one micro-batch: its chunks together."""
    return getattr(done.timeline.costs, name)[0] * done.timeline.schedule.chunks


def _ms(value: Any) -> str:
    return f"{float(value):.5g}"


def _command(values: Values, arguments: dict[str, Any], chunks: int | None) -> str:
    words = [
        f"burnin sim pipeline --schedule {values['schedule']} --stages {values['stages']}",
        f"--micro-batches {values['micro_batches']}",
    ]
    if chunks is not None:
        words.append(f"--chunks {chunks}")
    for name, option in (("forward_ms", "--forward-ms"), ("backward_ms", "--backward-ms")):
        words.append(f"{option} {','.join(write(float(time)) for time in arguments[name])}")
    if values["send_ms"]:
        words.append(f"--send-ms {write(values['send_ms'])}")
    if values["activation_gib"]:
        words.append(f"--activation-gib {write(values['activation_gib'])}")
    return " ".join(words)


PIPELINE = Explorer(
    name="pipeline",
    title="Where a pipeline idles",
    lead="Eight schedules as exact timelines: see the bubble, measure it, and see what each rank must hold for it.",
    terminal="burnin sim pipeline",
    groups=_groups,
    presets=(
        Preset(title="1F1B, 4 stages", values={}),
        Preset(title="Too few micro-batches", values={"stages": 8, "micro_batches": 4}),
        Preset(
            title="Interleaving cuts the bubble",
            values={"schedule": "interleaved", "stages": 4, "micro_batches": 8, "chunks": 4},
        ),
        Preset(title="Zero bubble", values={"schedule": "zb-h2", "micro_batches": 12}),
        Preset(title="One slow stage", values={"slow": 1.5, "micro_batches": 16}),
        Preset(title="DualPipe", values={"schedule": "dualpipe", "stages": 8, "micro_batches": 20}),
        Preset(title="Asynchronous, stale weights", values={"schedule": "pipedream", "micro_batches": 12}),
    ),
    show=_show,
)
