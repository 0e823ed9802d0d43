"""The flip point of a computed question: turn one number until a wrong option is right."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from burnin.app.inspect import turned
from burnin.web.render import page, services


async def flip(request: Request) -> Response:
    """``GET /sittings/{id}/{n}/flip/{option}``: only once the reasons may be seen."""
    sitting, number = request.path_params["id"], request.path_params["n"]
    take = services(request).take
    view = await take.view(sitting)
    if not 1 <= number <= view.size:
        raise HTTPException(404)
    item = await take.reasons(sitting, view.entries[number - 1].item)
    found = await asyncio.to_thread(turned, services(request).catalog, item, request.path_params["option"])
    if found is None:
        raise HTTPException(
            404, "This option has no number to turn, or its question was made by an earlier version."
        )
    right = next(option.text for option in item.options if option.correct)
    values = [value for value, _, _ in found.rows]
    return await page(
        request,
        "flip.html",
        sitting=sitting,
        number=number,
        item=item,
        found=found,
        right=right,
        start=values.index(found.now),
        over=view.phase in ("submitted", "expired"),
    )
