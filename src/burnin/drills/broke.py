"""What broke: half an hour of panels with one hidden fault, and the verdict on an answer."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from burnin.drills.faults import FAULTS
from burnin.drills.fleet import ONSET, quiet, run
from burnin.drills.panel import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """What is shown, and the minute in which it began."""

    panels: tuple[Panel, ...]
    onset: float

    def panel(self, name: str) -> Panel:
        """Return a panel by id."""
        return next(panel for panel in self.panels if panel.id == name)


def incident(fault: str, seed: int) -> Incident:
    """Return the panels of a fault; the same for the same seed. KeyError for an unknown fault."""
    rng = Random(f"{fault}/{seed}")  # noqa: S311  # a scene that can be repeated, not a secret
    onset = float(rng.randint(*ONSET))
    scene = FAULTS[fault](quiet(rng), onset, rng)
    return Incident(panels=run(scene, rng), onset=onset)
