"""``burnin diagnose``"""

from __future__ import annotations

import secrets
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from burnin.cli.exam import with_services
from burnin.cli.output import as_json, print_json, table

if TYPE_CHECKING:
    from burnin.app.diagnose import DiagnosticResult
    from burnin.app.wiring import Services


@click.command()
@click.argument("code", required=False)
@click.option("--resume", metavar="SITTING", help="Go on with a diagnostic.")
@click.option("--result", metavar="SITTING", help="Show the result of a finished one.")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, history and answers: same questions.")
@as_json
def diagnose(
    code: str | None, resume: str | None, result: str | None, seed: int | None, as_json: bool
) -> None:
    """Ask 10 to 15 questions over all domains, each chosen by your answers; say where to start.

    Example: burnin diagnose NCP-GENL
    """
    if sum(given is not None for given in (code, resume, result)) != 1:
        raise click.UsageError("Name an exam, or a sitting with --resume or --result.")

    async def run(services: Services) -> None:
        sitting = result or resume
        if sitting is None:
            assert code is not None
            sitting = await services.diagnose.start(code, seed=seed)
        if result is None and not await _ask(services, sitting):
            click.echo(f"\nLeft. `burnin diagnose --resume {sitting}` goes on.", err=True)
            return
        found = await services.diagnose.result(sitting)
        if as_json:
            print_json(asdict(found))
        else:
            _show(found)

    with_services(run)


async def _ask(services: Services, sitting: str) -> bool:
    from burnin.cli.results import paragraph
    from burnin.figures.text import exhibit_text

    step = await services.diagnose.step(sitting)
    while step.number is not None and step.item is not None:
        question = await services.take.question(sitting, step.number)
        options = question.asked.options
        click.secho(f"\nQuestion {step.asked + 1} of {step.fewest} to {step.most}", bold=True, err=True)
        if question.asked.exhibit:
            click.echo("\n" + exhibit_text(question.asked.exhibit), err=True)
        paragraph(question.asked.stem, err=True)
        if question.asked.choose > 1:
            click.echo(f"Select {question.asked.choose}.\n", err=True)
        for place, option in enumerate(options, start=1):
            paragraph(f"{place}. {option.text}", hang="   ", err=True)
        chosen = _chosen(len(options), question.asked.choose)
        if chosen is None:
            return False
        step = await services.diagnose.answer(
            sitting,
            step.item,
            [options[place - 1].id for place in chosen],
            client_id=f"tty-{secrets.token_hex(6)}",
        )
    return True


def _chosen(count: int, choose: int) -> list[int] | None:
    """Read option numbers; an empty list is "I do not know", None the end of input or q."""
    while True:
        click.echo("Numbers, or Enter if you do not know (q leaves): ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line or line.strip().lower() == "q":
            return None
        parts = line.replace(",", " ").split()
        places = sorted({int(p) for p in parts if p.isascii() and p.isdigit() and 1 <= int(p) <= count})
        if len(places) == len(parts) and len(places) in (0, choose):
            return places
        click.echo(f"Type {choose} of the numbers 1 to {count}.", err=True)


def _show(found: DiagnosticResult) -> None:
    click.secho(f"\n{found.exam}: {found.right} of {found.asked} right", bold=True)
    click.echo(
        "Where to start: the domains where most points of the exam lie open. From so few questions the "
        f"ranges are wide; each holds {found.level_percent} % of what can be believed. It is no forecast."
    )
    rows = [
        [
            d.title[:36],
            f"{d.weight} %",
            f"{d.right}/{d.asked}",
            f"{d.mean_percent:.0f} %",
            f"{d.low_percent:.0f} to {d.high_percent:.0f} %",
            f"{d.open_points:.1f}",
        ]
        for d in found.domains
    ]
    table("", ["Domain", "Weight", "Right", "Mean", "Range", "Open"], rows)
    if not found.clear:
        click.echo("No domain stands out clearly yet: begin with the first, and practise a mixed set too.")
