"""Memory against the fsrs package, and over daylight saving, travel, duplicates and disorder."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import fsrs
import pytest

from burnin.learner.memory import (
    AGAIN,
    EASY,
    GOOD,
    HARD,
    LEECH_LAPSES,
    MemoryModel,
    Review,
    choices,
    due,
    held,
    rating_of,
    remembered,
    study_day,
    without_last,
)

DAY = 86_400_000
START = 1_790_000_000_000


def history(rng: random.Random, card: str = "card") -> list[Review]:
    at, found = START, []
    for number in range(rng.randint(1, 12)):
        found.append(
            Review(
                id=f"{card}-{number}", card=card, at_ms=at, rating=rng.choice((AGAIN, HARD, GOOD, GOOD, EASY))
            )
        )
        at += round(rng.choice((rng.uniform(0.0005, 0.02), rng.uniform(0.3, 3), rng.uniform(3, 200))) * DAY)
    return found


def utc(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def test_intervals_equal_the_packages_for_ten_thousand_histories() -> None:
    scheduler = fsrs.Scheduler(enable_fuzzing=False, maximum_interval=365)
    rng = random.Random(11)
    for number in range(10_000):
        reviews = history(rng, f"card-{number}")
        theirs = fsrs.Card(card_id=number + 1, due=utc(START))
        for review in reviews:
            theirs, _ = scheduler.review_card(theirs, fsrs.Rating(review.rating), utc(review.at_ms))
        ours = remembered(reviews, fuzz=False)[f"card-{number}"]
        assert abs(ours.due_ms - theirs.due.timestamp() * 1000) <= 1
        assert ours.stability == theirs.stability
        assert ours.difficulty == theirs.difficulty
        assert ours.learning == (theirs.state != fsrs.State.Review)
        later = ours.last_ms + rng.randint(0, 300) * DAY
        assert ours.retrievability(later, MemoryModel()) == pytest.approx(
            scheduler.get_card_retrievability(theirs, utc(later) + timedelta(milliseconds=1))
        )


def test_disorder_and_duplicates_change_nothing() -> None:
    rng = random.Random(12)
    for number in range(200):
        reviews = history(rng) + history(rng, "other")
        shuffled = [*reviews, *rng.sample(reviews, k=min(3, len(reviews)))]
        rng.shuffle(shuffled)
        assert remembered(shuffled) == remembered(reviews), number


def test_a_fuzzed_interval_is_the_same_each_time_and_stays_in_the_packages_range() -> None:
    rng = random.Random(13)
    moved = 0
    for number in range(500):
        reviews = history(rng, f"card-{number}")
        plain = remembered(reviews, fuzz=False)[f"card-{number}"]
        fuzzed = remembered(reviews)[f"card-{number}"]
        assert fuzzed == remembered(reviews)[f"card-{number}"]
        assert replace(fuzzed, due_ms=plain.due_ms) == plain
        days = (plain.due_ms - plain.last_ms) // DAY
        off = abs(fuzzed.due_ms - plain.due_ms) / DAY
        reach = (
            1 + 0.15 * max(0, min(days, 7) - 2.5) + 0.1 * max(0, min(days, 20) - 7) + 0.05 * max(0, days - 20)
        )
        assert off <= (0 if days < 3 else reach + 0.5)
        moved += off > 0
    assert moved > 50


def test_undo_takes_back_the_last_review_of_that_card_only() -> None:
    rng = random.Random(14)
    reviews = [*history(rng), Review(id="last", card="card", at_ms=START + 900 * DAY, rating=AGAIN)]
    others = history(rng, "other")
    assert remembered(without_last([*reviews, *others], "card")) == remembered([*reviews[:-1], *others])
    assert without_last(others, "card") == tuple(others)


def test_better_answers_come_back_later_and_the_choice_is_what_then_happens() -> None:
    reviews = [Review(id=str(k), card="c", at_ms=START + k * 9 * DAY, rating=GOOD) for k in range(4)]
    now = START + 60 * DAY
    offered = choices(reviews, "c", now)
    assert offered[AGAIN] < offered[HARD] < offered[GOOD] < offered[EASY]
    for rating, interval in offered.items():
        taken = remembered([*reviews, Review(id="x", card="c", at_ms=now, rating=rating)])["c"]
        assert taken.due_ms - now == interval


@pytest.mark.parametrize(
    ("local", "zone", "day"),
    [
        ("2026-03-29T03:59", "Europe/Berlin", date(2026, 3, 28)),  # clocks sprang forward at two
        ("2026-03-29T04:00", "Europe/Berlin", date(2026, 3, 29)),
        ("2026-10-25T03:59", "Europe/Berlin", date(2026, 10, 24)),  # clocks fell back at three
        ("2026-10-25T04:00", "Europe/Berlin", date(2026, 10, 25)),
        ("2026-12-31T23:59", "Asia/Kathmandu", date(2026, 12, 31)),
        ("2027-01-01T03:59", "America/New_York", date(2026, 12, 31)),
    ],
)
def test_a_study_day_begins_at_four_where_the_learner_is(local: str, zone: str, day: date) -> None:
    at = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
    assert study_day(round(at.timestamp() * 1000), zone) == day


def test_a_traveller_sees_cards_on_the_day_of_where_she_is() -> None:
    reviews = [Review(id=str(k), card="c", at_ms=START + k * 12 * DAY, rating=GOOD) for k in range(3)]
    card = remembered(reviews)["c"]
    for zone in ("Pacific/Auckland", "Pacific/Honolulu", "UTC"):
        day = study_day(card.due_ms, zone)
        begins = datetime(day.year, day.month, day.day, 4, tzinfo=ZoneInfo(zone))
        at = round(begins.timestamp() * 1000)
        assert due([card], at, zone) == [card]
        assert due([card], at - 1, zone) == []


def test_the_most_endangered_come_first_and_learning_cards_to_the_minute() -> None:
    sure = [Review(id=f"s{k}", card="sure", at_ms=START + k * 20 * DAY, rating=EASY) for k in range(3)]
    weak = [Review(id=f"w{k}", card="weak", at_ms=START + k * DAY, rating=HARD) for k in range(3)]
    new = [Review(id="n", card="new", at_ms=START + 400 * DAY, rating=AGAIN)]
    cards = remembered([*sure, *weak, *new]).values()
    now = START + 400 * DAY
    assert [card.id for card in due(cards, now + 59_000, "UTC")] == ["weak", "sure"]
    assert "new" in [card.id for card in due(cards, now + 61_000, "UTC")]
    assert held(cards, now) > held(cards, now + 100 * DAY) > 0
    assert held([], now) is None


def test_a_card_forgotten_again_and_again_is_a_leech() -> None:
    reviews, at = [], START
    for number in range(LEECH_LAPSES):
        for rating in (GOOD, GOOD, GOOD, AGAIN):
            reviews.append(Review(id=f"{number} {len(reviews)}", card="c", at_ms=at, rating=rating))
            at += 15 * DAY
    assert remembered(reviews)["c"].leech
    assert not remembered(reviews[: 4 * (LEECH_LAPSES - 1)])["c"].leech


def test_an_answer_is_worth_a_rating() -> None:
    def rated(right: bool, rating: str | None = None, seconds: float = 60) -> int:
        return rating_of(right=right, rating=rating, seconds=seconds, pace_seconds=100)

    assert rated(False, "sure") == rated(True, "guess") == AGAIN
    assert rated(True, "unsure") == rated(True, None, 151) == HARD
    assert rated(True) == rated(True, "sure", 51) == GOOD
    assert rated(True, "sure", 49) == EASY


def test_bad_zones_and_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="no time zone 'Mars/Base'"):
        study_day(START, "Mars/Base")
    with pytest.raises(ValueError, match="Expected 21 parameters"):
        MemoryModel(weights=(1.0,))
