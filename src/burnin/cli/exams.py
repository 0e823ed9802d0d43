"""``burnin exams``"""

from __future__ import annotations

from typing import Any

import click

from burnin.cli.output import as_json, catalogue, print_json, table
from burnin.domain.blueprint import Blueprint


@click.command()
@click.argument("code", required=False)
@as_json
def exams(code: str | None, as_json: bool) -> None:
    """Show the exams, or one exam's domains and objectives.

    Example: burnin exams NCP-GENL
    """
    from burnin.app.inspect import blueprint_of

    catalog = catalogue()
    blueprints = [blueprint_of(catalog, code)] if code else list(catalog.blueprints.values())
    if as_json:
        print_json({"exams": [_plain(b) for b in sorted(blueprints, key=lambda b: b.code)]})
        return
    for blueprint in sorted(blueprints, key=lambda b: b.code):
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


def _plain(blueprint: Blueprint) -> dict[str, Any]:
    return {
        "code": blueprint.code,
        "title": blueprint.title,
        "level": blueprint.level,
        "as_of": blueprint.as_of,
        "minutes": blueprint.minutes,
        "questions": {"min": blueprint.questions_min, "max": blueprint.questions_max},
        "domains": [
            {
                "id": domain.id,
                "title": domain.title,
                "weight": domain.weight,
                "objectives": list(domain.objectives),
                "focus": list(domain.focus),
                "traps": list(domain.traps),
                "official": [official.number for official in domain.official],
            }
            for domain in blueprint.domains
        ],
    }
