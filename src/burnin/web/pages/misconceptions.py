"""The named mistakes: why people make them, and what is true."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from burnin.web.labels import nonce
from burnin.web.render import page, services


async def misconceptions(request: Request) -> Response:
    """``GET /misconceptions``."""
    found = services(request).catalog.misconceptions.values()
    return await page(request, "misconceptions.html", all=sorted(found, key=lambda m: m.name.casefold()))


async def misconception(request: Request) -> Response:
    """``GET /misconceptions/{id}``. Opening a remedy is remembered, to tell whether it worked."""
    at = services(request)
    found = at.catalog.misconceptions.get(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    await at.ready.remedy_read(found.id)
    carriers: dict[str, int] = {}
    for code, exam in sorted(at.catalog.blueprints.items()):
        count = sum(
            any(option.misconception == found.id for option in item.options)
            for item in at.catalog.candidates(exam)
        )
        if count:
            carriers[code] = count
    sources = [(c, at.catalog.sources[c.source]) for c in found.sources if c.source in at.catalog.sources]
    return await page(
        request, "misconception.html", it=found, sources=sources, carriers=carriers, nonce=nonce()
    )
