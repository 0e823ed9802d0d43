"""Stored sittings as evidence for the learner model."""

from __future__ import annotations

from collections.abc import Mapping

from burnin.app.past import Past
from burnin.app.pool import Bank
from burnin.domain.evidence import Evidence
from burnin.exam.record import Attempt, SittingRecord

MIXED_DOMAINS = 3
"""A set over so many domains is mixed; in a drill the learner knows what is asked."""


def evidence(past: Past, bank: Bank, exam: str) -> tuple[Evidence, ...]:
    """Return everything settled in an exam's sittings, the oldest first. Reads the store: call it in a thread.

    Focus points are those that the bank names today: a form keeps what was asked, not what
    it was asked for.
    """
    focus = _focus(bank)
    return tuple(
        _evidence(record, attempt, focus) for record in past.records(exam) for attempt in record.attempts
    )


def _evidence(record: SittingRecord, attempt: Attempt, focus: Mapping[str, tuple[str, ...]]) -> Evidence:
    return Evidence(
        subject=attempt.known_as,
        sitting=attempt.sitting,
        exam=attempt.exam,
        domain=attempt.domain,
        objective=attempt.objective,
        focus=focus.get(attempt.known_as, ()),
        right=attempt.right,
        at_ms=attempt.wall_ms,
        conditions=attempt.conditions,
        interrupted=record.interrupted,
        mixed=len({a.domain for a in record.attempts}) >= MIXED_DOMAINS,
        rating=attempt.rating,
        misconceptions=attempt.misconceptions,
        difficulty=attempt.difficulty,
        options=attempt.options,
        choose=attempt.choose,
        seconds=attempt.seconds,
        pace_seconds=attempt.pace_seconds,
    )


def _focus(bank: Bank) -> dict[str, tuple[str, ...]]:
    found = {words.id: words.focus for words in bank.generators.values()}
    for blueprint in bank.blueprints.values():
        found |= {item.id: item.focus for item in bank.candidates(blueprint)}
    return found
