"""What is still known and when to see it again: FSRS over questions, glossary cards and labs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import fsrs

DAY_MS = 86_400_000
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4

LEECH_LAPSES = 4
"""A card forgotten so often is a leech: seeing it again does not help, its remedy might."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One look at a card. ``at_ms`` is UTC; ``zone`` (IANA) is where the learner was.

    ``rating`` is 1 again, 2 hard, 3 good, 4 easy. Two reviews with one id are one review.
    """

    id: str
    card: str
    at_ms: int
    rating: int
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryModel:
    """FSRS with its weights; name and weights are stored together, since either alone says nothing."""

    name: str = "fsrs-6"
    weights: tuple[float, ...] = fsrs.Scheduler().parameters
    retention: float = 0.9
    longest_days: int = 365

    def __post_init__(self) -> None:
        _scheduler(self)  # raises ValueError for weights that FSRS refuses


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card as its reviews leave it. ``due_ms`` is UTC; ``stability`` in days.

    ``lapses`` counts how often a card in review was forgotten.
    """

    id: str
    stability: float
    difficulty: float
    learning: bool
    due_ms: int
    last_ms: int
    repetitions: int
    lapses: int
    zone: str

    @property
    def leech(self) -> bool:
        """Whether it was forgotten so often that its remedy should come first."""
        return self.lapses >= LEECH_LAPSES

    def retrievability(self, at_ms: int, model: MemoryModel) -> float:
        """Return the chance that it is known at a time: 0.9 when ``stability`` days have passed.

        Source: FSRS 6, the forgetting curve of the ``fsrs`` package.
        """
        decay = -model.weights[20]
        factor = 0.9 ** (1.0 / decay) - 1.0
        days = max(0.0, (at_ms - self.last_ms) / DAY_MS)
        return float((1.0 + factor * days / self.stability) ** decay)


def remembered(
    reviews: Iterable[Review], model: MemoryModel | None = None, *, fuzz: bool = True
) -> dict[str, Card]:
    """Return each card after its reviews, which may come in any order and more than once.

    With ``fuzz`` an interval of days is moved a little, always the same way for the same
    card and repetition, so that cards learned together do not stay together.
    """
    model = model or MemoryModel()
    by_card: dict[str, dict[str, Review]] = {}
    for review in reviews:
        by_card.setdefault(review.card, {}).setdefault(review.id, review)
    return {
        card: _after(sorted(mine.values(), key=lambda r: (r.at_ms, r.id)), model, fuzz)
        for card, mine in by_card.items()
    }


def without_last(reviews: Sequence[Review], card: str) -> tuple[Review, ...]:
    """Return the reviews with a card's latest one undone; all of them if it has none."""
    mine = [review for review in reviews if review.card == card]
    if not mine:
        return tuple(reviews)
    last = max(mine, key=lambda r: (r.at_ms, r.id))
    return tuple(review for review in reviews if review.id != last.id)


def choices(
    reviews: Sequence[Review], card: str, at_ms: int, model: MemoryModel | None = None
) -> dict[int, int]:
    """Return when a card would come back after each rating given now, in milliseconds from now.

    Show these before the learner chooses.
    """
    mine = [review for review in reviews if review.card == card and review.at_ms <= at_ms]
    return {
        rating: remembered([*mine, Review(id="\uffff", card=card, at_ms=at_ms, rating=rating)], model)[
            card
        ].due_ms
        - at_ms
        for rating in (AGAIN, HARD, GOOD, EASY)
    }


def study_day(at_ms: int, zone: str, start_hour: int = 4) -> date:
    """Return the day of study that a time belongs to: it begins at ``start_hour`` where the learner is.

    >>> study_day(1_800_000_000_000, "Europe/Berlin")
    datetime.date(2027, 1, 15)

    ``ValueError`` for a zone that is not known.
    """
    local = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(_zone(zone))
    # On the wall, not in elapsed hours: a day with 23 hours also begins at four.
    return (local.replace(tzinfo=None) - timedelta(hours=start_hour)).date()


def due(
    cards: Iterable[Card], now_ms: int, zone: str, *, start_hour: int = 4, model: MemoryModel | None = None
) -> list[Card]:
    """Return the cards to see on the study day of ``now_ms``, the most endangered first.

    Cards still being learned are due to the minute, others on the study day of their time.
    """
    model = model or MemoryModel()
    today = study_day(now_ms, zone, start_hour)
    found = [
        card
        for card in cards
        if (card.due_ms <= now_ms if card.learning else study_day(card.due_ms, zone, start_hour) <= today)
    ]
    return sorted(found, key=lambda card: (card.retrievability(now_ms, model), card.id))


def held(cards: Iterable[Card], at_ms: int, model: MemoryModel | None = None) -> float | None:
    """Return the share of cards expected to be known at a time without another look; None without cards."""
    model = model or MemoryModel()
    chances = [card.retrievability(at_ms, model) for card in cards]
    return sum(chances) / len(chances) if chances else None


def rating_of(*, right: bool, rating: str | None, seconds: float, pace_seconds: int) -> int:
    """Return what an answered question is worth as a review.

    Wrong, or right by the learner's own guess: again. Right but unsure or slow: hard.
    Sure and in less than half of the time: easy. Else good.
    """
    if not right or rating == "guess":
        return AGAIN
    if rating == "unsure" or (pace_seconds and seconds > 1.5 * pace_seconds):
        return HARD
    if rating == "sure" and pace_seconds and seconds < 0.5 * pace_seconds:
        return EASY
    return GOOD


def _after(reviews: Sequence[Review], model: MemoryModel, fuzz: bool) -> Card:
    scheduler = _scheduler(model)
    first = _utc(reviews[0].at_ms)
    card = fsrs.Card(card_id=1, due=first)
    lapses = 0
    for review in reviews:
        if card.state == fsrs.State.Review and review.rating == AGAIN:
            lapses += 1
        card, _ = scheduler.review_card(card, fsrs.Rating(review.rating), _utc(review.at_ms))
    last = reviews[-1]
    assert card.stability is not None
    assert card.difficulty is not None
    interval = card.due - _utc(last.at_ms)
    if fuzz and card.state == fsrs.State.Review:
        interval = _fuzzed(interval, f"{last.card} {len(reviews)}", model.longest_days)
    return Card(
        id=last.card,
        stability=card.stability,
        difficulty=card.difficulty,
        learning=card.state != fsrs.State.Review,
        due_ms=last.at_ms + round(interval / timedelta(milliseconds=1)),
        last_ms=last.at_ms,
        repetitions=len(reviews),
        lapses=lapses,
        zone=last.zone,
    )


_FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, float("inf"), 0.05))


def _fuzzed(interval: timedelta, name: str, longest: int) -> timedelta:
    """Move an interval by up to a day and a share of it that falls as it grows, as FSRS does."""
    days = interval.days
    if days < _FUZZ[0][0]:
        return interval
    reach = 1.0 + sum(share * max(0.0, min(days, high) - low) for low, high, share in _FUZZ)
    low, high = max(2, round(days - reach)), min(round(days + reach), longest)
    digest = hashlib.sha256(name.encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    return timedelta(days=min(low, high) + int(place * (high - min(low, high) + 1)))


@lru_cache(maxsize=16)
def _scheduler(model: MemoryModel) -> fsrs.Scheduler:
    return fsrs.Scheduler(
        parameters=model.weights,
        desired_retention=model.retention,
        maximum_interval=model.longest_days,
        enable_fuzzing=False,
    )


def _utc(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 1000, UTC).replace(microsecond=at_ms % 1000 * 1000)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"no time zone {name!r}") from error
