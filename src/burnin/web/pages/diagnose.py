"""A dozen questions, each chosen by the answers before, that find out where to start."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import BadRequest
from burnin.web import posted
from burnin.web.labels import nonce
from burnin.web.render import page, services
from burnin.web.tokens import Tokens


async def choose(request: Request) -> Response:
    """``GET /diagnose``: which exam, and when if that is not told yet."""
    return await _choose(request, request.query_params.get("exam"))


async def _choose(request: Request, exam: str | None, *, date: str = "", message: str = "") -> Response:
    settings = await services(request).profile.get()
    return await page(
        request,
        "diagnose.html",
        status=422 if message else 200,
        settings=settings,
        exams=services(request).exams.all(),
        wanted=exam or settings.exam,
        date=date,
        message=message,
        nonce=nonce(),
    )


async def start(request: Request) -> Response:
    """``POST /diagnose``: begin, and remember exam and date if none was told before."""
    fields = await posted.form(request)
    at = services(request)
    if not fields.one("exam"):
        return await _choose(request, None, message="Choose an exam first.")
    exam = at.exams.get(fields.one("exam"))

    async def make() -> str:
        return await at.diagnose.start(exam.code)

    if (await at.profile.get()).exam is None:
        await at.profile.change(exam=exam.code)
    if date := fields.one("exam_date"):
        try:
            await at.profile.change(exam_date=date)
        except BadRequest as error:
            return await _choose(request, exam.code, date=date, message=str(error))
    sitting = await request.app.state.once.make(fields.one("nonce"), make)
    return RedirectResponse(f"/diagnose/{sitting}", 303)


async def step(request: Request) -> Response:
    """``GET /diagnose/{id}``: the next question, or where to start."""
    return await _step(request, request.path_params["id"])


async def answer(request: Request) -> Response:
    """``POST /diagnose/{id}``: fix an answer and go on; sent twice it counts once."""
    fields = await posted.form(request)
    sitting, item = request.path_params["id"], fields.one("item")
    tokens = Tokens(sitting, item, await services(request).take.options(sitting, item))
    options = tokens.ids(fields.many("option"))
    know = fields.one("do") != "unknown"
    choose_n = fields.number("choose", 1) or 1
    if know and len(options) != choose_n:
        words = "one option" if choose_n == 1 else f"exactly {choose_n} options"
        return await _step(
            request,
            sitting,
            message=f"Choose {words}, or say that you do not know.",
            chosen=options,
            status=422,
        )
    try:
        await services(request).diagnose.answer(
            sitting,
            item,
            options if know else (),
            client_id=posted.event_id(fields.one("nonce"), item, *options, str(know)),
        )
    except BadRequest as error:
        return await _step(request, sitting, message=str(error), status=422)
    return RedirectResponse(f"/diagnose/{sitting}", 303)


async def _step(
    request: Request, sitting: str, *, message: str = "", chosen: tuple[str, ...] = (), status: int = 200
) -> Response:
    at = services(request)
    found = await at.diagnose.step(sitting)
    if found.number is None:
        result = await at.diagnose.result(sitting)
        return await page(
            request, "diagnosed.html", result=result, exam=at.exams.get(result.exam), nonce=nonce()
        )
    question = await at.take.question(sitting, found.number)
    return await page(
        request,
        "diagnose_step.html",
        status=status,
        step=found,
        question=question,
        token=Tokens.shown(question).of,
        message=message,
        chosen=chosen,
        nonce=nonce(),
    )
