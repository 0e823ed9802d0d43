"""Setting up a sitting: conditions, size, the rules before the clock starts."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import BadRequest, CannotAssemble
from burnin.app.take import Conditions
from burnin.web import errors, posted
from burnin.web.labels import KINDS, nonce
from burnin.web.render import page, services

SIZES = (5, 10, 20, 30)
USUAL = {"exam": None, "timed": 20, "tutor": 10}


async def new(request: Request) -> Response:
    """``GET /sittings/new?exam=&conditions=&size=``."""
    query = request.query_params
    return await _form(request, query.get("exam", ""), query.get("conditions", "exam"), query.get("size"))


async def recent(_: Request) -> Response:
    """``GET /sittings``: the desk lists them."""
    return RedirectResponse("/#recent", 303)


async def create(request: Request) -> Response:
    """``POST /sittings``: make a sitting and go to its first question."""
    fields = await posted.form(request)
    code, conditions = fields.one("exam"), _conditions(fields.one("conditions"))
    size, extra = fields.number("size"), fields.number("extra", 0) or 0
    take = services(request).take

    async def make() -> str:
        made = await take.create(code, conditions=conditions, size=size, extra_time_percent=extra)
        if fields.one("aids"):
            await services(request).aids.choose(
                made,
                strike=bool(fields.one("strike")),
                notes=bool(fields.one("notes")),
                extra_time_percent=0 if conditions is Conditions.TUTOR else extra,
            )
        return made

    try:
        sitting = await request.app.state.once.make(fields.one("nonce"), make)
    except (CannotAssemble, BadRequest) as error:
        return await _form(
            request,
            code,
            conditions.value,
            str(size or ""),
            message=str(error),
            status=errors.status_of(error),
        )
    return RedirectResponse(f"/sittings/{sitting}/1", 303)


async def _form(
    request: Request, code: str, wanted: str, size: str | None, *, message: str = "", status: int = 200
) -> Response:
    at = services(request)
    conditions = _conditions(wanted)
    settings = await at.profile.get()
    found = at.exams.get(code or settings.exam or "")
    full = found.questions_usual
    sizes = [value for value in SIZES if value < full] + [full]
    usual = USUAL[conditions.value] or full
    sat = any(line.conditions == "exam" and line.over for line in await at.outcome.recent(50))
    chosen = int(size) if size and size.isdigit() and int(size) in sizes else min(usual, full)
    return await page(
        request,
        "new.html",
        status=status,
        settings=settings,
        exam=found,
        conditions=conditions.value,
        kinds=KINDS,
        sizes=[(value, at.exams.minutes(found.code, value)) for value in sizes],
        size=chosen,
        full=full,
        sat=sat,
        message=message,
        nonce=nonce(),
    )


def _conditions(text: str) -> Conditions:
    try:
        return Conditions(text)
    except ValueError:
        raise HTTPException(400, f"There are no conditions “{text[:40]}”.") from None
