"""Settings and the list of keys."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import BadRequest
from burnin.app.profile import KEYS
from burnin.web import posted
from burnin.web.pages.home import first
from burnin.web.render import page, services

NAMES = ("exam", "exam_date", "pass_mark_percent", "theme", "contrast", "motion", "show_clock", "shortcuts")
SWITCHES = ("show_clock", "shortcuts")
BACK = ("/", "/settings", "/settings?saved=1")


async def settings(request: Request) -> Response:
    """``GET /settings``."""
    saved = "saved" in request.query_params
    return await _form(request, message="Saved." if saved else "")


async def change(request: Request) -> Response:
    """``POST /settings``: only what the form names, except that a form with all of them clears boxes."""
    fields = await posted.form(request)
    given: dict[str, Any] = {name: value for name in NAMES if (value := fields.one(name, "\0")) != "\0"}
    letters = {name: fields.one(f"key-{name}") for name in KEYS}
    if any(letters.values()):
        given["keys"] = {name: letter for name, letter in letters.items() if letter}
    if fields.one("all"):
        given |= {name: "false" for name in SWITCHES if name not in given}
    try:
        await services(request).profile.change(**given)
    except BadRequest as error:
        if fields.one("back") == "/" and (await services(request).profile.get()).exam is None:
            # The first page asked; it is the one that tells.
            return await first(
                request,
                wanted=fields.one("exam"),
                date=fields.one("exam_date"),
                message=str(error),
                status=422,
            )
        return await _form(request, message=str(error), status=422)
    back = fields.one("back")
    return RedirectResponse(back if back in BACK else "/settings?saved=1", 303)


async def keys(request: Request) -> Response:
    """``GET /help/keys``."""
    return await page(request, "keys.html")


async def _form(request: Request, *, message: str, status: int = 200) -> Response:
    exams = services(request).exams.all()
    return await page(
        request, "settings.html", status=status, exams=exams, message=message, bad=status != 200
    )
