"""Plans from the exam's facts and the learner's evidence."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from burnin.app.clock import Clock
from burnin.app.errors import BadRequest, UnknownExam
from burnin.app.evidence import evidence
from burnin.app.exam_day import exam_day_fault, hours_fault
from burnin.app.past import Past
from burnin.app.pool import Bank
from burnin.app.storing import read
from burnin.domain.blueprint import Blueprint

if TYPE_CHECKING:
    from burnin.learner.plan import Plan

MINUTES_A_REVIEW = 1.5
NEEDED_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a plan is asked for. None means: as the settings have it."""

    exam_date: date | None = None
    hours_per_week: float | None = None
    background: str | None = None
    weekdays: tuple[int, ...] | None = None


class Planning:
    """Makes plans; nothing of them is stored, so each day's plan starts from what was done."""

    def __init__(
        self,
        bank: Bank,
        clock: Clock,
        past: Past,
        *,
        settings: Callable[[], Awaitable[Any]],
    ) -> None:
        self._bank = bank
        self._clock = clock
        self._past = past
        self._settings = settings

    def backgrounds(self, exam: str) -> dict[str, tuple[float, float]]:
        """Return the backgrounds that the exam's facts name, with the hours they need."""
        facts = self._blueprint(exam).facts.get("hours_by_background", {})
        return {name: (float(low), float(high)) for name, (low, high) in facts.items()}

    async def plan(self, exam: str, wish: Wish) -> Plan:
        """Return the calendar from today. Errors: ``UnknownExam``; ``BadRequest`` says what is missing."""
        blueprint = self._blueprint(exam)
        settings = await self._settings()
        own = settings.exam == blueprint.code
        when = wish.exam_date or (settings.exam_date if own else None)
        if when is None:
            raise BadRequest("A plan needs the exam date.")
        hours = wish.hours_per_week if wish.hours_per_week is not None else settings.hours_per_week
        if hours is None:
            raise BadRequest("A plan needs the hours a week that you have.")
        if fault := hours_fault(hours):
            raise BadRequest(f"Hours a week {fault}.")
        if fault := exam_day_fault(when, self._clock.now().wall_ms):
            raise BadRequest(f"Exam date: {fault}.")
        usual = self._usual(blueprint, wish.background or settings.background)
        weekdays = wish.weekdays or settings.weekdays
        return await read(self._plan, blueprint, when, hours, usual, weekdays)

    def _usual(self, blueprint: Blueprint, background: str | None) -> tuple[float, float]:
        known = self.backgrounds(blueprint.code)
        if not known:
            return 40.0, 60.0
        if background is None:
            return known.get("most") or next(iter(known.values()))
        if background not in known:
            raise BadRequest(f"{blueprint.code} knows no background {background!r}: {', '.join(known)}.")
        return known[background]

    def _plan(
        self,
        blueprint: Blueprint,
        when: date,
        hours: float,
        usual: tuple[float, float],
        weekdays: tuple[int, ...],
    ) -> Plan:
        from burnin.learner.ability import belief
        from burnin.learner.plan import DomainNeed, plan
        from burnin.learner.weighing import weighed
        from burnin.psychometrics.cold_start import ColdStart

        now_ms = self._clock.now().wall_ms
        today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
        known = evidence(self._past, self._bank, blueprint.code)
        believed = belief(weighed(known, now_ms), [domain.id for domain in blueprint.domains])
        start = ColdStart()
        items: dict[str, list[Any]] = {domain.id: [] for domain in blueprint.domains}
        for item in self._bank.candidates(blueprint):
            items[item.domain].append(start.of(item))
        first = blueprint.facts.get("first_domain_to_study")
        plain = [start.prior(difficulty=3, options=4)]
        # Before any answer the prior's middle would call a stranger half ready.
        told = believed.weight.sum() > 0
        try:
            return plan(
                today,
                when,
                hours_per_week=hours,
                domains=[
                    DomainNeed(
                        id=domain.id,
                        title=domain.title,
                        weight=domain.weight,
                        theta=float(mean) if told else -1.0,
                        items=items[domain.id] or plain,
                        first=domain.id == first,
                    )
                    for domain, mean in zip(blueprint.domains, believed.mean, strict=True)
                ],
                usual_hours=usual,
                done_hours=sum(entry.seconds for entry in known) / 3600 * NEEDED_SHARE,
                study_days=weekdays,
                due_minutes=self._due_minutes(blueprint, now_ms),
            )
        except ValueError as error:
            raise BadRequest(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error

    def _due_minutes(self, blueprint: Blueprint, now_ms: int) -> Mapping[date, int]:
        from burnin.app.reviews import reviews_of
        from burnin.learner.memory import remembered, study_day

        found: dict[date, float] = {}
        today = study_day(now_ms, "UTC")
        for card in remembered(reviews_of(evidence(self._past, self._bank, blueprint.code))).values():
            day = max(study_day(card.due_ms, card.zone), today)
            found[day] = found.get(day, 0.0) + MINUTES_A_REVIEW
        return {day: math.ceil(minutes) for day, minutes in found.items()}

    def _blueprint(self, exam: str) -> Blueprint:
        for code, blueprint in self._bank.blueprints.items():
            if code.casefold() == exam.strip().casefold():
                return blueprint
        raise UnknownExam(
            f"No exam has the code {exam!r}. Known: {', '.join(sorted(self._bank.blueprints))}."
        )
