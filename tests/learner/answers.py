"""Answers to build tests from."""

from __future__ import annotations

from dataclasses import replace

from burnin.domain.evidence import Evidence
from burnin.domain.sitting import Conditions

DAY = 86_400_000
NOW = 1_800_000_000_000

PLAIN = Evidence(
    subject="item",
    sitting="sitting",
    exam="TST",
    domain="alpha",
    objective="alpha/one",
    right=True,
    at_ms=NOW,
    conditions=Conditions.EXAM,
    difficulty=3,
    options=4,
    choose=1,
)


def answer(number: int, **changes: object) -> Evidence:
    """An answer to an item of its own."""
    return replace(PLAIN, **{"subject": f"item-{number}", **changes})  # type: ignore[arg-type]
