from __future__ import annotations

from fractions import Fraction

from burnin.domain.sitting import Conditions
from burnin.exam.record import SittingRecord
from burnin.exam.trend import seen_before, trend

from .test_selection import attempt


def sitting(name: str, items: range, *, right: int, **changes: object) -> SittingRecord:
    names = [f"q{n}" for n in items]
    facts: dict[str, object] = {
        "sitting": name,
        "form": "f",
        "exam": "NCP-GENL",
        "conditions": Conditions.EXAM,
        "rule": "mixed-integer/1",
        "wall_ms": int(name[1:]),
        "over": True,
        "interrupted": False,
        "places": tuple((known_as, Fraction(int(n < right))) for n, known_as in enumerate(names)),
        "attempts": tuple(attempt(known_as) for known_as in names),
    }
    return SittingRecord(**{**facts, **changes})  # type: ignore[arg-type]


def test_a_rerun_cannot_inflate_the_figures() -> None:
    first, again = trend(
        [sitting("s1", range(60), right=30), sitting("s2", range(60), right=60)], full_size=60
    )
    assert first.counts
    assert first.fresh_percent == 50.0
    assert (again.percent, again.fresh, again.fresh_percent) == (100.0, 0, None)
    assert again.doubts == ("rerun",)


def test_the_new_part_of_a_mixed_form_counts_by_itself() -> None:
    _, mixed = trend([sitting("s1", range(30), right=30), sitting("s2", range(60), right=45)], full_size=60)
    # Thirty were seen and are right; of the thirty new ones fifteen are.
    assert (mixed.percent, mixed.seen_before, mixed.fresh, mixed.fresh_percent) == (75.0, 30, 30, 50.0)
    assert mixed.counts


def test_a_short_form_shows_its_size_and_does_not_count() -> None:
    (short,) = trend([sitting("s1", range(5), right=5)], full_size=60)
    assert (short.size, short.percent, short.doubts) == (5, 100.0, ("short",))
    assert short.fresh_interval is not None
    assert short.fresh_interval.low_percent < 60


def test_practice_and_interrupted_sittings_are_told_and_do_not_count() -> None:
    practice, broken = trend(
        [
            sitting("s1", range(60), right=60, conditions=Conditions.TIMED),
            sitting("s2", range(60, 120), right=60, interrupted=True),
        ],
        full_size=60,
    )
    assert practice.doubts == ("practice",)
    assert broken.doubts == ("interrupted",)


def test_what_a_diagnostic_or_an_open_sitting_showed_is_seen_but_is_no_point() -> None:
    records = [
        sitting("s1", range(15), right=15, rule="diagnostic/1"),
        sitting("s2", range(15, 30), right=0, over=False),
        sitting("s3", range(60), right=60),
    ]
    (point,) = trend(records, full_size=60)
    assert point.seen_before == 30
    assert seen_before(records, "s1") == frozenset()
    assert len(seen_before(records, "s3")) == 30


def test_computed_items_of_one_generator_are_not_new_again() -> None:
    one = sitting("s1", range(1), right=1, places=(("gen", Fraction(1)),), attempts=(attempt("gen"),))
    two = sitting("s2", range(1), right=1, places=(("gen", Fraction(1)),), attempts=(attempt("gen"),))
    assert [p.fresh for p in trend([one, two], full_size=1)] == [1, 0]
