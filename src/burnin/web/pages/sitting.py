"""The question page: shown, and answered by a plain form where no script runs."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.app.errors import Hidden
from burnin.app.take import Ack, Command, EventKind, QuestionView, SittingView
from burnin.web import posted, words
from burnin.web.labels import KINDS, OVER, entry_state, nonce
from burnin.web.pages.explore import of_item
from burnin.web.render import page, services
from burnin.web.tokens import Tokens


async def resume(request: Request) -> Response:
    """``GET /sittings/{id}``: to the question that was open last, or to the result."""
    view = await services(request).take.view(request.path_params["id"])
    if view.diagnostic:
        return RedirectResponse(f"/diagnose/{view.id}", 303)
    if view.phase in OVER:
        return _to(view.id, "result")
    return _to(view.id, view.current)


async def question(request: Request) -> Response:
    """``GET /sittings/{id}/{n}``. Showing a question is what moves the sitting to it."""
    saved = "saved" in request.query_params
    return await _show(request, saved=saved)


async def answer(request: Request) -> Response:
    """``POST /sittings/{id}/{n}``: save what is chosen, then do what the button says."""
    fields = await posted.form(request)
    take = services(request).take
    sitting, number = request.path_params["id"], request.path_params["n"]
    form_nonce = fields.one("nonce") or nonce()
    do, go, strike = fields.one("do"), fields.one("go"), fields.one("strike")
    rating = fields.one("rate")

    if do == "resume":
        ack = await take.act(sitting, Command(posted.event_id(form_nonce, "resume"), EventKind.RESUMED))
        return _to(sitting, "result" if ack.phase in OVER else number)
    try:
        at = await take.question(sitting, number)
    except Hidden:
        return _to(sitting, number)
    await _keep_note(request, sitting, at, fields)
    tokens = Tokens.shown(at)
    chosen = () if do == "clear" else tokens.ids(fields.many("o"))
    changed = set(chosen) != set(tokens.ids(fields.many("was"))) or do == "clear"
    if changed and not at.revealed:
        if len(set(chosen)) > at.asked.choose:
            return await _show(request, status=422, picked=chosen, message=too_many(at.asked.choose))
        ack = await take.act(
            sitting,
            Command(
                posted.event_id(form_nonce, "answered", at.asked.id, *sorted(chosen)),
                EventKind.ANSWERED,
                item=at.asked.id,
                options=chosen,
                seen=fields.number("seen"),
            ),
        )
        if refused := await _refused(request, ack, chosen):
            return refused
    if command := _command(form_nonce, at, do, tokens.ids([strike])[0], rating):
        ack = await take.act(sitting, command)
        if refused := await _refused(request, ack, None):
            return refused
    if go == "review":
        return _to(sitting, "review")
    if go.isdigit():
        return _to(sitting, int(go))
    return _to(sitting, f"{number}?saved" if do in ("save", "clear", "note") else number)


async def _keep_note(request: Request, sitting: str, at: QuestionView, fields: posted.Posted) -> None:
    """Without a script every button also saves the note, so that moving on loses none."""
    aids = services(request).aids
    if not fields.many("note"):
        return
    view = await services(request).take.view(sitting)
    if not (await aids.of(sitting, view.conditions.value)).notes:
        return
    if fields.one("note").replace("\r\n", "\n") != await aids.note(sitting, at.asked.id):
        await aids.write(sitting, at.asked.id, fields.one("note"))


def too_many(choose: int) -> str:
    """What is said to who chose more than asked for."""
    return f"Choose {choose} at most. Clear one first; what was saved before still stands."


async def _refused(request: Request, ack: Ack, chosen: tuple[str, ...] | None) -> Response | None:
    if ack.phase in OVER:
        return _to(request.path_params["id"], "result")
    # A form sent again after a later change is a duplicate whose content is not what is stored.
    late = ack.ok and ack.duplicate and chosen is not None and set(ack.options) != set(chosen)
    if ack.ok and not late:
        return None
    message = ack.message or ""
    if late or ack.code == "stale":
        message = "This answer was changed in another tab. What you see now is what is stored."
    return await _show(request, status=409, message=message)


def _command(form_nonce: str, at: QuestionView, do: str, strike: str, rating: str) -> Command | None:
    item = at.asked.id
    if rating:
        return Command(
            posted.event_id(form_nonce, "rated", item, rating), EventKind.RATED, item=item, value=rating
        )
    if strike:
        struck = tuple(set(at.struck) ^ {strike})
        return Command(
            posted.event_id(form_nonce, "struck", item, strike), EventKind.STRUCK, item=item, options=struck
        )
    if do in ("flag", "unflag"):
        return Command(posted.event_id(form_nonce, do, item), EventKind.FLAGGED, item=item, on=do == "flag")
    if do == "check":
        return Command(posted.event_id(form_nonce, do, item), EventKind.REVEALED, item=item)
    if do == "pause":
        return Command(posted.event_id(form_nonce, do), EventKind.PAUSED)
    return None


async def _show(
    request: Request,
    *,
    status: int = 200,
    message: str = "",
    picked: tuple[str, ...] | None = None,
    saved: bool = False,
) -> Response:
    take = services(request).take
    sitting, number = request.path_params["id"], request.path_params["n"]
    view = await take.view(sitting)
    if view.phase in OVER:
        return _to(sitting, "result")
    if view.phase == "paused":
        return await page(request, "paused.html", view=view, kinds=KINDS, nonce=nonce())
    at = await take.question(sitting, number)
    if view.current != number and _meant(request):
        moved = await take.act(sitting, Command(f"moved-{nonce()}", EventKind.MOVED, item=at.asked.id))
        if moved.phase in OVER:
            return _to(sitting, "result")
    allowed = await services(request).aids.of(sitting, view.conditions.value)
    context: dict[str, Any] = {}
    if at.revealed:
        item = await take.reasons(sitting, at.asked.id)
        context = {
            "item": item,
            "order": tuple(option.id for option in at.asked.options),
            "verdict": _verdict(at, item.key),
            "explore": lambda item: of_item(request, item),
        }
    return await page(
        request,
        "question.html",
        status=status,
        view=view,
        question=at,
        token=Tokens.shown(at).of,
        number=number,
        picked=at.selected if picked is None else picked,
        ahead=number + 1 if number < view.size else "review",
        message=message,
        saved=saved and not message,
        kinds=KINDS,
        entry_state=entry_state,
        nonce=nonce(),
        aids=allowed,
        written=await services(request).aids.note(sitting, at.asked.id) if allowed.notes else "",
        pace=words.pace(view),
        **context,
    )


def _meant(request: Request) -> bool:
    """Whether somebody looks at the page, rather than a prefetch or another site's link."""
    headers = request.headers
    return "prefetch" not in headers.get("sec-purpose", "") and headers.get("sec-fetch-site") != "cross-site"


def _verdict(at: QuestionView, key: frozenset[str]) -> str:
    chosen = frozenset(at.selected)
    if chosen == key:
        return "Right."
    if not chosen:
        return "You had not chosen anything. Here is why each option is what it is."
    if chosen & key:
        return f"Not quite: {len(chosen & key)} of {len(key)} found. It counts only if exactly the right ones are chosen."
    return "Not right. Here is why."


def _to(sitting: str, where: int | str) -> Response:
    return RedirectResponse(f"/sittings/{sitting}/{where}", 303)


def groups(view: SittingView) -> list[tuple[str, list[object], str]]:
    """What the review screen lists apart."""
    entries = view.entries
    return [
        ("Unanswered", [e for e in entries if e.chosen == 0], "Nothing is chosen here."),
        ("Incomplete", [e for e in entries if e.incomplete], "Fewer options are chosen than asked for."),
        ("Flagged", [e for e in entries if e.flagged], "You wanted to come back to these."),
    ]
