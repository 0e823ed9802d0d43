"""``burnin sim train``, ``collective``, ``roofline`` and ``predict``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json
from burnin.cli.plan_options import plan_options

_COUNT = click.IntRange(min=1)


@click.command()
@click.option("--model", required=True)
@click.option("--cluster", required=True, help="A cluster or a card, such as dgx-h100 or gb200.")
@plan_options
@click.option(
    "--price", "price_usd_hour", type=click.FloatRange(min=0), help="USD a GPU-hour: an assumption."
)
@click.option("--watts", "tdp_w", type=click.FloatRange(min=0, min_open=True), help="Power of a card.")
@click.option("--steps", type=_COUNT, help="Steps of the whole run, for its days, money and energy.")
@click.option("--search", "ranks", type=_COUNT, help="Sweep all plans of this many GPUs instead.")
@as_json
def train(
    model: str,
    cluster: str,
    price_usd_hour: float | None,
    tdp_w: float | None,
    steps: int | None,
    ranks: int | None,
    as_json: bool,
    **plan: Any,
) -> None:
    """Time, MFU, memory, money and energy of a training step, and why.

    \b
    Examples:
      burnin sim train --model llama-3.1-70b --cluster dgx-h100 --tp 4 --pp 4 --dp 4 --global-batch 128
      burnin sim train --model llama-3.1-70b --cluster dgx-h100 --search 256 --global-batch 512 --seq 8192
    """
    from burnin.app.simulate import training as app
    from burnin.app.simulate.plans import plan_of

    chosen = plan_of(plan)
    if ranks is not None:
        result = app.search(catalogue(), model=model, cluster=cluster, ranks=ranks, plan=chosen)
    else:
        result = app.train(
            catalogue(),
            model=model,
            cluster=cluster,
            plan=chosen,
            price_usd_hour=price_usd_hour,
            tdp_w=tdp_w,
            steps=steps,
        )
    if as_json:
        print_json(result)
    elif ranks is not None:
        _searched(result)
    else:
        _trained(result)


def _trained(result: dict[str, Any]) -> None:
    total = result["seconds"]
    rows = [
        [t["name"], f"{t['seconds']:.4g}", f"{100 * t['seconds'] / total:.1f} %", t["formula"]]
        for t in sorted(result["terms"], key=lambda t: -t["seconds"])
    ]
    _table(["Cause", "Seconds", "Share", "Formula"], rows)
    click.echo("\n" + result["answer"])
    for flip in result["flips"]:
        click.echo(flip["words"])
    for better in result["better"]:
        click.echo(f"Faster by {100 * (better['speedup'] - 1):.1f} %: {better['words']}.")
    if "run" in result:
        run = result["run"]
        click.echo(
            f"{run['steps']} steps: {run['days']:.3g} days, {run['usd']:,.0f} USD, {run['mwh']:.4g} MWh."
        )


def _searched(result: dict[str, Any]) -> None:
    heads = [
        "TP",
        "PP",
        "DP",
        "CP",
        "EP",
        "Micro",
        "Chunks",
        "ZeRO",
        "Recompute",
        "Tokens/s/GPU",
        "MFU",
        "GiB",
    ]
    rows = []
    for row in result["pareto"]:
        p = row["plan"]
        names = ("tensor", "pipeline", "data", "context", "expert", "micro_batch", "interleave", "zero")
        cells = [str(p[name]) for name in names]
        rows.append(
            [
                *cells,
                p["recompute"],
                f"{row['tokens_s_gpu']:,.0f}",
                f"{100 * row['mfu']:.1f} %",
                f"{row['memory_gib']:.1f}",
            ]
        )
    _table(heads, rows)
    click.echo("\nNo plan that fits is both faster and smaller than one of these.")
    click.echo(result["answer"])


@click.command()
@click.option("--cluster", default="dgx-h100", show_default=True)
@click.option("--model", default="llama-3.1-70b", show_default=True)
@click.option("--tp", type=_COUNT, default=1, show_default=True, help="Tensor parallel.")
@click.option("--cp", type=_COUNT, default=1, show_default=True, help="Context parallel.")
@click.option("--dp", type=_COUNT, default=1, show_default=True, help="Data parallel.")
@click.option("--pp", type=_COUNT, default=1, show_default=True, help="Pipeline parallel.")
@click.option("--ep", type=_COUNT, default=1, show_default=True, help="Expert parallel.")
@click.option(
    "--rank", type=click.IntRange(min=0), default=0, show_default=True, help="Whose groups to show."
)
@as_json
def placement(as_json: bool, **knobs: Any) -> None:
    """Draw which ranks share a node, and which share a group with one rank.

    Example: burnin sim placement --tp 8 --pp 2 --dp 2 --rank 9
    """
    from burnin.app.errors import BadRequest
    from burnin.app.simulate.explorers import EXPLORERS, explore
    from burnin.figures.placement_text import placement_text

    found = explore(
        EXPLORERS["parallelism"], catalogue(), {name: str(value) for name, value in knobs.items()}
    )
    if found.reading.faults:
        raise BadRequest("; ".join(f"--{name}: {words}" for name, words in found.reading.faults.items()))
    if found.view is None:
        raise BadRequest(found.refusal)
    view = found.view
    rows = [dict(zip(view.tables[0].columns, row, strict=True)) for row in view.tables[0].rows]
    if as_json:
        groups = [
            {
                "kind": row["Group"],
                "size": int(row["Size"]),
                "stride": int(row["Step between ranks"]),
                "domains": int(row["NVLink domains"]),
                "ranks": row["Ranks"],
                "seconds_not_hidden": float(row["Seconds not hidden"]),
            }
            for row in rows
        ]
        print_json({"answer": view.answer, "groups": groups})
        return
    click.echo(placement_text(view.pictures[0]))
    click.echo("")
    shown = ["Group", "Size", "NVLink domains", "Of the step", "Ranks"]
    _table(shown, [[row[name] for name in shown] for row in rows])
    click.echo("\n" + view.answer)


@click.command()
@click.option(
    "--operation", default="all-reduce", show_default=True, help="all-gather, reduce-scatter, all-to-all."
)
@click.option("--size-mb", type=click.FloatRange(min=0, min_open=True), required=True, help="10^6 bytes.")
@click.option("--ranks", type=_COUNT, default=8, show_default=True)
@click.option("--cluster", default="dgx-h100", show_default=True)
@as_json
def collective(operation: str, size_mb: float, ranks: int, cluster: str, as_json: bool) -> None:
    """Seconds of a collective: ring, tree, hierarchical; NVLink, PCIe or network.

    Example: burnin sim collective --size-mb 1000 --ranks 64 --cluster dgx-h100
    """
    from burnin.app.simulate import training as app

    result = app.collective(catalogue(), operation=operation, size_mb=size_mb, ranks=ranks, cluster=cluster)
    if as_json:
        print_json(result)
        return
    rows = [[a["name"], f"{1e3 * a['seconds']:.4g}", f"{a['bus_gb_s']:.4g}"] for a in result["algorithms"]]
    _table(["Algorithm", "Milliseconds", "Bus GB/s"], rows)
    click.echo("\n" + result["answer"])


@click.command()
@click.option("--model", required=True)
@click.option("--gpu", required=True)
@click.option("--tokens", type=_COUNT, default=1, show_default=True, help="New tokens a sequence; 1 decodes.")
@click.option("--context", type=_COUNT, default=4096, show_default=True, help="Tokens looked at.")
@click.option("--batch", type=_COUNT, default=1, show_default=True, help="Sequences.")
@click.option("--precision", default="bf16", show_default=True)
@as_json
def roofline(as_json: bool, **arguments: Any) -> None:
    """Each kernel of a layer under the card's roofs.

    Example: burnin sim roofline --model llama-3.1-70b --gpu h100 --tokens 1 --batch 32
    """
    from burnin.app.simulate import training as app

    result = app.roofline(catalogue(), **arguments)
    if as_json:
        print_json(result)
        return
    rows = [
        [
            p["name"],
            f"{p['intensity']:.4g}",
            f"{p['reachable_tflops']:.4g}",
            f"{1e6 * p['seconds']:.4g}",
            p["bound"],
        ]
        for p in result["points"]
    ]
    _table(["Kernel", "Operations/byte", "Reachable TFLOP/s", "Microseconds", "Bound by"], rows)
    click.echo("\n" + result["answer"])


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@as_json
def predict(files: tuple[Path, ...], as_json: bool) -> None:
    """Predict rows of published figures and compare.

    Example: burnin sim predict rows.yaml --json

    A file holds `tables: [{id, rows: [...]}]`; docs/accuracy.md names the tables that can be predicted.
    """
    from burnin.app.simulate.predicting import predict as run

    result = run(catalogue(), files)
    if as_json:
        print_json(result)
        return
    modelled = result["modelled_percent"]
    rows = [
        [key, f"{error:.2f} %", f"{modelled[key.partition('/')[0]]:.0f} %"]
        for key, error in result["mape_percent"].items()
    ]
    _table(["Table / metric / class", "Mean error", "Modelled"], rows)
    if result["not_predicted"]:
        click.echo(f"\nNot predicted: {', '.join(result['not_predicted'])}.")


def _table(heads: list[str], rows: list[list[str]]) -> None:
    from burnin.figures.text import columns_text

    click.echo(columns_text(heads, rows))
