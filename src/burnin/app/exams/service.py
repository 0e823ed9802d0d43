"""What each exam is, for pages and for ``burnin exams --json``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnin.app.errors import UnknownExam
from burnin.domain.blueprint import Blueprint
from burnin.exam.forms import minutes_for


class Exams:
    """The latest blueprint revision of every exam."""

    def __init__(self, blueprints: Mapping[str, Blueprint]) -> None:
        self._blueprints = blueprints

    def all(self) -> tuple[Blueprint, ...]:
        """Every exam, by code."""
        return tuple(self._blueprints[code] for code in sorted(self._blueprints))

    def get(self, code: str) -> Blueprint:
        """One exam by code, in any letter case; ``UnknownExam`` names those there are."""
        for known, blueprint in self._blueprints.items():
            if known.casefold() == code.strip().casefold():
                return blueprint
        raise UnknownExam(f"No exam has the code {code!r}. Known: {', '.join(sorted(self._blueprints))}.")

    def minutes(self, code: str, size: int) -> int:
        """How long a sitting of ``size`` questions lasts at the exam's pace, extra time aside."""
        return minutes_for(self.get(code), size)

    def as_json(self, code: str | None = None) -> dict[str, Any]:
        """The object that ``burnin exams --json`` prints, of one exam or of all."""
        return {
            "exams": [_plain(blueprint) for blueprint in (self.all() if code is None else (self.get(code),))]
        }


def _plain(blueprint: Blueprint) -> dict[str, Any]:
    return {
        "code": blueprint.code,
        "title": blueprint.title,
        "level": blueprint.level,
        "as_of": blueprint.as_of,
        "minutes": blueprint.minutes,
        "questions": [blueprint.questions_min, blueprint.questions_max],
        "domains": [
            {
                "id": domain.id,
                "title": domain.title,
                "weight": domain.weight,
                "objectives": list(domain.objectives),
                "focus": list(domain.focus),
                "traps": list(domain.traps),
                "official": [line.number for line in domain.official],
            }
            for domain in blueprint.domains
        ],
    }
