"""``burnin sim pipeline``"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from burnin.cli.output import as_json, print_json

if TYPE_CHECKING:
    from burnin.app.simulate.pipeline import PipelineRun


@click.command()
@click.option(
    "--schedule",
    "names",
    multiple=True,
    default=("1f1b",),
    show_default=True,
    help="gpipe, 1f1b, interleaved, zb-h1, zb-h2, zb-v, dualpipe, pipedream; again to compare; or all.",
)
@click.option("--stages", type=click.IntRange(1, 512), default=4, show_default=True, help="Pipeline ranks.")
@click.option("--micro-batches", type=click.IntRange(1, 4096), default=8, show_default=True)
@click.option(
    "--chunks", type=click.IntRange(1, 64), help="Model chunks a rank, for interleaved. [default: 2]"
)
@click.option("--forward-ms", default="1", show_default=True, help="One time, or one a stage: 10,12,10,10.")
@click.option("--backward-ms", help="The whole backward. [default: twice the forward]")
@click.option("--weight-ms", help="The weight-gradient part of the backward. [default: half of it]")
@click.option("--send-ms", default="0", show_default=True, help="From one rank to the next, not hidden.")
@click.option(
    "--hidden-ms", default="0", show_default=True, help="What DualPipe's pairs save by overlapping."
)
@click.option("--activation-gib", type=click.FloatRange(min=0), help="One micro-batch on one stage, in GiB.")
@click.option(
    "--trace", "trace_to", type=click.Path(dir_okay=False, path_type=Path), help="Write a Chrome trace."
)
@click.option("--svg", "svg_to", type=click.Path(dir_okay=False, path_type=Path), help="Write the picture.")
@as_json
def pipeline(
    names: tuple[str, ...],
    stages: int,
    micro_batches: int,
    chunks: int | None,
    forward_ms: str,
    backward_ms: str | None,
    weight_ms: str | None,
    send_ms: str,
    hidden_ms: str,
    activation_gib: float | None,
    trace_to: Path | None,
    svg_to: Path | None,
    as_json: bool,
) -> None:
    """Draw a pipeline schedule's exact timeline and measure bubble and activations on it.

    \b
    Examples:
      burnin sim pipeline --schedule 1f1b --stages 4 --micro-batches 8
      burnin sim pipeline --schedule zb-h1 --forward-ms 10 --backward-ms 20 --trace zb.json
      burnin sim pipeline --schedule all --stages 8 --micro-batches 32

    A trace opens in chrome://tracing or ui.perfetto.dev.
    """
    from burnin.app.errors import BadRequest
    from burnin.app.simulate import pipeline as app

    wanted = app.SCHEDULES if "all" in names else names
    one = len(wanted) == 1
    arguments: dict[str, Any] = {
        "stages": stages,
        "micro_batches": micro_batches,
        "forward_ms": app.milliseconds(forward_ms, "--forward-ms"),
        "backward_ms": app.milliseconds(backward_ms, "--backward-ms") if backward_ms else None,
        "weight_ms": app.milliseconds(weight_ms, "--weight-ms") if weight_ms else None,
        "send_ms": _one(app.milliseconds(send_ms, "--send-ms"), "--send-ms"),
        "hidden_ms": _one(app.milliseconds(hidden_ms, "--hidden-ms"), "--hidden-ms"),
        "activation_gib": activation_gib,
    }
    if not one:
        if trace_to or svg_to or chunks:
            raise BadRequest("--trace, --svg and --chunks need a single --schedule")
        _compared(app.compare(wanted, **arguments), as_json)
        return
    done = app.simulate(wanted[0], chunks=chunks, **arguments)
    if trace_to:
        _write(trace_to, json.dumps(app.trace(done)))
    if svg_to:
        from burnin.figures.standalone import standalone
        from burnin.figures.timeline import timeline_svg

        _write(svg_to, standalone(timeline_svg(app.lanes(done), prefix="pipeline")))
    if as_json:
        print_json(app.plain(done))
    else:
        _shown(done)


def _one(times: tuple[Any, ...], name: str) -> Any:
    from burnin.app.errors import BadRequest

    if len(times) != 1:
        raise BadRequest(f"{name} takes one number")
    return times[0]


def _write(path: Path, text: str) -> None:
    from burnin.app.errors import BadRequest

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error


def _shown(done: PipelineRun) -> None:
    import shutil

    from burnin.app.simulate import pipeline as app
    from burnin.figures.text import columns_text
    from burnin.figures.timeline_text import timeline_text

    plain = app.plain(done)
    width = max(40, min(160, shutil.get_terminal_size((100, 24)).columns))
    click.echo(timeline_text(app.lanes(done), width=width) + "\n")
    heads = {
        "rank": "Rank",
        "work_ms": "Work (ms)",
        "idle_ms": "Idle (ms)",
        "activation_peak_micro_batches": "Held (micro-batches)",
        "activation_peak_gib": "Held (GiB)",
        "updates_behind": "Updates behind",
        "weight_versions": "Weight versions",
    }
    keys = [key for key in heads if key in plain["ranks"][0]]
    rows = [[f"{rank[key]:.4g}" for key in keys] for rank in plain["ranks"]]
    click.echo(columns_text([heads[key] for key in keys], rows))
    click.echo(f"\n{plain['answer']}")
    said = plain["published"]
    if said and said["bubble_ms"] is not None:
        click.echo(f"Published: {said['bubble']} = {said['bubble_ms']:.4g} ms ({said['source']}).")


def _share(run: dict[str, Any]) -> str:
    if run["steady_bubble_of_total"] is None:
        return f"{run['bubble_of_total'] * 100:.3g} %"
    return f"{run['steady_bubble_of_total'] * 100:.3g} % once full"


def _compared(runs: list[PipelineRun | str], as_json: bool) -> None:
    from burnin.app.simulate import pipeline as app
    from burnin.figures.text import columns_text

    done = [app.plain(run) for run in runs if not isinstance(run, str)]
    if as_json:
        print_json({"runs": done, "left_out": [run for run in runs if isinstance(run, str)]})
        return
    rows = [
        [
            run["title"],
            f"{run['period_ms']:.4g}",
            f"{run['bubble_ms']:.4g}",
            _share(run),
            f"{run['activation_peak_micro_batches']:.4g}",
            str(run["weight_copies"]),
        ]
        for run in done
    ]
    heads = ["Schedule", "Batch (ms)", "Bubble (ms)", "Of total", "Held (micro-batches)", "Weight copies"]
    click.echo(columns_text(heads, rows))
    for run in runs:
        if isinstance(run, str):
            click.echo(f"left out: {run}", err=True)
