"""What broke: the panels of a fault, and whether somebody found it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from burnin.app.errors import BadRequest
from burnin.catalog import Catalog
from burnin.domain.drill import Drill
from burnin.drills.broke import Incident, incident
from burnin.drills.faults import FAULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether fault and measure were right, and what both are."""

    passed: bool
    fault_right: bool
    measure_right: bool
    fault: str
    measure: str
    onset_minute: float
    debrief: str


class Drills:
    """The drills of the catalogue whose fault the models know."""

    def __init__(self, catalog: Catalog) -> None:
        self._drills = {key: drill for key, drill in catalog.drills.items() if drill.fault in FAULTS}

    def all(self) -> tuple[Drill, ...]:
        """Every drill, by id."""
        return tuple(self._drills[key] for key in sorted(self._drills))

    def get(self, drill_id: str) -> Drill:
        """One drill; BadRequest names those there are."""
        if drill_id not in self._drills:
            raise BadRequest(f"no drill {drill_id!r}; known: {', '.join(sorted(self._drills))}")
        return self._drills[drill_id]

    def show(self, drill_id: str, seed: int) -> Incident:
        """The panels of one run. BadRequest as ``get``, and for a seed below 0."""
        if seed < 0:
            raise BadRequest("The seed must not be negative.")
        return incident(self.get(drill_id).fault, seed)

    def faults(self, drill_id: str) -> tuple[str, ...]:
        """What may have broken, in words, in an order that is the same for all drills of an exam."""
        return tuple(sorted({drill.fault_words for drill in self._of(drill_id)}))

    def measures(self, drill_id: str) -> tuple[str, ...]:
        """What may be done first, in words, in an order that says nothing of the faults'."""
        words = sorted({drill.measure for drill in self._of(drill_id)})
        Random(len(words)).shuffle(words)  # noqa: S311  # a fixed order, not a secret
        return tuple(words)

    def judge(self, drill_id: str, seed: int, *, fault: int, measure: int) -> Verdict:
        """Judge an answer, both by number from 1. BadRequest for a number that is not there."""
        drill, shown = self.get(drill_id), self.show(drill_id, seed)
        faults, measures = self.faults(drill_id), self.measures(drill_id)
        for name, number, words in (("fault", fault, faults), ("measure", measure, measures)):
            if not 1 <= number <= len(words):
                raise BadRequest(f"The {name} is a number from 1 to {len(words)}, not {number}.")
        fault_right = faults[fault - 1] == drill.fault_words
        measure_right = measures[measure - 1] == drill.measure
        return Verdict(
            passed=fault_right and measure_right,
            fault_right=fault_right,
            measure_right=measure_right,
            fault=drill.fault_words,
            measure=drill.measure,
            onset_minute=shown.onset,
            debrief=drill.debrief,
        )

    def _of(self, drill_id: str) -> list[Drill]:
        exam = self.get(drill_id).exam
        return [drill for drill in self._drills.values() if drill.exam == exam]
