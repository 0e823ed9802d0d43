"""What the question page's script calls: events of a sitting and its clock, as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from burnin.app.take import Ack, Command, EventKind
from burnin.web import posted
from burnin.web.pages.sitting import too_many
from burnin.web.render import services
from burnin.web.tokens import Tokens

STALE = frozenset({"stale", "conflict"})
OVER = frozenset({"expired", "submitted"})


class EventIn(msgspec.Struct, forbid_unknown_fields=True):
    """One event as a client sends it; ``id`` makes sending it again harmless, ``options`` are tokens."""

    id: str
    kind: Literal["answered", "flagged", "struck", "rated", "revealed", "paused", "resumed"]
    item: str | None = None
    options: tuple[str, ...] = ()
    on: bool | None = None
    seen: int | None = None
    value: str | None = None


async def act(request: Request) -> Response:
    """``POST /api/sittings/{id}/events``: 200 once it is on disk; 409, 410 or 422 say why not."""
    event = await posted.json(request, EventIn)
    take = services(request).take
    sitting = request.path_params["id"]
    kind = EventKind(event.kind)
    tokens = Tokens(sitting, event.item or "", await take.options(sitting, event.item))
    if kind is EventKind.ANSWERED and len(event.options) > 1:
        view = await take.view(sitting)
        choose = next((entry.choose for entry in view.entries if entry.item == event.item), None)
        if choose is not None and len(set(event.options)) > choose:
            refusal = {"ok": False, "code": "too-many", "message": too_many(choose), "phase": view.phase}
            return _json(refusal, 422)
    ack = await take.act(
        sitting,
        Command(
            event.id,
            kind,
            item=event.item,
            options=tokens.ids(event.options),
            on=event.on,
            seen=event.seen,
            value=event.value,
        ),
    )
    shown = replace(ack, options=tokens.all(ack.options), struck=tokens.all(ack.struck))
    return _json(shown, _status(ack))


class NoteIn(msgspec.Struct, forbid_unknown_fields=True):
    """A note as a client sends it: the whole text."""

    item: str
    text: str


async def note(request: Request) -> Response:
    """``POST /api/sittings/{id}/notes``: keep a note on a question. Never scored."""
    sent = await posted.json(request, NoteIn)
    sitting = request.path_params["id"]
    view = await services(request).take.view(sitting)
    if all(entry.item != sent.item for entry in view.entries):
        return _json({"ok": False, "code": "unknown-item", "message": "No such question."}, 422)
    if not (await services(request).aids.of(sitting, view.conditions.value)).notes:
        refusal = {"ok": False, "code": "no-notes", "message": "This sitting has no notes."}
        return _json(refusal, 422)
    await services(request).aids.write(sitting, sent.item, sent.text)
    return _json({"ok": True}, 200)


async def clock(request: Request) -> Response:
    """``POST /api/sittings/{id}/clock``: the time left; also shows that somebody is there."""
    view = await services(request).take.view(request.path_params["id"])
    return _json(
        {
            "phase": view.phase,
            "remaining_ms": view.remaining_ms,
            "current": view.current,
            "version": view.version,
        },
        200,
    )


def _status(ack: Ack) -> int:
    if ack.ok:
        return 200
    if ack.code in STALE:
        return 409
    return 410 if ack.code in OVER else 422


def _json(value: Any, status: int) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
