"""The named mistakes: why people make them, and what is true."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from burnin.web.labels import nonce
from burnin.web.render import page, services


async def misconceptions(request: Request) -> Response:
    """``GET /misconceptions?exam=&find=``: by domain of an exam, or those where words were found."""
    at = services(request)
    query = request.query_params
    exams = at.exams.all()
    wanted = query.get("exam") or (await at.profile.get()).exam or exams[0].code
    exam = at.exams.get(wanted)
    find = query.get("find", "").strip()
    every = sorted(at.catalog.misconceptions.values(), key=lambda m: m.name.casefold())
    words = find.casefold().split()
    found = [
        m for m in every if words and all(w in f"{m.name} {m.belief} {m.remedy}".casefold() for w in words)
    ]
    domains = at.practice.mistakes_by_domain(exam.code)
    groups = [
        (domain.title, domain.traps, [m for m in every if m.id in domains.get(domain.id, ())])
        for domain in exam.domains
    ]
    return await page(
        request, "misconceptions.html", exam=exam, exams=exams, groups=groups, find=find, found=found
    )


async def misconception(request: Request) -> Response:
    """``GET /misconceptions/{id}``. Opening a remedy is remembered, to tell whether it worked."""
    at = services(request)
    found = at.catalog.misconceptions.get(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    await at.ready.remedy_read(found.id)
    counts = {code: at.practice.mistakes(code).get(found.id, 0) for code in sorted(at.catalog.blueprints)}
    carriers = {code: count for code, count in counts.items() if count}
    sources = [(c, at.catalog.sources[c.source]) for c in found.sources if c.source in at.catalog.sources]
    return await page(
        request, "misconception.html", it=found, sources=sources, carriers=carriers, nonce=nonce()
    )
