"""What the learner told burnin about the exam and about the screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

THEMES = ("system", "light", "dark")
CONTRASTS = ("system", "more")
MOTIONS = ("system", "reduce")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All preferences. ``pass_mark_percent`` is an assumption: none is published."""

    exam: str | None = None
    exam_date: date | None = None
    pass_mark_percent: int = 70
    theme: str = "system"
    contrast: str = "system"
    motion: str = "system"
    show_clock: bool = True
    shortcuts: bool = True
