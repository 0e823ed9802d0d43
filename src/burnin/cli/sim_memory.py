"""``burnin sim zero``, ``memory``, ``kv`` and ``lora``"""

from __future__ import annotations

from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json
from burnin.cli.plan_options import plan_options

_COUNT = click.IntRange(min=1)


@click.command()
@click.option("--params", help="Parameters, such as 7.5B.")
@click.option("--model", help="A model of the catalogue instead.")
@click.option("--ranks", type=_COUNT, default=64, show_default=True, help="Data-parallel ranks.")
@click.option("--optimizer", default="adam-mixed", show_default=True)
@as_json
def zero(params: str | None, model: str | None, ranks: int, optimizer: str, as_json: bool) -> None:
    """Weights, gradients and optimizer states a rank, for ZeRO stages 0 to 3.

    Example: burnin sim zero --params 7.5B --ranks 64
    """
    from burnin.app.simulate import memory as app

    number = app.parameters(params) if params is not None else None
    result = app.zero(catalogue(), params=number, model=model, ranks=ranks, optimizer=optimizer)
    if as_json:
        print_json(result)
        return
    rows = [
        [
            str(stage["stage"]),
            *(f"{term['gb']:.4g}" for term in stage["terms"]),
            f"{stage['total']['gb']:.4g}",
            f"{stage['traffic']['gb']:.4g}",
        ]
        for stage in result["stages"]
    ]
    heads = ["Stage", "Weights (GB)", "Gradients (GB)", "States (GB)", "Total (GB)", "Sent a step (GB)"]
    _table(heads, rows)
    click.echo("\n" + result["answer"])


@click.command()
@click.option("--model", required=True)
@click.option("--gpu", required=True)
@plan_options
@click.option("--lora-rank", type=click.IntRange(min=0), default=0, show_default=True, help="0 trains all.")
@click.option("--offload-states", is_flag=True, help="Optimizer states to the host.")
@click.option("--offload-weights", is_flag=True, help="Weights to the host.")
@click.option("--offload-gb-s", type=click.FloatRange(min=0, min_open=True), help="Link or NVMe share, GB/s.")
@click.option("--context-gib", type=click.FloatRange(min=0), help="Assumption: context and libraries.")
@click.option("--fragmentation", type=click.FloatRange(0, 1), help="Assumption: share of what is allocated.")
@as_json
def memory(
    model: str,
    gpu: str,
    offload_states: bool,
    offload_weights: bool,
    offload_gb_s: float | None,
    context_gib: float | None,
    fragmentation: float | None,
    as_json: bool,
    **plan: Any,
) -> None:
    """What fills the fullest rank in training, and the smallest change that makes it fit.

    Example: burnin sim memory --model llama-3.1-8b --gpu h100 --dp 8 --zero 3 --seq 8192
    """
    from burnin.app.simulate import memory as app
    from burnin.app.simulate.plans import plan_of

    result = app.memory(
        catalogue(),
        model=model,
        gpu=gpu,
        plan=plan_of(plan),
        assumed=app.assumptions(context_gib, fragmentation),
        offload_states=offload_states,
        offload_weights=offload_weights,
        offload_gb_s=offload_gb_s,
    )
    if as_json:
        print_json(result)
        return
    rows = [
        [term["name"], f"{term['gib']:.2f}", f"{term['running_gib']:.2f}", term["formula"], term["filled"]]
        for term in result["waterfall"]
    ]
    _table(["Term", "GiB", "Sum", "Formula", "With numbers"], rows)
    click.echo("\n" + result["answer"])


@click.command()
@click.option("--model", required=True)
@click.option("--tokens", type=_COUNT, default=4096, show_default=True, help="Tokens a sequence.")
@click.option("--batch", type=_COUNT, default=1, show_default=True, help="Sequences.")
@click.option("--precision", default="bf16", show_default=True, help="fp16, bf16, fp8, int8, int4 …")
@click.option("--tp", "tensor", type=_COUNT, default=1, show_default=True, help="Tensor parallel.")
@click.option(
    "--block", type=click.IntRange(min=0), default=16, show_default=True, help="Tokens a page; 0: none."
)
@click.option(
    "--reserve", type=click.IntRange(min=0), default=0, help="Without pages: tokens set aside a sequence."
)
@click.option("--gpu", help="Also say how many sequences fit.")
@as_json
def kv(as_json: bool, **arguments: Any) -> None:
    """The KV cache of a batch: MHA, MQA, GQA, MLA, sliding windows, hybrids.

    Example: burnin sim kv --model llama-3.1-70b --tokens 8192 --batch 32 --tp 4 --gpu h100
    """
    from burnin.app.simulate import memory as app

    result = app.kv(catalogue(), **arguments)
    if as_json:
        print_json(result)
        return
    rows = [[t["name"], f"{t['gb']:.4g}", t["formula"], t["filled"]] for t in result["terms"]]
    _table(["Term", "GB", "Formula", "With numbers"], rows)
    click.echo("\n" + result["answer"])


@click.command()
@click.option("--model", required=True)
@click.option("--rank", type=_COUNT, default=16, show_default=True)
@click.option("--targets", default="q,v", show_default=True, help="Projections: q,k,v,o,gate,up,down.")
@click.option("--base", default="bf16", show_default=True, help="bf16, fp8, int8, nf4, nf4-double.")
@click.option("--optimizer", default="adam-mixed", show_default=True)
@as_json
def lora(model: str, rank: int, targets: str, base: str, optimizer: str, as_json: bool) -> None:
    """Trainable parameters and memory of LoRA and QLoRA.

    Example: burnin sim lora --model llama-1-65b --rank 64 --targets q,k,v,o --base nf4-double
    """
    from burnin.app.simulate import memory as app

    names = tuple(name.strip() for name in targets.split(",") if name.strip())
    result = app.lora(catalogue(), model=model, rank=rank, targets=names, base=base, optimizer=optimizer)
    if as_json:
        print_json(result)
        return
    rows = [[t["name"], f"{t['gb']:.4g}", t["formula"], t["filled"]] for t in result["terms"]]
    _table(["Term", "GB", "Formula", "With numbers"], rows)
    click.echo("\n" + result["answer"])


def _table(heads: list[str], rows: list[list[str]]) -> None:
    from burnin.figures.text import columns_text

    click.echo(columns_text(heads, rows))
