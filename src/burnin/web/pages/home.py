"""The desk: which exam, and the one thing to do next."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from burnin.app.errors import AppError
from burnin.app.outcome import RecentSitting
from burnin.app.profile import Settings
from burnin.web import words
from burnin.web.labels import KINDS, nonce
from burnin.web.render import page, services, today

SHOWN = 8
NEAR_THE_MARK = 10


async def home(request: Request) -> Response:
    """``GET /``."""
    at = services(request)
    settings = await at.profile.get()
    exams = at.exams.all()
    chosen = next((exam for exam in exams if exam.code == settings.exam), None)
    if chosen is None:
        return await first(request)
    recent = await at.outcome.recent(50)
    waiting = [line for line in recent if not line.over]
    view = None
    if waiting:
        try:
            view = await at.take.view(waiting[0].id)
        except AppError:
            waiting = waiting[1:]
    day = today(request)
    coming = settings.exam_date is not None and settings.exam_date >= day
    last = next((line for line in recent if line.conditions == "exam" and line.percent is not None), None)
    reviews = await at.ready.reviews(chosen.code) if any(line.over for line in recent) else None
    return await page(
        request,
        "home.html",
        left_out=[problem for problem in at.catalog.problems if problem.file.startswith("BURNIN_HOME")],
        due=len(reviews.due) if reviews else 0,
        settings=settings,
        exam=chosen,
        full=chosen.questions_usual,
        until=words.until(settings.exam_date, day) if coming and settings.exam_date else None,
        open=view,
        others=waiting[1:4],
        recent=[line for line in recent if line.over or line not in waiting[:1]][:SHOWN],
        next=_next(recent, last, settings),
        last=last,
        diagnosis=next((line.id for line in recent if line.over and line.diagnostic), None),
        kinds=KINDS,
        nonce=nonce(),
    )


async def first(
    request: Request, *, wanted: str = "", date: str = "", message: str = "", status: int = 200
) -> Response:
    """Ask which exam, and when: the desk before anything is known."""
    return await page(
        request,
        "home_first.html",
        status=status,
        exams=services(request).exams.all(),
        wanted=wanted,
        date=date,
        message=message,
    )


def _next(recent: tuple[RecentSitting, ...], last: RecentSitting | None, settings: Settings) -> str:
    """First a warm-up or what the diagnostic found, then a mock, then practice until the mark is well behind."""
    over = [line for line in recent if line.over]
    if not over:
        return "warm"
    if over[0].diagnostic:
        return "start"
    if last is None or last.percent is None:
        return "mock"
    newest = next(line for line in recent if line.over)
    if newest.id == last.id and last.percent < settings.pass_mark_percent + NEAR_THE_MARK:
        return "timed"
    return "mock"
