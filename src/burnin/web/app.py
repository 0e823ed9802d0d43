"""The web application: routes, errors, and what runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import date, datetime

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import burnin
from burnin.app.errors import AppError
from burnin.app.wiring import Services
from burnin.web import api, assets, errors
from burnin.web.guard import BODY_LIMIT, LOOPBACK, Guard
from burnin.web.once import Once
from burnin.web.pages import (
    diagnose,
    exams,
    explore,
    faults,
    finish,
    flip,
    glossary,
    home,
    misconceptions,
    practice,
    ready,
    result,
    settings,
    sitting,
    start,
    tutorial,
)


def create_app(
    services: Services,
    *,
    hosts: Iterable[str] = LOOPBACK,
    body_limit: int = BODY_LIMIT,
    today: Callable[[], date] | None = None,
) -> Starlette:
    """Make the application around open services, which the caller closes.

    ``hosts`` are the host names that it answers to; ``today`` tells the local day.
    """
    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Guard, hosts=tuple(hosts), body_limit=body_limit)],
        exception_handlers={
            HTTPException: errors.on_http_error,
            AppError: errors.on_app_error,
            Exception: errors.on_crash,
        },
        lifespan=_lifespan,
    )
    app.state.services = services
    app.state.today = today or (lambda: datetime.now().astimezone().date())
    app.state.once = Once()
    return app


def _routes() -> list[Route]:
    # Autosaves come most often, so they are matched first.
    return [
        Route("/api/sittings/{id}/events", api.act, methods=["POST"]),
        Route("/api/sittings/{id}/notes", api.note, methods=["POST"]),
        Route("/api/sittings/{id}/clock", api.clock, methods=["POST"]),
        Route("/static/{version}/{name}", assets.serve_asset),
        Route("/healthz", healthz),
        Route("/", home.home),
        Route("/exams", exams.exams),
        Route("/exams/{code}", exams.exam),
        Route("/explore", explore.explorers),
        Route("/explore/{name}", explore.explorer),
        Route("/sittings/new", start.new),
        Route("/sittings", start.recent, methods=["GET"]),
        Route("/sittings", start.create, methods=["POST"]),
        Route("/sittings/{id}", sitting.resume),
        Route("/sittings/{id}/review", finish.review),
        Route("/sittings/{id}/submit", finish.confirm, methods=["GET"]),
        Route("/sittings/{id}/submit", finish.submit, methods=["POST"]),
        Route("/sittings/{id}/result", result.result),
        Route("/sittings/{id}/{n:int}/flip/{option}", flip.flip),
        Route("/tutorial", tutorial.tutorial),
        Route("/sittings/{id}/{n:int}", sitting.question, methods=["GET"]),
        Route("/sittings/{id}/{n:int}", sitting.answer, methods=["POST"]),
        Route("/sittings/{id}/report.{kind}", result.export),
        Route("/sittings/{id}/redo", practice.redo, methods=["POST"]),
        Route("/practice", practice.practice, methods=["GET"]),
        Route("/practice", practice.create, methods=["POST"]),
        Route("/diagnose", diagnose.choose, methods=["GET"]),
        Route("/diagnose", diagnose.start, methods=["POST"]),
        Route("/diagnose/{id}", diagnose.step, methods=["GET"]),
        Route("/diagnose/{id}", diagnose.answer, methods=["POST"]),
        Route("/glossary", glossary.glossary),
        Route("/glossary/{id}", glossary.term),
        Route("/misconceptions", misconceptions.misconceptions),
        Route("/misconceptions/{id}", misconceptions.misconception),
        Route("/ready", ready.ready),
        Route("/ready/rate", ready.rate, methods=["POST"]),
        Route("/reviews", ready.review, methods=["POST"]),
        Route("/plan", ready.plan, methods=["GET"]),
        Route("/plan", ready.change_plan, methods=["POST"]),
        Route("/plan.ics", ready.calendar),
        Route("/faults", faults.faults, methods=["GET"]),
        Route("/faults", faults.add, methods=["POST"]),
        Route("/faults/new", faults.new),
        Route("/faults.jsonl", faults.export),
        Route("/settings", settings.settings, methods=["GET"]),
        Route("/settings", settings.change, methods=["POST"]),
        Route("/help/keys", settings.keys),
    ]


async def healthz(request: Request) -> Response:
    """``GET /healthz``."""
    return JSONResponse({"status": "ok", "version": burnin.__version__})


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    sweeper = asyncio.create_task(app.state.services.take.sweep_forever())
    try:
        yield
    finally:
        sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await sweeper
