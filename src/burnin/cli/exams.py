"""``burnin exams``"""

from __future__ import annotations

import click

from burnin.cli.output import as_json, catalogue, print_json, table


@click.command()
@click.argument("code", required=False)
@as_json
def exams(code: str | None, as_json: bool) -> None:
    """Show the exams, or one exam's domains and objectives.

    Example: burnin exams NCP-GENL
    """
    from burnin.app.exams import Exams

    exams = Exams(catalogue().blueprints)
    if as_json:
        print_json(exams.as_json(code))
        return
    for blueprint in exams.all() if code is None else (exams.get(code),):
        questions = f"{blueprint.questions_min} to {blueprint.questions_max} questions"
        title = f"{blueprint.code}: {blueprint.title} ({blueprint.level}), {questions} in {blueprint.minutes} minutes, as of {blueprint.as_of}"
        rows = [[f"{d.weight} %", d.title, d.id] for d in blueprint.domains]
        table(title, ["Weight", "Domain", "Id"], rows)
        if code:
            for domain in blueprint.domains:
                click.echo(f"\n{domain.title} ({domain.weight} %)")
                for name, text in domain.objectives.items():
                    click.echo(f"  {name}: {text}")
        click.echo("")
