"""A sitting's report as text and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from burnin.cli.output import table
from burnin.cli.results import show_result_head

if TYPE_CHECKING:
    from burnin.app.report import FullReport

ERROR_WORDS = {
    "time": "Time: nothing chosen before time ran out, or chosen in a rush at the end",
    "misread": "Misread: too few or too many options, or too fast to have read it",
    "confusion": "Confusion: a named misconception, or a right answer given up",
    "gap": "Gap: not known",
}
ACTION_WORDS = {
    "domain": "Practise {subject}: {points:.1f} points of the exam lie open there.",
    "misconception": "Clear up {subject}. Questions lost to it: {count}.",
    "pace": "Practise against the clock. Questions lost to time: {count}.",
    "reading": "Read slower, beginning with those missed. Questions lost by misreading: {count}.",
    "shaky": "Firm up what was right but not sure. Questions: {count}.",
    "new": "Nothing was lost. Go on with questions that you have not seen.",
}
DOUBT_WORDS = {"practice": "practice", "interrupted": "interrupted", "short": "short", "rerun": "seen before"}


def show_report(full: FullReport) -> None:
    """Print the report."""
    insight = full.insight
    show_result_head(insight.report)
    if insight.seen_before:
        fresh = "none was new" if insight.fresh is None else f"{insight.fresh.percent:.0f} % of the new ones"
        click.echo(
            f"{insight.seen_before} of {len(insight.items)} questions were seen before; {fresh} right."
        )
    changes = insight.changes
    click.echo(
        f"Changed answers: {len(changes.helped)} helped, {len(changes.hurt)} hurt, "
        f"{len(changes.neither)} made no difference."
    )
    pace = insight.pace
    allowed = "" if pace.allowed is None else f", {pace.allowed:.0f} s allowed"
    click.echo(
        f"Pace: {pace.median:.0f} s a question in the middle{allowed}; {len(pace.slow)} slow ones"
        + (f" ({', '.join(pace.slow[:5])})" if pace.slow else "")
        + ".\n"
    )
    weak = sorted(insight.objectives, key=lambda g: (g.percent, -g.items))[:8]
    rows = [[g.text[:56], f"{g.earned}/{g.items}", f"{g.percent:.0f} %"] for g in weak if g.percent < 100]
    if rows:
        table("Objectives to look at", ["Objective", "Right", "Share"], rows)
        click.echo("")
    for name, items in insight.errors.items():
        if items:
            click.echo(f"{ERROR_WORDS[name]}: {len(items)}")
    for met in insight.misconceptions[:5]:
        click.echo(f"\nMisconception: {met.name} ({len(met.items)})\n  {met.remedy}")
    if insight.confidence:
        levels = [
            [
                g.id,
                f"{g.earned}/{g.items}",
                f"{g.interval.low_percent:.0f} to {g.interval.high_percent:.0f} %",
            ]
            for g in insight.confidence
        ]
        click.echo("")
        table("Confidence against result", ["You said", "Right", "95 % interval"], levels)
    points = [
        [
            point.sitting,
            point.conditions.value,
            str(point.size),
            f"{point.percent:.0f} %",
            "" if point.fresh_percent is None else f"{point.fresh_percent:.0f} % of {point.fresh}",
            ", ".join(DOUBT_WORDS[doubt] for doubt in point.doubts) or "yes",
        ]
        for point in full.trend[-10:]
    ]
    click.echo("")
    table("Sittings so far", ["Id", "Conditions", "Size", "Score", "New questions", "Counts"], points)
    click.echo("\nNext:")
    for place, action in enumerate(insight.actions, start=1):
        words = ACTION_WORDS[action.kind].format(
            subject=action.subject, points=action.points, count=len(action.items)
        )
        click.echo(f"  {place}. {words}\n     {_command(full, action)}")


def _command(full: FullReport, action: Any) -> str:
    wish = action.selection
    flags = [f"--domain {name}" for name in wish.domains]
    flags += [f"--misconception {name}" for name in wish.misconceptions]
    flags += [f"--{name}" for name in ("missed", "slow", "unsure", "unseen") if getattr(wish, name)]
    return " ".join(["burnin practice", full.form.exam, *flags, *(["--timed"] if action.timed else [])])


def plain_report(full: FullReport) -> dict[str, Any]:
    """Return the report as plain data."""
    from burnin.app.report import rows

    insight = full.insight
    made = insight.report

    def group(one: Any) -> dict[str, Any]:
        return {
            "id": one.id,
            "text": one.text,
            "domain": one.domain,
            "items": one.items,
            "earned": float(one.earned),
            "percent": one.percent,
            "interval": [one.interval.low_percent, one.interval.high_percent],
        }

    return {
        "sitting": full.spec.id,
        "exam": full.form.exam,
        "conditions": full.spec.conditions.value,
        "earned": float(made.earned),
        "possible": float(made.possible),
        "percent": made.percent,
        "interval": [made.interval.low_percent, made.interval.high_percent],
        "pass_mark_percent": float(made.pass_mark_percent),
        "exam_evidence": made.exam_evidence,
        "seen_before": insight.seen_before,
        "fresh": None if insight.fresh is None else group(insight.fresh),
        "domains": [
            {
                "id": domain.id,
                "title": domain.title,
                "weight": domain.weight,
                "items": domain.items,
                "earned": float(domain.earned),
                "percent": domain.percent,
            }
            for domain in made.domains
        ],
        "objectives": [group(one) for one in insight.objectives],
        "official": [group(one) for one in insight.official],
        "pace": {
            "allowed_seconds": insight.pace.allowed,
            "median_seconds": insight.pace.median,
            "estimate_seconds": insight.pace.estimated,
            "slow": list(insight.pace.slow),
        },
        "changes": {
            "helped": list(insight.changes.helped),
            "hurt": list(insight.changes.hurt),
            "neither": list(insight.changes.neither),
            "net": insight.changes.net,
        },
        "confidence": [group(one) for one in insight.confidence],
        "unrated": insight.unrated,
        "misconceptions": [
            {"id": met.id, "name": met.name, "remedy": met.remedy, "items": list(met.items)}
            for met in insight.misconceptions
        ],
        "error_rule": insight.error_rule,
        "errors": {name: list(items) for name, items in insight.errors.items()},
        "trend": [
            {
                "sitting": point.sitting,
                "wall_ms": point.wall_ms,
                "conditions": point.conditions.value,
                "size": point.size,
                "percent": point.percent,
                "seen_before": point.seen_before,
                "fresh": point.fresh,
                "fresh_percent": point.fresh_percent,
                "counts": point.counts,
                "doubts": list(point.doubts),
            }
            for point in full.trend
        ],
        "actions": [
            {
                "kind": action.kind,
                "subject": action.subject,
                "points": action.points,
                "items": list(action.items),
                "command": _command(full, action),
            }
            for action in insight.actions
        ],
        "items": rows(full),
    }
