"""Answered questions as reviews of cards."""

from __future__ import annotations

from collections.abc import Iterable

from burnin.domain.evidence import Evidence
from burnin.learner.memory import Review, rating_of


def reviews_of(known: Iterable[Evidence], zone: str = "UTC") -> list[Review]:
    """Return a review for each settled answer: its card is the item, or the generator of a computed one."""
    return [
        Review(
            id=f"{entry.sitting} {entry.subject}",
            card=entry.subject,
            at_ms=entry.at_ms,
            rating=rating_of(
                right=entry.right,
                rating=entry.rating,
                seconds=entry.seconds,
                pace_seconds=entry.pace_seconds,
            ),
            zone=zone,
        )
        for entry in known
    ]
