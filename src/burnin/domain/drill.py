"""A drill's words. What happens in it is run by the models."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.hardware import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """Find what broke: a fault by its name in ``drills.faults``, and the measure that meets it.

    ``brief`` says what was noticed, ``fault_words`` and ``measure`` are what stands to choose
    among those of all drills, ``debrief`` what the panels said and what to remember.
    """

    id: str
    exam: str
    objective: str
    title: str
    fault: str
    fault_words: str
    brief: str
    measure: str
    debrief: str
    sources: tuple[Provenance, ...] = ()
