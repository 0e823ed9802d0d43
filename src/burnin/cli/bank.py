"""``burnin bank``"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from burnin.cli.output import as_json, catalogue, home, print_json, table

if TYPE_CHECKING:
    from burnin.app.inspect import Catalog, Shown


@click.group()
def bank() -> None:
    """The question bank."""


@bank.command()
@as_json
def stats(as_json: bool) -> None:
    """Count items by exam, domain, objective, focus point, trap and official number."""
    from burnin.app.inspect import stats as count

    counted = count(catalogue())
    if as_json:
        print_json(counted)
        return
    for code, exam in counted["exams"].items():
        rows = [
            [
                str(domain["items_static"]),
                f"{domain['weight']} %",
                name,
                _covered(domain["objectives"]),
                _covered(domain["focus"]),
                _covered(domain["traps"]),
                _covered(domain["official"]),
            ]
            for name, domain in exam["domains"].items()
        ]
        title = (
            f"{code}: {exam['items_static']} items, {exam['scenario']} scenarios, {exam['multiple']} choose-N, "
            f"{exam['with_flip_point']} with a flip point"
        )
        table(title, ["Items", "Weight", "Domain", "Objectives", "Focus", "Traps", "Official"], rows)
        click.echo("")
    click.echo(
        f"{counted['items_static']} items in all; {counted['misconceptions']} misconceptions, "
        f"{counted['sources']} sources, {counted['exhibits']} exhibits. "
        "3/4 means: three of four have at least one item."
    )


def _covered(counts: dict[str, int]) -> str:
    return f"{sum(n > 0 for n in counts.values())}/{len(counts)}"


@bank.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@as_json
def check(folder: Path | None, as_json: bool) -> None:
    """Check content files: each fault with file, line and field.

    FOLDER is a content folder (with items/, sources/ …); without it the built-in
    content and your own in BURNIN_HOME/content are checked.

    Example: burnin bank check ./my-content
    """
    from burnin.app.inspect import check as check_content

    checked = check_content(folder, home())
    if as_json:
        problems = [
            {"file": p.file, "line": p.line, "field": p.field, "message": p.message} for p in checked.problems
        ]
        print_json({"items": checked.items, "problems": problems, "passed": checked.passed})
    else:
        for problem in checked.problems:
            click.echo(str(problem), err=True)
        count = len(checked.problems)
        click.echo(f"{checked.items} items stand; {count} problem{'s' * (count != 1)}.")
    sys.exit(0 if checked.passed else 1)


@bank.command()
@click.argument("item_id")
@click.option("--key", is_flag=True, help="Show key, reasons, flip points and sources.")
@as_json
def show(item_id: str, key: bool, as_json: bool) -> None:
    """Show one item.

    Example: burnin bank show genl-gpu-zero3-traffic --key
    """
    from burnin.app.inspect import shown

    catalog = catalogue()
    _print(catalog, [shown(catalog, item_id)], key, as_json)


@bank.command()
@click.option("--exam", "code", required=True, help="Exam code.")
@click.option("-n", "--number", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same bank: same sample.")
@click.option("--domain", help="Only this domain.")
@click.option("--key", is_flag=True, help="Show key, reasons, flip points and sources.")
@as_json
def sample(code: str, number: int, seed: int, domain: str | None, key: bool, as_json: bool) -> None:
    """Draw items at random, options shuffled.

    Example: burnin bank sample --exam NCA-GENM -n 5 --seed 7
    """
    from burnin.app.inspect import sample as draw

    catalog = catalogue()
    drawn = draw(catalog, code, number=number, seed=seed, domain=domain)
    if len(drawn) < number:
        click.echo(f"only {len(drawn)} items to draw from", err=True)
    _print(catalog, drawn, key, as_json)


@bank.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write the files into this folder."
)
def schema(out: Path | None) -> None:
    """Print the JSON Schemas of the content files, or write them to a folder.

    Example: burnin bank schema --out ./schema
    """
    from burnin.app.inspect import json_schemas

    schemas = json_schemas()
    if out is None:
        print_json({name: json.loads(body) for name, body in schemas.items()})
        return
    out.mkdir(parents=True, exist_ok=True)
    for name, body in schemas.items():
        (out / name).write_bytes(body)
        click.echo(str(out / name))


def _print(catalog: Catalog, items: list[Shown], key: bool, as_json: bool) -> None:
    from burnin.app.inspect import plain_item
    from burnin.figures.text import exhibit_text

    plain = [plain_item(catalog, entry, key=key) for entry in items]
    if as_json:
        print_json({"items": plain})
        return
    for entry in plain:
        click.secho(f"{entry['id']}  ({entry['exam']}, {entry['objective']})", bold=True)
        click.echo(f"\n{entry['stem']}\n")
        if entry["exhibit"]:
            click.echo(exhibit_text(catalog.exhibits[entry["exhibit"]["id"]]) + "\n")
        if entry["choose"] > 1:
            click.echo(f"Select {entry['choose']}.")
        for option in entry["options"]:
            mark = ("[right] " if option["correct"] else "[wrong] ") if key else "- "
            click.echo(f"{mark}{option['text']}")
            if key:
                click.echo(f"        {option['reason']}")
                if option["flip"]:
                    click.echo(f"        Would be right: {option['flip']}")
        for source in entry.get("sources", ()):
            click.echo(f"Source: {source['title']}, {source['locator']} <{source['url']}>")
        click.echo("")
