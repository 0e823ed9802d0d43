"""The ``burnin`` command. Sub-commands are imported only when they are called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

from burnin import __version__

_COMMANDS = {
    "serve": ("burnin.cli.serve", "serve", "Start the web app (what bare `burnin` does)."),
    "exams": ("burnin.cli.exams", "exams", "The exams: domains, weights, objectives, policy facts."),
    "exam": ("burnin.cli.exam", "exam", "Assemble a form, or sit one in the terminal."),
    "practice": ("burnin.cli.practice", "practice", "Practise what you choose: by domain, missed, unsure …"),
    "diagnose": ("burnin.cli.diagnose", "diagnose", "A dozen questions that find out where to start."),
    "readiness": ("burnin.cli.ready", "readiness", "The chance to pass on a date, and which domains lag."),
    "standing": (
        "burnin.cli.ready",
        "standing",
        "Red, yellow, green for every objective; recurring mistakes.",
    ),
    "plan": ("burnin.cli.ready", "plan", "The days to the exam, in six phases."),
    "result": ("burnin.cli.ready", "result", "Record how the real exam went."),
    "bank": ("burnin.cli.bank", "bank", "The question bank: counts, checks, samples, audit."),
    "sim": ("burnin.cli.sim", "sim", "Simulators of training and serving: no GPU needed."),
    "drill": ("burnin.cli.drill", "drill", "Find what broke, from panels like a server's."),
    "analyse": (
        "burnin.cli.analyse",
        "analyse",
        "Anybody's table of answers: items, wrong keys, calibration.",
    ),
    "faults": ("burnin.cli.faults", "faults", "Errors that you reported in items."),
}


class _Lazy(click.Group):
    """A group that knows its commands' names and summaries without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in _COMMANDS.items()])


@click.group(
    cls=_Lazy,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="burnin")
@click.pass_context
def burnin(ctx: click.Context) -> None:
    """Exam readiness for NVIDIA's NCP-GENL and NCA-GENM, on your own machine.

    Without a command the web app starts on 127.0.0.1 and a browser opens where there is one.
    BURNIN_HOME names the data folder. Most commands take --json: one object on stdout,
    messages on stderr. Exit status 0: done; 1: a check failed; 2: wrong use or bad input.
    """
    if ctx.invoked_subcommand is None:
        from burnin.cli.serve import serve

        ctx.invoke(serve)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    from burnin.app.errors import AppError

    try:
        status = burnin.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = 2
    except AppError as error:
        click.echo(f"burnin: {error}", err=True)
        status = 2
    except click.Abort:
        click.echo("Stopped.", err=True)
        status = 130
    except BrokenPipeError:
        # The reader went away (`burnin … | head`): nothing is left to tell it.
        sys.stderr.close()
        status = 141
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
