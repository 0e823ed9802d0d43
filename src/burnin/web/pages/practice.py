"""Practice to a wish, and the same form again."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import BadRequest, CannotAssemble
from burnin.app.practice import Conditions, Selection
from burnin.web import errors, posted
from burnin.web.labels import nonce
from burnin.web.render import page, services

SWITCHES = {
    "missed": "missed the last time",
    "flagged": "flagged the last time",
    "slow": "slow the last time",
    "unsure": "unsure or guessed",
    "unseen": "never seen",
}
FIELDS = {"domain": "domains", "objective": "objectives", "focus": "focus", "misconception": "misconceptions"}


async def practice(request: Request) -> Response:
    """``GET /practice?exam=&domain=&missed=on…``: choose, and see how many are meant."""
    query = request.query_params
    settings = await services(request).profile.get()
    code = query.get("exam") or settings.exam
    if code is None:
        return RedirectResponse("/", 303)
    given = posted.Posted({name: query.getlist(name) for name in query})
    return await _form(request, code, given)


async def create(request: Request) -> Response:
    """``POST /practice``: start what was chosen."""
    fields = await posted.form(request)
    code, timed = fields.one("exam"), fields.one("conditions") == "timed"
    if fields.one("do") == "count":
        return await _form(request, code, fields)
    count, minutes = fields.number("count", 20) or 20, fields.number("minutes")

    async def make() -> str:
        return await services(request).practice.create(
            code,
            _selection(fields),
            conditions=Conditions.TIMED if timed else Conditions.TUTOR,
            count=count,
            minutes=minutes,
            computed=bool(fields.one("computed")),
        )

    try:
        sitting = await request.app.state.once.make(fields.one("nonce"), make)
    except (BadRequest, CannotAssemble) as error:
        return await _form(request, code, fields, message=str(error), status=errors.status_of(error))
    return RedirectResponse(f"/sittings/{sitting}/1", 303)


async def redo(request: Request) -> Response:
    """``POST /sittings/{id}/redo``: the same questions again, computed ones with new numbers."""
    fields = await posted.form(request)
    timed = fields.one("conditions") == "timed"

    async def make() -> str:
        return await services(request).practice.redo(
            request.path_params["id"], conditions=Conditions.TIMED if timed else Conditions.TUTOR
        )

    sitting = await request.app.state.once.make(fields.one("nonce"), make)
    return RedirectResponse(f"/sittings/{sitting}/1", 303)


def _selection(fields: posted.Posted) -> Selection:
    named = {field: tuple(v for v in fields.many(name) if v) for name, field in FIELDS.items()}
    switches = {name: bool(fields.one(name)) for name in SWITCHES}
    return Selection(**named, **switches)  # type: ignore[arg-type]


async def _form(
    request: Request, code: str, fields: posted.Posted, *, message: str = "", status: int = 200
) -> Response:
    at = services(request)
    exam = at.exams.get(code)
    wish, computed = _selection(fields), bool(fields.one("computed"))
    matching = None
    try:
        matching = await at.practice.matching(exam.code, wish, computed=computed)
    except BadRequest as error:
        message, status = message or str(error), status if status != 200 else 400
    empty = ""
    if matching is not None and not matching.items:
        on = [name for name in SWITCHES if getattr(wish, name)]
        empty = on[0] if len(on) == 1 else "many" if on else "none"
    names = at.catalog.misconceptions
    return await page(
        request,
        "practice.html",
        status=status,
        exam=exam,
        exams=at.exams.all(),
        wish=wish,
        computed=computed,
        count=fields.one("count") or "20",
        minutes=fields.one("minutes"),
        timed=fields.one("conditions") == "timed",
        matching=matching,
        switches=SWITCHES,
        mistakes=sorted((names[m].name, m) for m in at.practice.mistakes(exam.code) if m in names),
        about=any(getattr(wish, name) for name in FIELDS.values()),
        titles={domain.id: domain.title for domain in exam.domains},
        empty=empty,
        message="" if empty else message,
        nonce=nonce(),
    )
