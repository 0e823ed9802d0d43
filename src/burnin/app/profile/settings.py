"""What the learner told burnin about the exam and about the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

THEMES = ("system", "light", "dark")
CONTRASTS = ("system", "more")
MOTIONS = ("system", "reduce")
KEYS = {"flag": "f", "clear": "x", "next": "n", "previous": "p", "grid": "g", "review": "r", "time": "t"}
"""What single keys do, and which; A to E choose options and cannot be given away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All preferences. ``pass_mark_percent`` is an assumption: none is published.

    ``weekdays`` are the days of study, Monday 0; ``background`` is one that the exam's facts name.
    """

    exam: str | None = None
    exam_date: date | None = None
    hours_per_week: float | None = None
    background: str | None = None
    weekdays: tuple[int, ...] = (0, 1, 2, 3, 5)
    pass_mark_percent: int = 70
    theme: str = "system"
    contrast: str = "system"
    motion: str = "system"
    show_clock: bool = True
    shortcuts: bool = True
    keys: Mapping[str, str] = field(default_factory=lambda: dict(KEYS))
