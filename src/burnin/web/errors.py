"""Errors as pages in the same design, or as JSON where JSON was asked for. Never a trace."""

from __future__ import annotations

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from burnin.app import errors as app_errors
from burnin.web import render
from burnin.web.headers import add

log = logging.getLogger("burnin.web")

TITLES = {
    400: "That could not be read",
    403: "Not from here",
    404: "Nothing here",
    405: "Not in that way",
    409: "Not now",
    410: "This sitting is over",
    413: "Too much at once",
    421: "Wrong address",
    422: "That cannot be done",
    500: "Something broke",
    503: "Not just now",
}
MESSAGES = {
    400: "The request was incomplete or garbled. Go back and try again.",
    404: "No page has this address. It may have been mistyped, or belong to another installation.",
    405: "This address does not take that kind of request.",
    413: "The request was larger than burnin takes.",
    500: "The fault is burnin’s. Every answer that was shown as saved is saved. Load the page again to go on.",
    503: "The data folder did not take the write. Nothing was changed; try again.",
}
STATUS: dict[type[app_errors.AppError], int] = {
    app_errors.UnknownSitting: 404,
    app_errors.UnknownQuestion: 404,
    app_errors.UnknownExam: 404,
    app_errors.BadRequest: 400,
    app_errors.NotYet: 409,
    app_errors.Hidden: 409,
    app_errors.CannotAssemble: 409,
    app_errors.CannotSave: 503,
    app_errors.CannotRead: 503,
    app_errors.BadHome: 500,
    app_errors.Damaged: 500,
}


def status_of(error: app_errors.AppError) -> int:
    """The HTTP status that says what a service refused."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 400)


def wants_json(request: Request) -> bool:
    """Whether the answer goes to a script rather than to a person."""
    return request.url.path.startswith("/api/")


async def response(
    request: Request, status: int, message: str | None = None, *, headers: dict[str, str] | None = None
) -> Response:
    """Answer with an error."""
    text = message or MESSAGES.get(status, "This request could not be answered.")
    if wants_json(request):
        return JSONResponse({"ok": False, "code": f"http-{status}", "message": text}, status, headers=headers)
    title = TITLES.get(status, "That did not work")
    answer = render.bare_page(request, "error.html", status=status, title=title, message=text)
    answer.headers.update(headers or {})
    return answer


async def on_http_error(request: Request, error: Exception) -> Response:
    """Handle an ``HTTPException``. A detail that is only the status phrase says nothing."""
    assert isinstance(error, HTTPException)
    from http import HTTPStatus

    phrase = HTTPStatus(error.status_code).phrase
    message = None if error.detail == phrase else error.detail
    headers = dict(error.headers or {})
    return await response(request, error.status_code, message, headers=headers)


async def on_app_error(request: Request, error: Exception) -> Response:
    """Handle a refusal by a service; its text is for people."""
    assert isinstance(error, app_errors.AppError)
    status = status_of(error)
    if status >= 500:
        log.error("%s %s: %s", request.method, request.url.path, error)
    return await response(request, status, str(error) or None)


async def on_crash(request: Request, error: Exception) -> Response:
    """Handle anything unforeseen; the trace goes to the log, not to the page."""
    answer = await response(request, 500)
    # The handler for crashes stands outside the guard, which adds them otherwise.
    add(answer.raw_headers)
    return answer
