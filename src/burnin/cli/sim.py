"""``burnin sim``: the simulators. Each is imported only when it is called."""

from __future__ import annotations

import importlib

import click

_SIMULATORS = {
    "zero": ("burnin.cli.sim_memory", "zero", "States a rank for ZeRO stages 0 to 3."),
    "memory": ("burnin.cli.sim_memory", "memory", "What fills a card in training, and what makes it fit."),
    "kv": ("burnin.cli.sim_memory", "kv", "KV cache for every kind of attention."),
    "lora": ("burnin.cli.sim_memory", "lora", "Parameters and memory of LoRA and QLoRA."),
    "pipeline": (
        "burnin.cli.sim_pipeline",
        "pipeline",
        "Timeline, bubble and memory of a pipeline schedule.",
    ),
    "collective": ("burnin.cli.sim_training", "collective", "Seconds of a collective by algorithm."),
    "placement": ("burnin.cli.sim_training", "placement", "Which ranks share a node, and a group."),
    "train": ("burnin.cli.sim_training", "train", "A training step: time, money, energy, and why."),
    "roofline": ("burnin.cli.sim_training", "roofline", "A layer's kernels under a card's roofs."),
    "quantize": ("burnin.cli.sim_quantize", "quantize", "Ways to quantize: savings, accuracy, and why not."),
    "speculative": ("burnin.cli.sim_quantize", "speculative", "What drafting brings, by draft length."),
    "serve-step": ("burnin.cli.sim_serving", "serve_step", "A serving step, and what clients see."),
    "predict": ("burnin.cli.sim_training", "predict", "Published figures against the models."),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_SIMULATORS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _SIMULATORS:
            return None
        module, name, _ = _SIMULATORS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in _SIMULATORS.items()])


@click.group(cls=_Lazy)
def sim() -> None:
    """Simulate training and serving of large models: no GPU needed."""
