"""What each exam is, from its blueprint's facts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from burnin.web.facts import known
from burnin.web.pages.explore import of_objective
from burnin.web.render import page, services


async def exams(request: Request) -> Response:
    """``GET /exams``."""
    return await page(request, "exams.html", exams=services(request).exams.all())


async def exam(request: Request) -> Response:
    """``GET /exams/{code}``."""
    code = request.path_params["code"]
    found = services(request).exams.get(code)
    if found.code != code:
        return RedirectResponse(f"/exams/{found.code}", 308)
    return await page(
        request,
        "exam.html",
        exam=found,
        facts=known(found.facts),
        explore=lambda objective: of_objective(request, found.code, objective),
        total=sum(domain.weight for domain in found.domains),
        heaviest=max((domain.weight for domain in found.domains), default=0),
        titles={domain.id: domain.title for domain in found.domains},
    )
