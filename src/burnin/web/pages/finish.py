"""Review before submitting, and submitting."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.take import Command, EventKind, SittingView
from burnin.web import posted, words
from burnin.web.labels import KINDS, OVER, entry_state, nonce
from burnin.web.pages.sitting import groups
from burnin.web.render import page, services


async def review(request: Request) -> Response:
    """``GET /sittings/{id}/review``."""
    view = await services(request).take.view(request.path_params["id"])
    return _elsewhere(view) or await page(
        request,
        "review.html",
        view=view,
        groups=groups(view),
        kinds=KINDS,
        entry_state=entry_state,
        nonce=nonce(),
    )


async def confirm(request: Request) -> Response:
    """``GET /sittings/{id}/submit``: the one question before the end."""
    view = await services(request).take.view(request.path_params["id"])
    return _elsewhere(view) or await page(
        request, "confirm.html", view=view, left=_left(view), kinds=KINDS, nonce=nonce()
    )


async def submit(request: Request) -> Response:
    """``POST /sittings/{id}/submit``."""
    fields = await posted.form(request)
    sitting = request.path_params["id"]
    event = posted.event_id(fields.one("nonce") or nonce(), "submitted")
    ack = await services(request).take.act(sitting, Command(event, EventKind.SUBMITTED))
    if ack.phase in OVER:
        return RedirectResponse(f"/sittings/{sitting}/result", 303)
    return RedirectResponse(f"/sittings/{sitting}/review", 303)


def _elsewhere(view: SittingView) -> Response | None:
    if view.phase in OVER:
        return RedirectResponse(f"/sittings/{view.id}/result", 303)
    if view.phase == "paused":
        return RedirectResponse(f"/sittings/{view.id}/{view.current}", 303)
    return None


def _left(view: SittingView) -> str:
    parts = []
    if view.unanswered:
        verb = "has" if view.unanswered == 1 else "have"
        parts.append(f"{words.plural(view.unanswered, 'question')} {verb} no answer")
    if view.incomplete:
        verb = "is" if view.incomplete == 1 else "are"
        parts.append(
            f"{view.incomplete if parts else words.plural(view.incomplete, 'question')} {verb} incomplete"
        )
    return f"{' and '.join(parts)}; they will count as wrong." if parts else ""
