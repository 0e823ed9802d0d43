"""``burnin faults``"""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from burnin.cli.output import catalogue, home, print_json


@click.group()
def faults() -> None:
    """Errors that you reported in items. They stay on this machine until you send them."""


@faults.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def list_faults(as_json: bool) -> None:
    """List the reports."""
    from dataclasses import asdict

    from burnin.app.wiring import open_services

    services = open_services(home(), catalog=catalogue())
    try:
        reports = asyncio.run(services.faults.all())
    finally:
        services.close()
    if as_json:
        print_json({"faults": [asdict(report) for report in reports]})
    elif not reports:
        click.echo(
            "No reports. The review of a sitting has “Report an error in this item” under each question."
        )
    for report in () if as_json else reports:
        click.echo(f"{report.item} (version {report.version}), {report.kind}: {report.text}")


@faults.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
def export(out: Path | None) -> None:
    """Print the reports as JSON lines, or write them to a file.

    Example: burnin faults export --out faults.jsonl
    """
    from burnin.app.errors import BadRequest
    from burnin.app.wiring import open_services

    services = open_services(home(), catalog=catalogue())
    try:
        lines = list(asyncio.run(services.faults.export()))
    finally:
        services.close()
    text = "".join(f"{line}\n" for line in lines)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"cannot write {str(out)!r}: {error.strerror}") from error
    click.echo(f"{len(lines)} report{'s' * (len(lines) != 1)} written to {out}")
