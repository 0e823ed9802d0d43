"""Models with knobs: what a query asks, what the model answers, and the address that asks it again."""

from __future__ import annotations

from burnin.app.simulate.explorers.explorer import Explored, Explorer, explore
from burnin.app.simulate.explorers.memory import MEMORY
from burnin.app.simulate.explorers.parallelism import PARALLELISM
from burnin.app.simulate.explorers.pipeline import PIPELINE
from burnin.app.simulate.explorers.training import TRAINING

__all__ = ["EXPLORERS", "Explored", "Explorer", "explore"]

EXPLORERS = {e.name: e for e in (MEMORY, PIPELINE, PARALLELISM, TRAINING)}
