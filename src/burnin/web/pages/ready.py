"""How ready the learner is, what to see again, and the days to the exam."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import BadRequest, CannotAssemble
from burnin.app.planning import Wish, ical, words
from burnin.app.practice import Selection
from burnin.app.take import Conditions
from burnin.web import errors, posted
from burnin.web.labels import nonce
from burnin.web.ready_charts import history_chart
from burnin.web.render import page, services

if TYPE_CHECKING:
    from burnin.app.exams import Blueprint

SHAPES = {"none": "·", "red": "▼", "yellow": "◆", "green": "●"}
PLAN_FIELDS = ("exam_date", "hours_per_week", "background")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS_SHOWN = 21


async def ready(request: Request) -> Response:
    """``GET /ready?exam=``."""
    exam = await _exam(request)
    if exam is None:
        return RedirectResponse("/", 303)
    at = services(request).ready
    found = await at.readiness(exam.code)
    history = await at.history(exam.code)
    return await page(
        request,
        "ready.html",
        exam=exam,
        exams=services(request).exams.all(),
        found=found,
        standing=await at.standing(exam.code),
        reviews=await at.reviews(exam.code),
        chart=history_chart(history) if len(history) > 1 else None,
        names=services(request).catalog.misconceptions,
        results=[entry for entry in await at.results() if entry["exam"] == exam.code],
        shapes=SHAPES,
        nonce=nonce(),
    )


async def rate(request: Request) -> Response:
    """``POST /ready/rate``: keep the learner's own rating of one domain."""
    fields = await posted.form(request)
    colour = fields.one("colour")
    await services(request).ready.rate(
        fields.one("exam"), fields.one("key"), None if colour in ("", "none") else colour
    )
    return RedirectResponse(f"/ready?exam={fields.one('exam')}#own", 303)


async def review(request: Request) -> Response:
    """``POST /reviews``: a tutor sitting on what is due today."""
    fields = await posted.form(request)
    code = fields.one("exam")
    found = services(request)

    async def make() -> str:
        waiting = (await found.ready.reviews(code)).due
        if not waiting:
            raise CannotAssemble("Nothing is due today.")
        return await found.practice.create(
            code,
            Selection(items=waiting[:40]),
            conditions=Conditions.TUTOR,
            count=min(len(waiting), 20),
            computed=True,
        )

    try:
        sitting = await request.app.state.once.make(fields.one("nonce"), make)
    except CannotAssemble as error:
        return await errors.response(request, 409, str(error))
    return RedirectResponse(f"/sittings/{sitting}", 303)


async def plan(request: Request) -> Response:
    """``GET /plan?exam=``."""
    exam = await _exam(request)
    if exam is None:
        return RedirectResponse("/", 303)
    return await _plan(request, exam)


async def change_plan(request: Request) -> Response:
    """``POST /plan``: keep date, hours, background and weekdays, and plan anew."""
    fields = await posted.form(request)
    exam = services(request).exams.get(fields.one("exam"))
    given: dict[str, object] = {name: fields.one(name) for name in PLAN_FIELDS}
    days = fields.many("weekday")
    given["weekdays"] = " ".join(days) if days else None
    try:
        await services(request).profile.change(exam=exam.code, **given)
    except BadRequest as error:
        return await _plan(request, exam, message=str(error), status=422)
    return RedirectResponse(f"/plan?exam={exam.code}", 303)


async def calendar(request: Request) -> Response:
    """``GET /plan.ics?exam=``."""
    exam = await _exam(request)
    if exam is None:
        raise HTTPException(404)
    made = await services(request).planning.plan(exam.code, Wish())
    titles = {domain.id: domain.title for domain in exam.domains}
    body = ical(made, exam.code, titles, datetime.now(UTC))
    headers = {"Content-Disposition": f'attachment; filename="burnin-{exam.code.lower()}.ics"'}
    return Response(body, media_type="text/calendar", headers=headers)


async def _plan(request: Request, exam: Blueprint, *, message: str = "", status: int = 200) -> Response:
    made = None
    if not message:
        try:
            made = await services(request).planning.plan(exam.code, Wish())
        except BadRequest as error:
            message = str(error)
    titles = {domain.id: domain.title for domain in exam.domains}
    return await page(
        request,
        "plan.html",
        status=status,
        exam=exam,
        made=made,
        days=made.days[:DAYS_SHOWN] if made else (),
        say=lambda task: words(task, titles),
        titles=titles,
        backgrounds=services(request).planning.backgrounds(exam.code),
        weekdays=WEEKDAYS,
        message=message,
        bad=status != 200,
    )


async def _exam(request: Request) -> Blueprint | None:
    code = request.query_params.get("exam") or (await services(request).profile.get()).exam
    return services(request).exams.get(code) if code else None
