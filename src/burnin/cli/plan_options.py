"""The options that describe a training plan, shared by commands that take one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

_COUNT = click.IntRange(min=1)
_OPTIONS = (
    click.option("--tp", "tensor", type=_COUNT, default=1, show_default=True, help="Tensor parallel."),
    click.option("--pp", "pipeline", type=_COUNT, default=1, show_default=True, help="Pipeline parallel."),
    click.option("--dp", "data", type=_COUNT, default=1, show_default=True, help="Data parallel."),
    click.option("--cp", "context", type=_COUNT, default=1, show_default=True, help="Context parallel."),
    click.option("--ep", "expert", type=_COUNT, default=1, show_default=True, help="Expert parallel."),
    click.option("--micro-batch", type=_COUNT, default=1, show_default=True, help="Sequences."),
    click.option("--global-batch", type=_COUNT, help="Sequences a step. [default: one micro-batch a rank]"),
    click.option("--seq", "sequence", type=_COUNT, default=4096, show_default=True, help="Tokens."),
    click.option("--interleave", type=_COUNT, default=1, show_default=True, help="Chunks a pipeline rank."),
    click.option(
        "--schedule", default="1f1b", show_default=True, help="gpipe, 1f1b, zb-h1, zb-h2, zb-v, dualpipe."
    ),
    click.option(
        "--zero", type=click.IntRange(0, 3), default=1, show_default=True, help="ZeRO stage; 3 is FSDP."
    ),
    click.option(
        "--recompute",
        type=click.Choice(["none", "selective", "full"]),
        default="none",
        show_default=True,
    ),
    click.option("--precision", default="bf16", show_default=True, help="fp16, bf16, fp8, mxfp8, nvfp4."),
    click.option(
        "--optimizer", default="megatron", show_default=True, help="megatron, adam-mixed, adam-8bit …"
    ),
    click.option("--flash/--no-flash", default=True, show_default=True, help="Flash attention."),
    click.option("--fused/--no-fused", default=True, show_default=True, help="Fused element-wise kernels."),
    click.option("--sequence-parallel/--no-sequence-parallel", default=True, show_default=True),
    click.option("--dropout/--no-dropout", default=False, show_default=True),
    click.option("--cuda-graphs/--no-cuda-graphs", default=False, show_default=True),
    click.option("--overlap/--no-overlap", default=True, show_default=True, help="Traffic beside compute."),
)


def plan_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a plan."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
