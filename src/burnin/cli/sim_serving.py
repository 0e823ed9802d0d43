"""``burnin sim serve-step``"""

from __future__ import annotations

from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json, table

_COUNT = click.IntRange(min=1)


@click.command("serve-step")
@click.option("--model", required=True)
@click.option("--gpu", required=True)
@click.option("--engine", default="vllm", show_default=True, help="trtllm, vllm, sglang or nim.")
@click.option("--version", default="", help="The engine's version, such as 0.12.0.")
@click.option("--precision", default="bf16", show_default=True, help="Of the weights.")
@click.option("--kv", default="", help="Format of the KV cache; default: what the engine takes.")
@click.option("--tp", "tensor", type=_COUNT, default=1, show_default=True, help="Tensor parallelism.")
@click.option("--pp", "pipeline", type=_COUNT, default=1, show_default=True, help="Pipeline stages.")
@click.option(
    "--adp", "attention_data", type=_COUNT, default=1, show_default=True, help="Attention replicas."
)
@click.option(
    "--ep", "expert_parallel", type=_COUNT, default=1, show_default=True, help="Expert parallelism."
)
@click.option("--clients", type=_COUNT, default=16, show_default=True, help="Each with one open request.")
@click.option("--prompt", type=_COUNT, default=1024, show_default=True, help="Tokens of a prompt.")
@click.option("--output", type=_COUNT, default=256, show_default=True, help="Tokens of an answer.")
@click.option("--eager", is_flag=True, help="CUDA graphs off.")
@as_json
def serve_step(as_json: bool, eager: bool, **arguments: Any) -> None:
    """What a step of a serving engine costs, what clients see, and how many tokens the cache holds.

    Example: burnin sim serve-step --model llama-3.1-70b --gpu h100 --engine vllm --precision fp8 --tp 2 --clients 32
    """
    from burnin.app.simulate.serve_step import serve_step as answer

    result = answer(catalogue(), cuda_graphs=not eager, **arguments)
    if as_json:
        print_json(result)
        return
    rows = [[term["name"], f"{1e3 * term['seconds']:.4g}", term["filled"]] for term in result["terms"]]
    table("One decode step", ["Part", "ms", "Formula with its numbers"], rows)
    click.echo(f"\nThe cache holds {result['kv_capacity_tokens']} tokens in {result['kv']}.")
    click.echo(result["answer"])
