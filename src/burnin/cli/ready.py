"""``burnin readiness``, ``burnin standing``, ``burnin plan`` and ``burnin result``"""

from __future__ import annotations

import csv
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from burnin.cli.exam import with_services
from burnin.cli.output import as_json, print_json, table

if TYPE_CHECKING:
    from burnin.app.ready import Readiness, Standing
    from burnin.app.wiring import Services


class _Day(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases of click only
    """A date such as 2027-03-31."""

    name = "YYYY-MM-DD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(str(value).strip())
        except ValueError:
            self.fail(f"{value!r} is no date such as 2027-03-31", param, ctx)


@click.command()
@click.argument("code")
@click.option("--date", "on", type=_Day(), help="The day of the exam; default: as set, else today.")
@click.option(
    "--pass-mark", type=click.IntRange(1, 100), help="Assumed pass mark in percent; none is published."
)
@as_json
def readiness(code: str, on: date | None, pass_mark: int | None, as_json: bool) -> None:
    """Tell the chance to pass on a date, with its interval, and which domains lag.

    On too little evidence it tells what is missing instead of a chance.

    Example: burnin readiness NCP-GENL --date 2027-03-31
    """

    async def ask(services: Services) -> Readiness:
        return await services.ready.readiness(code, on=on, pass_mark_percent=pass_mark)

    found: Readiness = with_services(ask)
    if as_json:
        print_json(_plain(found))
        return
    click.echo(found.why)
    if found.p_pass is not None and found.interval is not None and found.score is not None:
        low, high = found.interval
        click.echo(
            f"On {found.date}, at an assumed pass mark of {found.pass_mark_percent} %: "
            f"{found.p_pass:.0%} to pass (90 % interval {low:.0%} to {high:.0%}), "
            f"score {found.score_mean:.0f} % ({found.score[0]:.0f} to {found.score[1]:.0f})."
        )
    rows = [
        [
            f"{d.weight}",
            f"{d.answers}",
            f"{d.mean_percent:.0f} %",
            f"{d.interval[0]:.0f} to {d.interval[1]:.0f}",
            d.title + (" (lags)" if d.lagging else ""),
        ]
        for d in found.domains
    ]
    table(
        f"{found.exam}: {found.answers} answers, {found.exam_answers} under exam conditions",
        ["Weight", "Answers", "Expected", "90 %", "Domain"],
        rows,
    )
    for entry in found.missing:
        click.echo(f"Missing: about {entry.answers} more in {entry.title}")
    if found.missing:
        click.echo(f"The fastest way: burnin practice {found.exam} --unseen --timed --count 35")


@click.command()
@click.argument("code")
@click.option("--zone", default="UTC", show_default=True, help="Time zone whose study days count.")
@click.option(
    "--csv",
    "sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the lights as a spreadsheet.",
)
@click.option(
    "--rate", nargs=2, metavar="KEY COLOUR", help="Keep your own rating: red, yellow, green or none."
)
@as_json
def standing(code: str, zone: str, sheet: Path | None, rate: tuple[str, str] | None, as_json: bool) -> None:
    """Show red, yellow or green for every domain, objective and focus point, and recurring mistakes.

    Example: burnin standing NCA-GENM --csv lights.csv
    """

    async def ask(services: Services) -> Standing:
        if rate is not None:
            await services.ready.rate(code, rate[0], None if rate[1] == "none" else rate[1])
        return await services.ready.standing(code, zone=zone)

    found: Standing = with_services(ask)
    if sheet is not None:
        with sheet.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(
                ["kind", "id", "colour", "own", "answers", "right", "share", "mixed", "days", "why"]
            )
            for kind in ("domains", "objectives", "focus"):
                for key, light in getattr(found, kind).items():
                    share = "" if light.share is None else f"{light.share:.3f}"
                    counts = (light.answers, light.right, share, light.mixed, light.days)
                    own = found.own.get(key, "")
                    writer.writerow([kind, key, light.colour, own, *counts, light.why])
        click.echo(f"Wrote {sheet}.", err=True)
    if as_json:
        print_json(asdict(found))
        return
    for kind in ("domains", "objectives", "focus"):
        rows = [
            [light.colour, found.own.get(key, ""), f"{light.right}/{light.answers}", key]
            for key, light in getattr(found, kind).items()
        ]
        table(kind.capitalize(), ["Light", "Own", "Right", "Id"], rows)
        click.echo("")
    for mistake in found.mistakes[:10]:
        click.echo(
            f"{mistake.state}: {mistake.misconception}, made {mistake.made} times on {mistake.days} days"
        )
    for pattern in found.patterns:
        mark = {True: "Seen", False: "Not seen", None: "Not known"}[pattern.seen]
        click.echo(f"{mark}: {pattern.name}. {pattern.why}")


@click.command()
@click.argument("code")
@click.option("--exam-date", type=_Day(), help="Default: as set.")
@click.option("--hours-per-week", type=float, help="Default: as set.")
@click.option("--background", help="One of those that the exam's facts name; --list shows them.")
@click.option("--weekdays", help="Days of study, Monday 0, such as 0,2,4,5.")
@click.option("--ics", type=click.Path(dir_okay=False, path_type=Path), help="Write the days as iCalendar.")
@click.option("--list", "only_list", is_flag=True, help="Only list the backgrounds.")
@as_json
def plan(
    code: str,
    exam_date: date | None,
    hours_per_week: float | None,
    background: str | None,
    weekdays: str | None,
    ics: Path | None,
    only_list: bool,
    as_json: bool,
) -> None:
    """Plan the days to the exam in six phases. Ask again after any day, missed or not.

    Example: burnin plan NCP-GENL --exam-date 2027-03-31 --hours-per-week 10 --background most
    """
    from burnin.app.planning import Wish, ical, words

    async def ask(services: Services) -> Any:
        blueprint = services.exams.get(code)
        if only_list:
            return blueprint, services.planning.backgrounds(code), None
        days = None
        if weekdays is not None:
            parts = weekdays.replace(",", " ").split()
            if not parts or not all(part.isdecimal() and int(part) < 7 for part in parts):
                raise click.UsageError(f"--weekdays: {weekdays!r} does not name days from 0 (Monday) to 6.")
            days = tuple(sorted({int(part) for part in parts}))
        wish = Wish(exam_date=exam_date, hours_per_week=hours_per_week, background=background, weekdays=days)
        return blueprint, {}, await services.planning.plan(code, wish)

    blueprint, backgrounds, made = with_services(ask)
    if only_list:
        if as_json:
            print_json({"backgrounds": backgrounds})
            return
        for name, (low, high) in backgrounds.items():
            click.echo(f"{name}: {low:g} to {high:g} hours")
        return
    titles = {domain.id: domain.title for domain in blueprint.domains}
    if ics is not None:
        ics.write_bytes(ical(made, blueprint.code, titles, datetime.now(UTC)))
        click.echo(f"Wrote {ics}.", err=True)
    if as_json:
        print_json({"exam": blueprint.code, **_with_minutes(made)})
        return
    click.echo(made.why)
    for phase in made.phases:
        span = f"{phase.start} to {phase.end}" if phase.start else "no day"
        click.secho(f"\n{phase.id}: {phase.minutes / 60:.1f} h, {span}", bold=True)
        click.echo(f"{phase.goal} {', '.join(titles.get(name, name) for name in phase.domains)}".strip())
    click.echo("")
    for day in made.days[:14]:
        click.echo(f"{day.date}  " + "; ".join(words(task, titles) for task in day.tasks))
    if len(made.days) > 14:
        click.echo(f"and {len(made.days) - 14} more days; --ics FILE or --json has them all")


@click.command()
@click.argument("code")
@click.argument("outcome", type=click.Choice(["pass", "fail"]))
@click.option("--date", "on", type=_Day(), help="The day you sat it; default: today.")
@click.option("--domains", multiple=True, metavar="DOMAIN=WORDS", help="What you were told of a domain.")
@as_json
def result(code: str, outcome: str, on: date | None, domains: tuple[str, ...], as_json: bool) -> None:
    """Record how the real exam went, and see what was forecast and when you may sit again.

    Example: burnin result NCP-GENL fail --date 2027-03-31 --domains evaluation=weak
    """
    told = {}
    for entry in domains:
        name, sign, words = entry.partition("=")
        if not sign:
            raise click.UsageError(f"--domains takes DOMAIN=WORDS, not {entry!r}.")
        told[name.strip()] = words.strip()

    async def ask(services: Services) -> dict[str, Any]:
        return await services.ready.result(code, outcome == "pass", on=on, domains=told)

    found: dict[str, Any] = with_services(ask)
    if as_json:
        print_json(found)
        return
    forecast = found["forecast"]
    said = (
        "Nothing was forecast: too little was answered." if forecast is None else f"Forecast: {forecast:.0%}."
    )
    click.echo(
        f"Recorded: {found['exam']} {'passed' if found['passed'] else 'failed'} on {found['date']}. {said}"
    )
    if found["first_allowed_date"]:
        click.echo(
            f"You may sit again from {found['first_allowed_date']}: "
            f"burnin plan {found['exam']} --exam-date {found['first_allowed_date']}"
        )


def _plain(found: Readiness) -> dict[str, Any]:
    plain = asdict(found)
    plain["missing"] = [asdict(entry) for entry in found.missing]
    plain["evidence"] = {
        "answers": found.answers,
        "exam_conditions": found.exam_answers,
        "domains": {domain.id: domain.answers for domain in found.domains},
    }
    return plain


def _with_minutes(made: Any) -> dict[str, Any]:
    plain = asdict(made)
    for day, known in zip(plain["days"], made.days, strict=True):
        day["minutes"] = known.minutes
    return plain
