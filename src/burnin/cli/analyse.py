"""``burnin analyse``"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from burnin.cli.output import as_json, print_json, table

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("responses", type=_FILE)
@click.option("--key", type=_FILE, help="CSV with columns item and key: the cells are chosen options.")
@click.option("--counts", metavar="COLUMN", help="Column that says how many people gave the row's answers.")
@click.option("--model", type=click.Choice(["1pl", "2pl", "3pl", "rasch"]), default="2pl", show_default=True)
@click.option("--ignore", metavar="COLUMN", multiple=True, help="A column that is no item; may be repeated.")
@click.option("--group", metavar="COLUMN", help="Column of groups to compare (differential functioning).")
@click.option("--focal", metavar="VALUE", help="The group that is compared with the rest.")
@click.option("--anchors", type=_FILE, help="CSV with item, a, b (and c): known items that set the scale.")
@click.option("--blank", type=click.Choice(["missing", "wrong"]), default="missing", show_default=True)
@click.option("--abilities", is_flag=True, help="Each row's theta (EAP) and its error, in the JSON.")
@as_json
def analyse(
    responses: Path,
    key: Path | None,
    counts: str | None,
    model: str,
    ignore: tuple[str, ...],
    group: str | None,
    focal: str | None,
    anchors: Path | None,
    blank: str,
    abilities: bool,
    as_json: bool,
) -> None:
    """Analyse a table of answers: items, wrong keys, calibration.

    RESPONSES is a CSV file with one row a person and one column an item, named in the
    first row: 0 and 1, or chosen options with --key. Empty cells and NA are missing.
    1pl has one slope for all items, rasch fixes it at 1; 3pl takes weak priors.

    Example: burnin analyse answers.csv --key key.csv --ignore name --model 2pl
    """
    from burnin.app.analyse import Model, read_anchors, read_answers
    from burnin.app.analyse import analyse as run
    from burnin.app.errors import BadRequest

    if focal is not None and group is None:
        raise BadRequest("--focal needs --group")
    answers = read_answers(
        responses,
        key=key,
        counts=counts,
        group=group,
        focal=focal,
        ignore=ignore,
        blank_is_wrong=blank == "wrong",
    )
    known = None if anchors is None else read_anchors(anchors, answers)
    found = run(answers, Model(model), anchors=known, abilities=abilities)
    for warning in found["warnings"]:
        click.echo(warning, err=True)
    if as_json:
        print_json(found)
    else:
        _show(found)


def _show(found: dict[str, Any]) -> None:
    asymptote = found["model"] == "3pl"
    columns = ["Item", "p", "r rest", "a", "se", "b", "se", *(["c"] if asymptote else []), ""]
    if "groups" in found:
        columns.insert(-1, "DIF")
    rows = []
    for item in found["items"]:
        names = ["p", "item_rest_r", "a", "se_a", "b", "se_b", *(["c"] if asymptote else [])]
        row = [item["id"], *(_decimal(item[name]) for name in names)]
        if "groups" in found:
            row.append(item["dif"]["size"])
        suspect = item["suspect_key"]
        row.append(f"key? {suspect['likely']}" if suspect else "see note" if item["note"] else "")
        rows.append(row)
    alpha = "" if found["alpha"] is None else f", alpha {found['alpha']:.2f}"
    table(f"{found['persons']} people, {len(rows)} items{alpha}", columns, rows)
    click.echo("")
    for item in found["items"]:
        if item["suspect_key"]:
            click.echo(f"{item['id']}: {item['suspect_key']['why']}")
        elif item["note"]:
            click.echo(f"{item['id']}: {item['note']}")
    if found["loglik"] is not None:
        click.echo(
            f"log-likelihood {found['loglik']:.3f}, AIC {found['aic']:.1f}, BIC {found['bic']:.1f}; "
            f"priors: {found['prior']}"
        )
    click.echo(f"{'Converged' if found['converged'] else 'Not converged'}: {found['why']}.")


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
