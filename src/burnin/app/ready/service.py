"""Readiness, lights and results, from stored evidence and nothing else."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from burnin.app.clock import Clock
from burnin.app.errors import BadRequest, UnknownExam
from burnin.app.evidence import evidence
from burnin.app.exam_day import exam_day_fault, result_day_fault
from burnin.app.past import Past
from burnin.app.pool import Bank
from burnin.app.ready.views import DomainReadiness, Missing, Point, Readiness, Reviews, Standing
from burnin.app.storing import read, written
from burnin.domain.blueprint import Blueprint
from burnin.domain.evidence import Evidence
from burnin.exam.forms import quotas
from burnin.store import Store

if TYPE_CHECKING:
    from burnin.learner.ability import Belief
    from burnin.learner.forecast import Forecast
    from burnin.learner.weighing import Weighed

ENOUGH, ENOUGH_EACH = 24.0, 2.0
"""What answers must weigh in all, and in each domain, before a chance is told."""

BOOK_FROM, BOOK_EVEN = 0.85, 0.75
"""Chances of passing, and of passing with no domain lagging, from which booking is advised."""

OWN = ("red", "yellow", "green")
OWN_KEY, RESULT_KEY, REMEDY_KEY = "own.", "result.", "remedy."


class Ready:
    """What the evidence says of a learner."""

    def __init__(
        self,
        store: Store,
        bank: Bank,
        clock: Clock,
        past: Past,
        *,
        settings: Callable[[], Awaitable[Any]],
    ) -> None:
        self._store = store
        self._bank = bank
        self._clock = clock
        self._past = past
        self._settings = settings

    async def readiness(
        self,
        exam: str,
        *,
        on: date | None = None,
        hours: Mapping[str, float] | None = None,
        pass_mark_percent: int | None = None,
    ) -> Readiness:
        """Return the chance to pass on a date, by default the exam date of the settings, else today.

        ``hours`` is planned study by domain until then. Errors: ``UnknownExam``,
        ``BadRequest`` for a date that has passed or a mark outside 1 to 100.
        """
        blueprint = self._blueprint(exam)
        settings = await self._settings()
        today = self._today()
        own_date = settings.exam_date if settings.exam == blueprint.code else None
        when = on or (own_date if own_date and own_date >= today else today)
        if when < today:
            raise BadRequest(f"{when} has passed; a forecast looks ahead.")
        if fault := exam_day_fault(when, self._clock.now().wall_ms):
            raise BadRequest(f"{fault}.")
        mark = settings.pass_mark_percent if pass_mark_percent is None else pass_mark_percent
        if not 1 <= mark <= 100:
            raise BadRequest(f"A pass mark lies between 1 and 100 percent, not {mark}.")
        return await read(self._readiness, blueprint, when, dict(hours or {}), mark)

    async def standing(self, exam: str, *, zone: str = "UTC") -> Standing:
        """Return lights, recurring mistakes and failure patterns. ``UnknownExam``."""
        blueprint = self._blueprint(exam)
        settings = await self._settings()
        booked = settings.exam == blueprint.code and settings.exam_date is not None
        early = None
        if booked:
            early = not (await self.readiness(blueprint.code)).book
        return await read(self._standing, blueprint, zone, early)

    async def reviews(self, exam: str, *, zone: str = "UTC") -> Reviews:
        """Return what to see again today. ``UnknownExam``; ``BadRequest`` for an unknown time zone."""
        blueprint = self._blueprint(exam)
        settings = await self._settings()
        then = settings.exam_date if settings.exam == blueprint.code else None
        try:
            return await read(self._reviews, blueprint, zone, then)
        except ValueError as error:
            raise BadRequest(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error

    async def history(self, exam: str, *, most: int = 12) -> tuple[Point, ...]:
        """Return the forecast after each of the last days of study, the oldest first. ``UnknownExam``."""
        blueprint = self._blueprint(exam)
        mark = (await self._settings()).pass_mark_percent
        return await read(self._history, blueprint, mark, most)

    async def rate(self, exam: str, key: str, colour: str | None) -> None:
        """Keep the learner's own rating of a domain, objective or focus point; None takes it back."""
        blueprint = self._blueprint(exam)
        if key not in _keys(blueprint):
            raise BadRequest(f"{blueprint.code} has no domain, objective or focus point {key!r}.")
        if colour is not None and colour not in OWN:
            raise BadRequest(f"A rating is one of {', '.join(OWN)}, not {colour!r}.")
        await written(self._store.settings.set(f"{OWN_KEY}{blueprint.code}.{key}", colour))

    async def remedy_read(self, misconception: str) -> None:
        """Remember that a misconception's remedy was opened now."""
        await written(self._store.settings.set(f"{REMEDY_KEY}{misconception}", self._clock.now().wall_ms))

    async def result(
        self, exam: str, passed: bool, *, on: date | None = None, domains: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Record how the real exam went, beside what was forecast; return both and what comes next.

        ``domains`` maps domains to what the vendor said of them. The forecast is what the
        evidence up to the eve of the exam says. Errors: ``UnknownExam``, ``BadRequest``.
        """
        blueprint = self._blueprint(exam)
        when = on or self._today()
        if fault := result_day_fault(when, self._clock.now().wall_ms):
            raise BadRequest(f"{fault}.")
        unknown = set(domains or {}) - {domain.id for domain in blueprint.domains}
        if unknown:
            raise BadRequest(f"{blueprint.code} has no domain {', '.join(sorted(unknown))}.")
        mark = (await self._settings()).pass_mark_percent
        before = await read(self._before, blueprint, when, mark)
        entry = {
            "exam": blueprint.code,
            "date": when.isoformat(),
            "passed": passed,
            "domains": dict(domains or {}),
            "forecast": before,
        }
        await written(self._store.settings.set(f"{RESULT_KEY}{blueprint.code}.{when.isoformat()}", entry))
        wait = blueprint.facts.get("retake", {}).get("wait_days")
        first = (when + timedelta(days=int(wait))).isoformat() if wait and not passed else None
        return {**entry, "brier": self._brier(await read(self._results)), "first_allowed_date": first}

    async def results(self) -> tuple[dict[str, Any], ...]:
        """Return every recorded result, the oldest first."""
        return await read(self._results)

    def _results(self) -> tuple[dict[str, Any], ...]:
        stored = self._store.settings.all()
        entries = [
            value for key, value in stored.items() if key.startswith(RESULT_KEY) and isinstance(value, dict)
        ]
        return tuple(sorted(entries, key=lambda entry: (entry.get("date", ""), entry.get("exam", ""))))

    @staticmethod
    def _brier(entries: tuple[dict[str, Any], ...]) -> float | None:
        """Return the mean squared error of the forecasts that were made."""
        told = [(e["forecast"], e["passed"]) for e in entries if e.get("forecast") is not None]
        return sum((p - passed) ** 2 for p, passed in told) / len(told) if told else None

    def _before(self, blueprint: Blueprint, when: date, mark: int) -> float | None:
        eve_ms = _ms(when)
        answers = self._weighed(blueprint, eve_ms)
        belief = _belief(answers, blueprint)
        if _missing(belief, blueprint):
            return None
        return self._forecast(belief, blueprint, 0.0, {}, mark).p_pass

    def _readiness(self, blueprint: Blueprint, when: date, hours: dict[str, float], mark: int) -> Readiness:
        answers = self._weighed(blueprint, self._clock.now().wall_ms)
        belief = _belief(answers, blueprint)
        missing = _missing(belief, blueprint)
        counts = Counter(answer.evidence.domain for answer in answers)
        weeks = (when - self._today()).days / 7
        found = self._forecast(belief, blueprint, weeks, hours, mark)
        domains = tuple(
            DomainReadiness(
                id=domain.id,
                title=domain.title,
                weight=domain.weight,
                answers=counts[domain.id],
                mean_percent=told.mean_percent,
                interval=told.interval,
                lagging=told.lagging,
            )
            for domain, told in zip(blueprint.domains, found.domains, strict=True)
        )
        enough = not missing
        book, why = _advice(found, domains) if enough else (False, _too_little(missing))
        return Readiness(
            exam=blueprint.code,
            status="enough" if enough else "insufficient",
            missing=missing,
            p_pass=found.p_pass if enough else None,
            interval=found.interval if enough else None,
            p_even=found.p_even if enough else None,
            score_mean=found.score_mean if enough else None,
            score=found.score if enough else None,
            pass_mark_percent=mark,
            date=when,
            domains=domains,
            answers=len(answers),
            exam_answers=sum(a.evidence.conditions.value == "exam" for a in answers),
            planned_hours=sum(hours.values()),
            book=book,
            why=why,
        )

    def _standing(self, blueprint: Blueprint, zone: str, early: bool | None) -> Standing:
        from burnin.app.ready.patterns import patterns
        from burnin.learner.lights import by_domain, by_focus, by_objective, lights
        from burnin.learner.misconceptions import recurrences

        known = evidence(self._past, self._bank, blueprint.code)
        from burnin.learner.weighing import weighed

        answers = weighed(known, self._clock.now().wall_ms)
        objectives = lights(answers, _of(blueprint, "objectives"), by_objective, zone=zone)
        stored = self._store.settings.all()
        prefix = f"{OWN_KEY}{blueprint.code}."
        carriers: dict[str, set[str]] = {}
        scenario: dict[str, bool] = {}
        for item in self._bank.candidates(blueprint):
            scenario[item.id] = item.scenario
            for option in item.options:
                if option.misconception:
                    carriers.setdefault(option.misconception, set()).add(item.id)
        return Standing(
            exam=blueprint.code,
            domains=lights(answers, [d.id for d in blueprint.domains], by_domain, zone=zone),
            objectives=objectives,
            focus=lights(answers, _of(blueprint, "focus"), by_focus, zone=zone),
            own={k.removeprefix(prefix): v for k, v in stored.items() if k.startswith(prefix) and v in OWN},
            mistakes=recurrences(
                known,
                {name: frozenset(items) for name, items in carriers.items()},
                {
                    k.removeprefix(REMEDY_KEY): v
                    for k, v in stored.items()
                    if k.startswith(REMEDY_KEY) and isinstance(v, int)
                },
                zone=zone,
            ),
            patterns=patterns(blueprint, answers, objectives, scenario=scenario, early=early),
        )

    def _reviews(self, blueprint: Blueprint, zone: str, then: date | None) -> Reviews:
        from burnin.app.reviews import reviews_of
        from burnin.learner.memory import due, held, remembered

        now = self._clock.now().wall_ms
        known = evidence(self._past, self._bank, blueprint.code)
        offered = {item.id for item in self._bank.candidates(blueprint)} | set(self._bank.generators)
        cards = [card for card in remembered(reviews_of(known, zone)).values() if card.id in offered]
        waiting = due(cards, now, zone)
        return Reviews(
            exam=blueprint.code,
            due=tuple(card.id for card in waiting),
            leeches=tuple(card.id for card in cards if card.leech),
            cards=len(cards),
            held=held(cards, now),
            held_then=held(cards, _ms(then)) if then and _ms(then) > now else None,
            then=then if then and _ms(then) > now else None,
        )

    def _history(self, blueprint: Blueprint, mark: int, most: int) -> tuple[Point, ...]:
        from burnin.learner.weighing import weighed

        known = evidence(self._past, self._bank, blueprint.code)
        days = sorted({_day(entry.at_ms) for entry in known})[-most:]
        found = []
        for day in days:
            belief = _belief(weighed(known, _ms(day + timedelta(days=1)) - 1), blueprint)
            if _missing(belief, blueprint):
                continue
            told = self._forecast(belief, blueprint, 0.0, {}, mark)
            found.append(Point(day=day, p_pass=told.p_pass, score_mean=told.score_mean, score=told.score))
        return tuple(found)

    def _forecast(
        self, belief: Belief, blueprint: Blueprint, weeks: float, hours: dict[str, float], mark: int
    ) -> Forecast:
        import numpy as np

        from burnin.learner.forecast import Sitting, forecast
        from burnin.psychometrics.cold_start import ColdStart

        start = ColdStart()
        items: dict[str, list[Any]] = {domain.id: [] for domain in blueprint.domains}
        for item in self._bank.candidates(blueprint):
            items[item.domain].append(start.of(item))
        quota = quotas({domain.id: domain.weight for domain in blueprint.domains}, blueprint.questions_usual)
        plain = start.prior(difficulty=3, options=4)
        sitting = Sitting(
            quota=quota, items={name: mine or [plain] for name, mine in items.items()}, mark=mark / 100
        )
        # The same evidence gives the same figure however often the page is opened.
        rng = np.random.default_rng(zlib.crc32(f"{blueprint.code} {weeks}".encode()))
        return forecast(belief, sitting, rng, weeks=weeks, hours=hours)

    def _weighed(self, blueprint: Blueprint, now_ms: int) -> tuple[Weighed, ...]:
        from burnin.learner.weighing import weighed

        known: tuple[Evidence, ...] = evidence(self._past, self._bank, blueprint.code)
        return weighed(known, now_ms)

    def _blueprint(self, exam: str) -> Blueprint:
        found = {code.casefold(): blueprint for code, blueprint in self._bank.blueprints.items()}
        blueprint = found.get(exam.strip().casefold())
        if blueprint is None:
            raise UnknownExam(
                f"No exam has the code {exam!r}. Known: {', '.join(sorted(self._bank.blueprints))}."
            )
        return blueprint

    def _today(self) -> date:
        return _day(self._clock.now().wall_ms)


def _belief(answers: tuple[Weighed, ...], blueprint: Blueprint) -> Belief:
    from burnin.learner.ability import belief

    return belief(answers, [domain.id for domain in blueprint.domains])


def _missing(belief: Belief, blueprint: Blueprint) -> tuple[Missing, ...]:
    """Return the fewest answers that bring every domain and the whole to what is enough."""
    short = {
        domain.id: max(0.0, ENOUGH_EACH - float(weight))
        for domain, weight in zip(blueprint.domains, belief.weight, strict=True)
    }
    left = ENOUGH - float(belief.weight.sum()) - sum(short.values())
    total = sum(domain.weight for domain in blueprint.domains)
    found = []
    for domain in blueprint.domains:
        more = short[domain.id] + max(0.0, left) * domain.weight / total
        # An answer in timed practice weighs 0.9.
        answers = int(-(-more // 0.9)) if more > 1e-9 else 0
        if answers:
            found.append(Missing(domain=domain.id, title=domain.title, answers=answers))
    return tuple(found)


def _too_little(missing: tuple[Missing, ...]) -> str:
    answers = sum(entry.answers for entry in missing)
    return (
        f"Too little is known to tell a chance: about {answers} more answer{'s' * (answers != 1)} in a mixed set, "
        f"over {len(missing)} domain{'s' * (len(missing) > 1)}."
    )


def _advice(found: Forecast, domains: tuple[DomainReadiness, ...]) -> tuple[bool, str]:
    lagging = [domain.title for domain in domains if domain.lagging]
    if lagging:
        return False, f"Do not book yet: {', '.join(lagging)} lag{'s' * (len(lagging) == 1)} behind the rest."
    if found.p_pass < BOOK_FROM:
        return False, f"Do not book yet: the chance to pass is {found.p_pass:.0%}; book from {BOOK_FROM:.0%}."
    if found.p_even < BOOK_EVEN:
        return (
            False,
            f"Do not book yet: with no domain lagging the chance is {found.p_even:.0%}; book from {BOOK_EVEN:.0%}.",
        )
    return True, f"The chance to pass is {found.p_pass:.0%} and no domain lags: book."


def _keys(blueprint: Blueprint) -> set[str]:
    return {
        *(domain.id for domain in blueprint.domains),
        *_of(blueprint, "objectives"),
        *_of(blueprint, "focus"),
    }


def _of(blueprint: Blueprint, kind: str) -> list[str]:
    return [f"{domain.id}/{name}" for domain in blueprint.domains for name in getattr(domain, kind)]


def _ms(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _day(wall_ms: int) -> date:
    return datetime.fromtimestamp(wall_ms / 1000, UTC).date()
