"""Reports of errors in items."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from burnin.app.errors import BadRequest
from burnin.web import posted
from burnin.web.labels import FAULTS, nonce
from burnin.web.render import page, services


async def faults(request: Request) -> Response:
    """``GET /faults``."""
    reports = await services(request).faults.all()
    saved = "saved" in request.query_params
    return await page(request, "faults.html", reports=reports, kinds=FAULTS, saved=saved)


async def export(request: Request) -> Response:
    """``GET /faults.jsonl``: one JSON object a line."""
    lines = await services(request).faults.export()
    headers = {"Content-Disposition": 'attachment; filename="burnin-faults.jsonl"'}
    return PlainTextResponse(
        "".join(f"{line}\n" for line in lines), media_type="application/x-ndjson", headers=headers
    )


async def new(request: Request) -> Response:
    """``GET /faults/new?sitting=&n=``."""
    query = request.query_params
    if not query.get("n", "").isdigit():
        raise HTTPException(404)
    return await _form(request, query.get("sitting", ""), int(query["n"]))


async def add(request: Request) -> Response:
    """``POST /faults``."""
    fields = await posted.form(request)
    at = services(request)
    sitting, number = fields.one("sitting"), fields.number("n", 0) or 0
    kind, text = fields.one("kind"), fields.one("text")
    item = (await at.take.question(sitting, number)).asked.id

    async def make() -> str:
        return (await at.faults.add(sitting=sitting, item=item, kind=kind, text=text)).id

    try:
        await request.app.state.once.make(fields.one("nonce"), make)
    except BadRequest as error:
        return await _form(request, sitting, number, kind=kind, text=text, message=str(error))
    return RedirectResponse("/faults?saved", 303)


async def _form(
    request: Request, sitting: str, number: int, *, kind: str = "wrong-key", text: str = "", message: str = ""
) -> Response:
    at = await services(request).take.question(sitting, number)
    return await page(
        request,
        "fault_new.html",
        status=422 if message else 200,
        sitting=sitting,
        n=number,
        stem=at.asked.stem,
        kinds=FAULTS,
        kind=kind,
        text=text,
        message=message,
        nonce=nonce(),
    )
