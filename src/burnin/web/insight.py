"""What a sitting teaches, in words and charts for the result page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from burnin.domain.item import Exhibit, Series
from burnin.web.words import day_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from burnin.app.report import FullReport

ERRORS = {
    "gap": ("Gap", "Not known: learn it."),
    "confusion": ("Confusion", "A named mistake, or a right answer given up: read the remedy."),
    "misread": ("Misread", "Too few or too many options, or too fast to have read it."),
    "time": ("Time", "Nothing chosen before time ran out, or a rush at the end."),
}
DOUBTS = {"practice": "practice", "interrupted": "interrupted", "short": "short", "rerun": "seen before"}
WHY_NOT = {
    "practice": "it was practice, not exam conditions",
    "interrupted": "it was interrupted",
    "short": "it is shorter than a whole exam",
    "rerun": "too few of its questions were new to you",
}
SORTS = {
    "slowest": ("Slowest first", lambda row: -row.line.seconds),
    "over": ("Most over its estimate first", lambda row: row.estimate_seconds - row.line.seconds),
    "number": ("In the order asked", lambda row: row.line.number),
}
DRILL = 10
LEVELS = {"sure": 95, "unsure": 65, "guess": 30}
"""What a level promises, in percent: the line that answers are held against. An assumption."""


def actions(full: FullReport, names: dict[str, str], meant: Sequence[int]) -> list[dict[str, Any]]:
    """The three things to do next, each with the fields of the form that starts it.

    ``meant`` says how many questions of the bank each one is about today.
    """
    found = []
    for action, ready in zip(full.insight.actions, meant, strict=True):
        wish = action.selection
        fields = [("exam", full.form.exam), ("count", str(DRILL))]
        fields += [("domain", name) for name in wish.domains]
        fields += [("misconception", name) for name in wish.misconceptions]
        fields += [(s, "on") for s in ("missed", "flagged", "slow", "unsure", "unseen") if getattr(wish, s)]
        if wish.misconceptions:
            fields.append(("computed", "on"))
        if action.timed:
            fields.append(("conditions", "timed"))
        subject = names.get(action.subject, action.subject)
        count = len(action.items)
        many = f"{count} question{'s' * (count != 1)}"
        words = {
            "domain": f"{subject}: {action.points:.1f} points of the exam lie open there.",
            "misconception": f"{subject}: it cost you {many}.",
            "pace": f"The clock: it cost you {many}.",
            "reading": f"Reading: {many} lost by misreading. Begin with those missed.",
            "shaky": f"What was right but not sure: {many}.",
            "new": "Nothing was lost. Go on with questions that you have not seen.",
        }[action.kind]
        found.append({"words": words, "fields": fields, "ready": min(ready, DRILL)})
    return found


def standing(full: FullReport) -> tuple[bool, str]:
    """Whether this sitting stands in the trend, and if not, why not."""
    doubts = next((point.doubts for point in full.trend if point.sitting == full.spec.id), ())
    return not doubts, listed([WHY_NOT[doubt] for doubt in doubts])


def listed(words: Sequence[str]) -> str:
    """Write "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def objectives(full: FullReport) -> tuple[list[Any], int]:
    """Objectives where something was lost, those in heavy domains first, and how many are without loss."""
    weight = {domain.id: domain.weight for domain in full.insight.report.domains}
    lost = [group for group in full.insight.objectives if group.earned < group.items]
    lost.sort(key=lambda g: (g.percent - 100) * g.items * weight.get(g.domain, 0) / 100)
    return lost, len(full.insight.objectives) - len(lost)


def numbered(group: Any) -> list[tuple[int, str]]:
    """Sort key that puts 2.1 before 10.2."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in group.id.split(".")]


def calibration(full: FullReport) -> Exhibit | None:
    """Confidence against result, where there was a tap on two levels or more."""
    groups = full.insight.confidence
    if len(groups) < 2:
        return None
    return Exhibit(
        id="calibration",
        title="How sure you were, and how often you were right",
        kind="chart",
        chart="bar",
        x_label="You said",
        x_values=tuple(group.id for group in groups),
        y_label="Percent right",
        series=(
            Series(name="Right", values=tuple(round(group.percent, 1) for group in groups)),
            Series(name="What the word promises", values=tuple(float(LEVELS[g.id]) for g in groups)),
        ),
        summary="; ".join(f"{g.id}: {g.percent:.0f} % of {g.items} right" for g in groups) + ".",
    )


def trend(full: FullReport) -> Exhibit | None:
    """Scores over the sittings that count, where there are two or more."""
    points = [point for point in full.trend if point.counts][-12:]
    if len(points) < 2:
        return None
    return Exhibit(
        id="trend",
        title="Exam sittings that count, on questions new to you",
        kind="chart",
        chart="line",
        x_label="Day",
        x_values=tuple(day_of(point.wall_ms) for point in points),
        y_label="Percent right",
        series=(
            Series(
                name="New questions",
                values=tuple(
                    round(p.percent if p.fresh_percent is None else p.fresh_percent, 1) for p in points
                ),
            ),
        ),
        summary=f"From {points[0].percent:.0f} % to {points[-1].percent:.0f} % over {len(points)} sittings.",
    )
