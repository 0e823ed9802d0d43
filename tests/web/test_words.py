from datetime import date, timedelta

import pytest

from burnin.web import words

TODAY = date(2026, 12, 31)


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (0, "today"),
        (1, "tomorrow"),
        (2, "in two days"),
        (13, "in 13 days"),
        (14, "in two weeks"),
        (17, "in about two weeks"),
        (19, "in about three weeks"),
        (45, "in about six weeks"),
        (92, "in about three months"),
        (-1, "yesterday"),
        (-3, "three days ago"),
    ],
)
def test_how_far_a_day_is(days: int, said: str) -> None:
    assert words.until(TODAY + timedelta(days=days), TODAY) == said


def test_remaining_time_rounds_up_so_that_zero_means_zero() -> None:
    assert [words.clock(ms) for ms in (0, 1, 999, 1000, 59_001, 3_600_000, 7_172_000)] == [
        "0:00",
        "0:01",
        "0:01",
        "0:01",
        "1:00",
        "1:00:00",
        "1:59:32",
    ]


def test_lengths_of_time() -> None:
    said = [words.duration(s) for s in (0, 1, 59, 60, 90, 599, 600, 3540, 3600, 6720)]
    assert said == [
        "0 seconds",
        "1 second",
        "59 seconds",
        "1 minute",
        "1 minute 30 seconds",
        "9 minutes 59 seconds",
        "10 minutes",
        "59 minutes",
        "1 hour",
        "1 hour 52 minutes",
    ]


def test_counts_and_days() -> None:
    assert [words.count(n) for n in (0, 3, 12, 13)] == ["no", "three", "twelve", "13"]
    assert words.plural(1, "question") == "1 question"
    assert words.plural(1200, "reply", "replies") == "1,200 replies"
    assert words.iso_day("2027-01-04") == "4 January 2027"
    assert words.iso_day("soon") == "soon"
