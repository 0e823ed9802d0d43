"""The result of a finished sitting, and every reason."""

from __future__ import annotations

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.aids import AidsOf
from burnin.app.errors import BadRequest, NotYet, UnknownExam
from burnin.app.outcome import Result
from burnin.app.report import Action, FullReport, csv_text, parquet_bytes
from burnin.figures.score import score_svg
from burnin.web import insight, words
from burnin.web.labels import KINDS, OUTCOMES, nonce
from burnin.web.pages.explore import of_item
from burnin.web.render import page, services

SHOWS = ("all", "missed", "flagged", "changed")


async def result(request: Request) -> Response:
    """``GET /sittings/{id}/result?mark=&show=``."""
    sitting = request.path_params["id"]
    mark = request.query_params.get("mark", "").strip()
    if mark and not mark.isdigit():
        raise HTTPException(400, f"A pass mark is a whole number of percent, not “{mark[:20]}”.")
    try:
        found = await services(request).outcome.report(sitting, pass_mark_percent=int(mark) if mark else None)
    except NotYet:
        return RedirectResponse(f"/sittings/{sitting}", 303)
    except BadRequest:
        if (await services(request).take.view(sitting)).diagnostic:
            return RedirectResponse(f"/diagnose/{sitting}", 303)
        raise
    full = await services(request).report.full(sitting, pass_mark_percent=int(mark) if mark else None)
    titles = {domain.id: domain.title for domain in found.report.domains}
    names = titles | {m.id: m.name for m in full.insight.misconceptions}
    show = request.query_params.get("show", "all")
    if show not in SHOWS:
        show = "all"
    report = found.report
    lines = {line.number: line for line in report.items}
    wanted = {
        "all": set(lines),
        "missed": {n for n, line in lines.items() if line.outcome != "right"},
        "flagged": {n for n, line in lines.items() if line.flagged},
        "changed": {n for n, line in lines.items() if line.changed},
    }[show]
    allowed = await services(request).aids.of(sitting, found.report.conditions)
    slowest = sorted(report.items, key=lambda line: -line.seconds)[:3]
    order = request.query_params.get("sort", "")
    sort = order if order in insight.SORTS else "slowest"
    lost, whole = insight.objectives(full)
    return await page(
        request,
        "result.html",
        result=found,
        kinds=KINDS,
        outcomes=OUTCOMES,
        allowed=_allowed(allowed),
        picture=_picture(found),
        verdict=_verdict(found),
        lines=lines,
        explore=lambda item: of_item(request, item),
        review=[entry for entry in found.review if entry.number in wanted],
        shown=wanted,
        show=show,
        changed=[line for line in report.items if line.changed],
        second_thoughts=_second_thoughts(found),
        heaviest=max(domain.weight for domain in report.domains),
        slowest=[line for line in slowest if line.seconds >= 1] if len(report.items) > 3 else [],
        pace=report.elapsed_ms / 1000 / max(1, len(report.items)),
        full=full,
        todo=insight.actions(full, names, [await _meant(request, full, a) for a in full.insight.actions]),
        standing=insight.standing(full),
        timed=sorted(full.insight.items, key=insight.SORTS[sort][1]),
        sorts={name: words for name, (words, _) in insight.SORTS.items()},
        sort=sort,
        sorted_by_hand=bool(order),
        weights={domain.id: domain.weight for domain in report.domains},
        lost=lost,
        whole=whole,
        official=sorted(full.insight.official, key=insight.numbered),
        titles=titles,
        errors=insight.ERRORS,
        doubts=insight.DOUBTS,
        calibration=insight.calibration(full),
        trend=insight.trend(full),
        nonce=nonce(),
    )


async def _meant(request: Request, full: FullReport, action: Action) -> int:
    try:
        found = await services(request).practice.matching(
            full.form.exam, action.selection, computed=bool(action.selection.misconceptions)
        )
    except (BadRequest, UnknownExam):
        return 0  # the bank has moved on since
    return found.items


async def export(request: Request) -> Response:
    """``GET /sittings/{id}/report.csv`` or ``.parquet``: a row an item."""
    sitting, kind = request.path_params["id"], request.path_params["kind"]
    if kind not in ("csv", "parquet"):
        raise HTTPException(404)
    full = await services(request).report.full(sitting)
    body = csv_text(full).encode() if kind == "csv" else parquet_bytes(full)
    media = "text/csv; charset=utf-8" if kind == "csv" else "application/vnd.apache.parquet"
    headers = {"Content-Disposition": f'attachment; filename="burnin-{sitting}.{kind}"'}
    return Response(body, media_type=media, headers=headers)


def _picture(found: Result) -> Markup:
    report = found.report
    return Markup(  # noqa: S704 - the drawing escapes its texts
        score_svg(
            report.percent,
            report.interval.low_percent,
            report.interval.high_percent,
            float(report.pass_mark_percent),
            prefix="score-picture",
        )
    )


def _verdict(found: Result) -> str:
    report = found.report
    mark = f"the assumed pass mark of {float(report.pass_mark_percent):.0f}\u00a0%"
    if report.interval.low_percent >= report.pass_mark_percent:
        return f"The whole interval lies above {mark}."
    if report.interval.high_percent < report.pass_mark_percent:
        return f"The whole interval lies below {mark}."
    where = "above" if report.passed else "below"
    return f"The score lies {where} {mark}, but the interval holds it: one sitting of this size cannot tell."


def _allowed(aids: AidsOf) -> str:
    extra = f"{aids.extra_time_percent}\u00a0% more time" if aids.extra_time_percent else ""
    tools = [name for name, on in (("strike-out", aids.strike), ("notes", aids.notes)) if on]
    return ", ".join(filter(None, (extra, " and ".join(tools))))


def _second_thoughts(found: Result) -> str:
    changed = [line for line in found.report.items if line.changed]
    better = sum(line.earned > line.first_earned for line in changed)
    worse = sum(line.earned < line.first_earned for line in changed)
    same = len(changed) - better - worse
    gained, lost = words.plural(better, "change"), words.plural(worse, "change")
    first = found.report.first_earned
    return (
        f"{gained} turned a wrong answer right, {lost} turned a right one wrong, {same} made no difference. "
        f"With your first answers the score would have been {first} of {found.report.possible}."
    )
