"""``burnin sim quantize`` and ``speculative``"""

from __future__ import annotations

from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json, table

_COUNT = click.IntRange(min=1)
_ABOVE = click.FloatRange(min=0, min_open=True)


@click.command()
@click.option("--model", required=True)
@click.option("--gpu", "gpus", multiple=True, required=True, help="May stand several times.")
@click.option("--tp", "tensor", type=_COUNT, default=1, show_default=True, help="Tensor parallelism.")
@click.option("--batch", type=_COUNT, default=1, show_default=True, help="Sequences that decode together.")
@click.option("--context", type=_COUNT, default=2048, show_default=True, help="Tokens of each in the cache.")
@click.option(
    "--keep", "keep_percent", type=click.FloatRange(0, 100), default=0.0, help="Percent of accuracy."
)
@click.option("--from-ms", type=_ABOVE, help="A step as measured in 16 bits.")
@click.option("--to-ms", type=_ABOVE, help="What it must come down to.")
@click.option("--from-gpu", help="The card it was measured on; default: the first --gpu.")
@as_json
def quantize(as_json: bool, **arguments: Any) -> None:
    """Ways to quantize a model on a card: what each saves and keeps, which to take, why not the others.

    Example: burnin sim quantize --model llama-3.1-70b --gpu h100 --gpu b200 --tp 2 --from-ms 200 --to-ms 50 --keep 95
    """
    from burnin.app.simulate import quantize as app

    result = app.quantize(catalogue(), **arguments)
    if as_json:
        print_json(result)
        return
    for card in result["cards"]:
        rows = [
            [
                choice["method"],
                {"bf16": "16 bits", "fp8": "FP8"}[choice["kv"]],
                f"{choice['weights_gb'] + choice['kv_gb']:.4g}",
                f"{choice['speedup_at_most']:.3g}",
                "unknown" if choice["kept_percent"] is None else f"{choice['kept_percent']:.1f}",
                "yes" if choice["stands"] else "no",
            ]
            for choice in card["choices"]
        ]
        table(card["gpu"], ["Method", "Cache", "GB a card", "Speed, at most", "Kept (%)", "Stands"], rows)
        for choice in card["choices"]:
            if choice["kv"] == "bf16" and not choice["stands"]:
                wider = choice["reaches_with_tensor"]
                more = f"; would stand with --tp {wider}" if wider else ""
                click.echo(f"{choice['method']}: {'; '.join(choice['why_not'])}{more}")
    click.echo("\n" + result["answer"])


@click.command()
@click.option(
    "--acceptance", type=click.FloatRange(0, 1), required=True, help="Chance that a token is taken."
)
@click.option(
    "--draft-cost", type=click.FloatRange(min=0), required=True, help="Draft step over target step."
)
@click.option("--length", type=click.IntRange(0, 32), help="Drafted tokens; default: the best.")
@click.option("--slots", type=_COUNT, help="Tokens a pass takes before compute binds; default: no limit.")
@as_json
def speculative(as_json: bool, **arguments: Any) -> None:
    """Speculative decoding: tokens a pass, speed-up, and the draft length that pays most.

    Example: burnin sim speculative --acceptance 0.8 --draft-cost 0.05 --slots 64
    """
    from burnin.app.simulate import speculative as app

    result = app.speculative(**arguments)
    if as_json:
        print_json(result)
        return
    rows = [
        [str(one["length"]), f"{one['tokens_a_pass']:.3g}", f"{one['speedup']:.3g}", f"{one['work']:.3g}"]
        for one in result["lengths"]
    ]
    table("", ["Drafted", "Tokens a pass", "Speed, times", "Work, times"], rows)
    click.echo("\n" + result["answer"])
