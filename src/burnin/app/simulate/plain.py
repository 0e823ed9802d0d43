"""Terms and plans as plain data and as sentences, shared by the simulators' answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from burnin.systems.plan import Plan
from burnin.systems.term import GB, GIB, Term


def plain_terms(terms: Iterable[Term]) -> list[dict[str, Any]]:
    """Return terms with their value in 10^9 and 2^30 bytes where they are bytes."""
    return [plain_term(term) for term in terms]


def plain_term(term: Term) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": term.name, "formula": term.formula, "filled": term.filled}
    if term.unit == "bytes":
        plain.update(bytes=term.value, gb=term.value / GB, gib=term.value / GIB)
    else:
        plain[{"s": "seconds"}.get(term.unit, term.unit)] = term.value
    if term.source:
        plain["source"] = term.source
    return plain


def plain_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan's fields with its ranks and micro-batches."""
    return {**asdict(plan), "ranks": plan.ranks, "micro_batches": plan.micro_batches}


def sizes(value: float) -> dict[str, float]:
    """Return bytes in both units."""
    return {"bytes": value, "gb": value / GB, "gib": value / GIB}
