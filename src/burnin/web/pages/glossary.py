"""The glossary: what a term means, and what it gets confused with."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from burnin.web.render import page, services


async def glossary(request: Request) -> Response:
    """``GET /glossary?q=``: all terms, or those that a search finds by name or meaning."""
    terms = sorted(services(request).catalog.glossary.values(), key=lambda term: term.term.casefold())
    query = request.query_params.get("q", "").strip()[:80]
    needle = query.casefold()
    shown = [t for t in terms if needle in " ".join((t.term, *t.also, t.meaning)).casefold()]
    return await page(request, "glossary.html", terms=shown, total=len(terms), query=query)


async def term(request: Request) -> Response:
    """``GET /glossary/{id}``."""
    catalog = services(request).catalog
    it = catalog.glossary.get(request.path_params["id"])
    if it is None:
        raise HTTPException(404)
    sources = [(c, catalog.sources[c.source]) for c in it.sources if c.source in catalog.sources]
    return await page(request, "term.html", it=it, glossary=catalog.glossary, sources=sources)
