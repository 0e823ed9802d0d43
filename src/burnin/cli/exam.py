"""``burnin exam``"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from burnin.cli.output import as_json, catalogue, home, print_json, table

if TYPE_CHECKING:
    from burnin.app.wiring import Services


T = TypeVar("T")


@click.group()
def exam() -> None:
    """Forms and sittings."""


@exam.command()
@click.argument("code")
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same bank: same form.")
@click.option(
    "--size", type=click.IntRange(min=1), help="Number of questions; default: as the real exam has."
)
@as_json
def new(code: str, seed: int, size: int | None, as_json: bool) -> None:
    """Assemble a form and print what it holds, without answers. Nothing is stored.

    Questions that you saw least come first, so after a sitting the same seed draws others.

    Example: burnin exam new NCP-GENL --seed 7
    """
    from burnin.app.home import database
    from burnin.app.inspect import draft_form, seen_before

    catalog = catalogue()
    history = seen_before(catalog, database(home()))
    draft = draft_form(catalog, code, seed=seed, size=size, history=history)
    if as_json:
        print_json(draft)
        return
    rows = [[str(n), e["domain"], str(e["choose"]), e["id"]] for n, e in enumerate(draft["items"], start=1)]
    table(
        f"Form {draft['form']}: {len(rows)} questions in {draft['minutes']} minutes",
        ["#", "Domain", "Choose", "Item"],
        rows,
    )


@exam.command()
@click.argument("code", required=False)
@click.option(
    "--conditions",
    type=click.Choice(["exam", "timed", "tutor"]),
    default="exam",
    show_default=True,
    help="exam: the clock never stops. timed: it can be paused. tutor: no clock, reasons at once.",
)
@click.option("--seed", type=int, help="Same seed, same bank: same form.")
@click.option(
    "--size", type=click.IntRange(min=1), help="Number of questions; default: as the real exam has."
)
@click.option("--minutes", type=click.IntRange(min=1), help="Time; default: the real exam's pace.")
@click.option("--extra-time", type=click.IntRange(0, 200), default=0, help="Accommodation, in percent.")
@click.option("--resume", metavar="ID", help="Go on with a sitting; `last` is the latest open one.")
@click.option("--yes", is_flag=True, help="Start without asking.")
def sit(
    code: str | None,
    conditions: str,
    seed: int | None,
    size: int | None,
    minutes: int | None,
    extra_time: int,
    resume: str | None,
    yes: bool,
) -> None:
    """Sit an exam in the terminal. Every answer is saved as you give it.

    Example: burnin exam sit NCA-GENM
    """
    if (code is None) == (resume is None):
        raise click.UsageError("Name an exam, or a sitting with --resume.")

    async def run(services: Services) -> None:
        from burnin.app.errors import BadRequest
        from burnin.cli.terminal import TerminalSitting, show_rules
        from burnin.domain.sitting import Conditions

        sitting = resume
        if resume == "last":
            open_ones = [s for s in await services.outcome.recent() if not s.over]
            if not open_ones:
                raise BadRequest("no sitting is open")
            sitting = open_ones[0].id
        if sitting is None:
            assert code is not None
            chosen = Conditions(conditions)
            show_rules(chosen)
            if not yes and not click.confirm("Start now?", default=True):
                return
            sitting = await services.take.create(
                code, conditions=chosen, seed=seed, size=size, minutes=minutes, extra_time_percent=extra_time
            )
            if extra_time and chosen is not Conditions.TUTOR:
                usual = await services.aids.of(sitting, chosen.value)
                await services.aids.choose(
                    sitting, strike=usual.strike, notes=usual.notes, extra_time_percent=extra_time
                )
        await TerminalSitting(services, sitting).run()

    with_services(run)


@exam.command("list")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@as_json
def list_sittings(limit: int, as_json: bool) -> None:
    """List sittings, the newest first."""

    async def run(services: Services) -> None:
        sittings = await services.outcome.recent(limit)
        plain = [
            {
                "id": s.id,
                "exam": s.exam,
                "conditions": s.conditions.value,
                "questions": s.size,
                "started": _day(s.created_wall_ms),
                "phase": s.phase,
                "over": s.over,
                "interrupted": s.interrupted,
                "percent": s.percent,
            }
            for s in sittings
        ]
        if as_json:
            print_json({"sittings": plain})
        elif not plain:
            click.echo("No sittings yet. `burnin exam sit NCP-GENL` starts one.")
        else:
            rows = [
                [
                    s.id,
                    s.exam,
                    s.conditions.value,
                    str(s.size),
                    _day(s.created_wall_ms),
                    s.phase,
                    _percent(s.percent),
                ]
                for s in sittings
            ]
            table("Sittings", ["Id", "Exam", "Kind", "Size", "Started", "Phase", "Score"], rows)

    with_services(run)


@exam.command()
@click.argument("sitting")
@click.option(
    "--pass-mark", type=click.IntRange(1, 100), help="Assumed pass mark in percent; none is published."
)
@click.option("--review", is_flag=True, help="Show every question with all its reasons.")
@as_json
def result(sitting: str, pass_mark: int | None, review: bool, as_json: bool) -> None:
    """Show the result of a finished sitting; `last` is the latest.

    Example: burnin exam result last --review
    """

    async def run(services: Services) -> None:
        from burnin.cli.results import plain_result, show_result

        chosen = await _finished(services, sitting)
        outcome = await services.outcome.report(chosen, pass_mark_percent=pass_mark)
        if as_json:
            print_json(plain_result(outcome, review=review))
        else:
            show_result(outcome, review=review)

    with_services(run)


@exam.command()
@click.argument("sitting")
@click.option(
    "--pass-mark", type=click.IntRange(1, 100), help="Assumed pass mark in percent; none is published."
)
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write a row an item."
)
@click.option(
    "--parquet", type=click.Path(path_type=Path, dir_okay=False), help="The same as Parquet (an extra)."
)
@as_json
def report(
    sitting: str, pass_mark: int | None, csv_file: Path | None, parquet: Path | None, as_json: bool
) -> None:
    """Show what a finished sitting teaches and what to do next; `last` is the latest.

    Example: burnin exam report last --csv sitting.csv
    """

    async def run(services: Services) -> None:
        from burnin.app.report import csv_text, parquet_bytes
        from burnin.cli.report import plain_report, show_report

        full = await services.report.full(await _finished(services, sitting), pass_mark_percent=pass_mark)
        if csv_file is not None:
            _write(csv_file, csv_text(full).encode())
        if parquet is not None:
            _write(parquet, parquet_bytes(full))
        if as_json:
            print_json(plain_report(full))
        elif csv_file is None and parquet is None:
            show_report(full)

    with_services(run)


async def _finished(services: Services, sitting: str) -> str:
    from burnin.app.errors import BadRequest

    if sitting != "last":
        return sitting
    # A diagnostic is over, too, but has no score.
    over = [s for s in await services.outcome.recent(200) if s.over and s.percent is not None]
    if not over:
        raise BadRequest("no sitting is finished yet")
    return over[0].id


def _write(file: Path, content: bytes) -> None:
    from burnin.app.errors import BadRequest

    try:
        file.write_bytes(content)
    except OSError as error:
        raise BadRequest(f"{file} cannot be written: {error.strerror}") from error
    click.echo(f"Written: {file}", err=True)


def with_services(run: Callable[[Services], Coroutine[Any, Any, T]]) -> T:
    """Open the data folder, await ``run`` with the services, close them, and return what it returned."""
    from burnin.app.wiring import open_services

    services = open_services(home(), catalog=catalogue())
    try:
        returned = asyncio.run(run(services))
    finally:
        services.close()
    sys.stdout.flush()
    return returned


def _percent(percent: float | None) -> str:
    return "" if percent is None else f"{percent:.0f} %"


def _day(wall_ms: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone().strftime("%Y-%m-%d %H:%M")
