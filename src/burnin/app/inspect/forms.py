"""Draft a form to look at; nothing is stored."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from burnin.app.errors import BadRequest, CannotAssemble
from burnin.app.inspect.items import blueprint_of
from burnin.assembly import Infeasible, assemble
from burnin.catalog import Catalog


def draft_form(catalog: Catalog, code: str, *, seed: int, size: int | None = None) -> dict[str, Any]:
    """Assemble a form and return it without its items' texts, with the seconds it took.

    ``size`` None is the usual size of the real exam. Raises UnknownExam,
    BadRequest for a size under 1, CannotAssemble where the bank is too small.
    """
    blueprint = blueprint_of(catalog, code)
    count = blueprint.questions_usual if size is None else size
    if count < 1:
        raise BadRequest("a form needs at least one question")
    began = perf_counter()
    try:
        form, _ = assemble(
            blueprint,
            catalog.candidates(blueprint),
            catalog,
            size=count,
            seed=seed,
            bank_version=catalog.version,
        )
    except Infeasible as error:
        raise CannotAssemble(str(error)) from error
    return {
        "form": form.id,
        "exam": form.exam,
        "items": [{"id": e.item, "domain": e.domain, "choose": e.choose} for e in form.entries],
        "minutes": form.minutes,
        "seconds_to_assemble": perf_counter() - began,
    }
