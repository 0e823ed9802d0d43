"""Templates to responses."""

from __future__ import annotations

import gzip
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import burnin
from burnin.app.profile import Settings
from burnin.app.wiring import Services
from burnin.web import assets, drawings, exhibits, facts, glossary, markdown, words


def services(request: Request) -> Services:
    """The services behind the application that got this request."""
    found: Services = request.app.state.services
    return found


def today(request: Request) -> date:
    """The local day."""
    day: date = request.app.state.today()
    return day


async def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    settings: Settings | None = None,
    **context: Any,
) -> Response:
    """Render a template with the learner's display settings, compressed where the client can."""
    if settings is None:
        settings = await services(request).profile.get()
    catalog = services(request).catalog
    context = {"terms_in": lambda item: glossary.in_item(catalog, item), **context}
    return _respond(request, template, status, {**context, "settings": settings})


def bare_page(request: Request, template: str, *, status: int, **context: Any) -> Response:
    """Render a template with default settings, for when the store may be what failed."""
    return _respond(request, template, status, {**context, "settings": Settings()})


def _respond(request: Request, template: str, status: int, context: dict[str, Any]) -> Response:
    html = environment().get_template(template).render(path=request.url.path, **context).encode()
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if len(html) > 1000 and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        html = gzip.compress(html, 5)
    return HTMLResponse(html, status_code=status, headers=headers)


@cache
def environment() -> Environment:
    """The template environment: escaping on, undefined names are errors."""
    env = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.globals.update(
        asset=assets.url,
        version=burnin.__version__,
        draw=drawings.draw,
        marks=drawings.marks,
        exhibit_kinds=exhibits.KINDS,
        exhibit_svg=exhibits.svg,
        exhibit_table=exhibits.table,
        exhibit_numeric=exhibits.numeric,
    )
    env.filters.update(
        md=markdown.block,
        mdi=markdown.inline,
        count=words.count,
        plural=words.plural,
        clock=words.clock,
        duration=words.duration,
        minutes=words.minutes,
        day=words.day,
        iso_day=words.iso_day,
        day_of=words.day_of,
        gist=markdown.gist,
        known=facts.known,
        said=facts.say,
        sentence=facts.sentence,
        pairs=facts.pairs,
        without=facts.without,
    )
    return env
