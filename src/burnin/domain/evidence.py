"""What a learner did, as one kind of fact about an objective."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.sitting import Conditions


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One settled answer.

    ``subject`` is the same for all computed items of a generator. ``at_ms`` is wall time
    in UTC. ``rating`` is the learner's own: sure, unsure, guess or None. ``difficulty``
    (1 to 5), ``options`` and ``choose`` are the item's; ``misconceptions`` those of the
    wrong options chosen. ``mixed`` is false for a drill in one domain.
    """

    subject: str
    sitting: str
    exam: str
    domain: str
    objective: str
    right: bool
    at_ms: int
    conditions: Conditions
    difficulty: int
    options: int
    choose: int
    seconds: float = 0.0
    pace_seconds: int = 0
    focus: tuple[str, ...] = ()
    interrupted: bool = False
    mixed: bool = True
    rating: str | None = None
    misconceptions: tuple[str, ...] = ()
