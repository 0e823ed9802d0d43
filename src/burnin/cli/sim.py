"""``burnin sim``: the simulators. Each is imported only when it is called."""

from __future__ import annotations

import importlib

import click

_SIMULATORS = {
    "pipeline": (
        "burnin.cli.sim_pipeline",
        "pipeline",
        "Timeline, bubble and memory of a pipeline schedule.",
    ),
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
