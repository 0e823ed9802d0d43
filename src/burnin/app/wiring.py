"""Puts store, catalogue, clock and services together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from burnin.app.exams import Exams
from burnin.app.faults import Faults
from burnin.app.outcome import Outcome
from burnin.app.profile import Profile
from burnin.app.take import Take


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a face needs. ``close()`` waits for queued writes."""

    home: Path
    take: Take
    outcome: Outcome
    faults: Faults
    profile: Profile
    exams: Exams

    def close(self) -> None:
        """Finish queued writes and let go of the database."""
        raise NotImplementedError
