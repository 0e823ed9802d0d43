"""``burnin drill``: find what broke, from panels like a server's."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json, table

STEP = 3
"""Minutes that a column of the terminal's table averages."""


@click.group()
def drill() -> None:
    """Drills: half an hour of a fleet's panels with one hidden fault."""


@drill.command("list")
@as_json
def list_(as_json: bool) -> None:
    """The drills there are.

    Example: burnin drill list
    """
    found = _drills().all()
    if as_json:
        keys = ("id", "exam", "objective", "title")
        print_json({"drills": [{key: getattr(one, key) for key in keys} for one in found]})
        return
    # Ids name the fault: the list goes by number and says what was noticed.
    rows = [[str(number), one.objective, one.title] for number, one in enumerate(_by_title(found), 1)]
    table("Drills", ["Number", "Objective", "What was noticed"], rows)
    click.echo("\nburnin drill show NUMBER")


@drill.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Another one: other numbers."
)
@as_json
def show(number: int, seed: int, as_json: bool) -> None:
    """The brief, the panels, and what to choose from.

    Example: burnin drill show 3 --seed 7
    """
    drills = _drills()
    one = _numbered(drills, number)
    seen = drills.show(one.id, seed)
    faults, measures = drills.faults(one.id), drills.measures(one.id)
    if as_json:
        print_json(
            {
                "number": number,
                "seed": seed,
                "title": one.title,
                "brief": one.brief,
                "panels": [asdict(panel) for panel in seen.panels],
                "faults": list(faults),
                "measures": list(measures),
            }
        )
        return
    click.echo(f"{one.title}\n\n{one.brief}\n")
    minutes = range(0, 30, STEP)
    for panel in seen.panels:
        rows = [
            [line, *(f"{panel.mean(line, at, at + STEP):.4g}" for at in minutes)] for line in panel.series
        ]
        unit = f" ({panel.unit})" if panel.unit else ""
        table(f"{panel.title}{unit}  {panel.metric}", ["Minute", *map(str, minutes)], rows)
        click.echo()
    for name, words in (("What broke?", faults), ("What first?", measures)):
        click.echo(name)
        for place, text in enumerate(words, 1):
            click.echo(f"  {place:2}  {text}")
    click.echo(f"\nburnin drill answer {number} --seed {seed} --fault N --measure N")


@drill.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--fault", type=int, required=True, help="What broke, by number.")
@click.option("--measure", type=int, required=True, help="What to do first, by number.")
@as_json
def answer(number: int, seed: int, fault: int, measure: int, as_json: bool) -> int:
    """Say what broke and what to do first; both must be right. Status 1 where they are not.

    Example: burnin drill answer 3 --seed 7 --fault 2 --measure 5
    """
    drills = _drills()
    found = drills.judge(_numbered(drills, number).id, seed, fault=fault, measure=measure)
    if as_json:
        print_json(asdict(found))
    else:
        click.echo("Found." if found.passed else "Not found.")
        click.echo(
            f"What broke: {found.fault}{'' if found.fault_right else ' (you said otherwise)'}, from minute {found.onset_minute:.0f} on."
        )
        click.echo(
            f"First: {found.measure}{'' if found.measure_right else ' (you said otherwise)'}.\n\n{found.debrief}"
        )
    return 0 if found.passed else 1


def _drills() -> Any:
    from burnin.app.drill import Drills

    return Drills(catalogue())


def _by_title(found: Any) -> list[Any]:
    return sorted(found, key=lambda one: one.title)


def _numbered(drills: Any, number: int) -> Any:
    found = _by_title(drills.all())
    if number > len(found):
        raise click.UsageError(f"There are {len(found)} drills, not {number}.")
    return found[number - 1]
