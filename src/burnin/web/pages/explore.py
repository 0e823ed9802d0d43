"""Explorers: models with knobs. Everything they show is asked for in the address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from burnin.app.errors import UnknownExam
from burnin.web.render import page, services

if TYPE_CHECKING:
    from burnin.app.simulate.explorers import Explorer
    from burnin.domain.form import RenderedItem

PART = "burnin-part"
"""The header with which the script asks for what changes, without the page around it."""


async def explorers(request: Request) -> Response:
    """``GET /explore``."""
    return await page(request, "explore.html", explorers=list(known().values()))


async def explorer(request: Request) -> Response:
    """``GET /explore/{name}?knob=value…``: what is missing has its default, what is wrong is told."""
    found = known().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    from burnin.app.simulate.explorers import explore

    # A sweep may take a moment; answers of running sittings are saved meanwhile.
    explored = await asyncio.to_thread(explore, found, services(request).catalog, request.query_params)
    part = PART in request.headers
    answer = await page(
        request, "_explorer.html" if part else "explorer.html", explored=explored, whole=not part
    )
    answer.headers["Vary"] = f"Accept-Encoding, {PART}"
    return answer


def of_item(request: Request, item: RenderedItem) -> list[tuple[str, str]]:
    """The explorer with an item's own numbers where it has them, else those of its objective."""
    own = item.provenance.get("explore")
    if own:
        return [(own.partition("?")[0], f"/explore/{own}")]
    return of_objective(request, item.exam, item.objective)


def of_objective(request: Request, exam: str, objective: str) -> list[tuple[str, str]]:
    """Names and addresses of the explorers that show an objective in numbers, as the exam's facts name them."""
    try:
        named = services(request).exams.get(exam).facts.get("explore")
    except UnknownExam:
        return []
    places = named.get(objective) if isinstance(named, Mapping) else None
    if not isinstance(places, (list, tuple)):
        return []
    return [(str(place).partition("?")[0], f"/explore/{place}") for place in places]


def known() -> dict[str, Explorer]:
    """The explorers by name. Imported late: the first page needs no numpy."""
    from burnin.app.simulate.explorers import EXPLORERS

    return EXPLORERS
