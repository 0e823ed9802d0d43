"""Results and reasons as text and as plain data."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import click

from burnin.domain.form import RenderedItem

if TYPE_CHECKING:
    from burnin.app.outcome import Report, Result, ReviewItem


def paragraph(text: str, *, hang: str = "", err: bool = False) -> None:
    """Print text wrapped to the terminal; fenced code stays as it is."""
    width = min(shutil.get_terminal_size((80, 24)).columns, 96)
    fenced = False
    first = True
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced or not line.strip():
            click.echo(f"    {line}" if fenced else "", err=err)
            continue
        # Line breaks of the source carry no meaning in prose, list items keep theirs.
        click.echo(
            textwrap.fill(line, width, initial_indent="" if first else hang, subsequent_indent=hang), err=err
        )
        first = False
    if not hang:
        click.echo("", err=err)


def clock(milliseconds: int) -> str:
    """Return a duration as h:mm:ss or m:ss."""
    seconds = max(0, milliseconds) // 1000
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def show_result(result: Result, *, review: bool) -> None:
    """Print score, domains and, if asked, every question with all its reasons."""
    show_result_head(result.report)
    if not review:
        return
    for entry in result.review:
        _show_review_item(entry)


def show_result_head(report: Report) -> None:
    """Print score, interval, time and domains."""
    low, high = report.interval.low_percent, report.interval.high_percent
    click.echo("")
    click.secho(
        f"{report.exam}: {report.earned} of {report.possible} right, {report.percent:.0f} %", bold=True
    )
    click.echo(f"95 % interval {low:.0f} to {high:.0f} % ({report.interval.method})")
    side = "at or above" if report.passed else "below"
    click.echo(
        f"That is {side} {float(report.pass_mark_percent):g} %, an assumed pass mark: none is published. "
        "It is one sitting, not a forecast."
    )
    click.echo(
        f"Time used {clock(report.elapsed_ms)}"
        + (f" of {clock(report.limit_ms)}" if report.limit_ms is not None else "")
        + f". Unanswered {len(report.unanswered)}, incomplete {len(report.incomplete)}."
    )
    if report.interrupted:
        click.echo("The computer restarted in between: the sitting is no exam-condition evidence.")
    click.echo(f"With your first answers kept: {report.first_earned} of {report.possible}.\n")
    for domain in report.domains:
        score = "no question" if domain.percent is None else f"{domain.earned} of {domain.possible}"
        bar = "" if domain.percent is None else "#" * round(domain.percent / 5)
        click.echo(f"  {domain.title[:44]:<44} {domain.weight:>3} %  {score:>9}  {bar}")


def _show_review_item(entry: ReviewItem) -> None:
    click.echo("")
    verdict = "right" if entry.correct else "wrong" if entry.selected else "not answered"
    click.secho(f"Question {entry.number}: {verdict} ({entry.seconds:.0f} s)", bold=True)
    paragraph(entry.item.stem)
    show_reasons(entry.item, entry.order, entry.selected)


def show_reasons(item: RenderedItem, order: tuple[str, ...], selected: tuple[str, ...]) -> None:
    """Print every option with its reason, flip point and named mistake, then the sources."""
    options = {option.id: option for option in item.options}
    for place, option_id in enumerate(order, start=1):
        option = options[option_id]
        chosen = ", your choice" if option_id in selected else ""
        paragraph(f"{place}. [{'right' if option.correct else 'wrong'}{chosen}] {option.text}", hang="   ")
        paragraph(f"   {option.reason}", hang="   ")
        if option.misconception:
            paragraph(
                f"   Named mistake: {option.misconception.name}. {option.misconception.remedy}", hang="   "
            )
        if option.flip:
            paragraph(f"   When would this have been right? {option.flip}", hang="   ")
    if item.guide_says:
        paragraph(f"Guides differ: {item.guide_says}")
    click.echo(f"Objective: {item.domain_title}, {item.objective_text}")
    for source in item.sources:
        click.echo(f"Source: {source.title}, {source.locator} <{source.url}>")
    click.echo(f"Checked {item.as_of}; item {item.id}, version {item.version}.")


def plain_result(result: Result, *, review: bool) -> dict[str, Any]:
    """Return a result as plain data; fractions as text such as 41/65."""
    report = result.report
    plain: dict[str, Any] = {
        "sitting": report.sitting,
        "form": report.form,
        "exam": report.exam,
        "conditions": report.conditions.value,
        "phase": result.phase,
        "earned": str(report.earned),
        "possible": str(report.possible),
        "percent": report.percent,
        "interval": [report.interval.low_percent, report.interval.high_percent],
        "assumed_pass_mark_percent": float(report.pass_mark_percent),
        "passed": report.passed,
        "rule": report.rule,
        "interrupted": report.interrupted,
        "exam_evidence": report.exam_evidence,
        "seconds": report.elapsed_ms / 1000,
        "unanswered": list(report.unanswered),
        "incomplete": list(report.incomplete),
        "domains": [
            {
                "id": d.id,
                "weight": d.weight,
                "earned": str(d.earned),
                "possible": str(d.possible),
                "percent": d.percent,
            }
            for d in report.domains
        ],
    }
    if review:
        plain["items"] = [
            {
                "number": entry.number,
                "id": entry.item.id,
                "correct": entry.correct,
                "selected": list(entry.selected),
                "key": sorted(entry.item.key),
                "seconds": entry.seconds,
                "options": [
                    {"id": o.id, "text": o.text, "reason": o.reason, "flip": o.flip}
                    for o in entry.item.options
                ],
            }
            for entry in result.review
        ]
    return plain
