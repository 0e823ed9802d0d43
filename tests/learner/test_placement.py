"""The order of the questions, its limits, and whether it finds a domain never worked in."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.catalog import load
from burnin.learner.ability import Belief, author_prior, belief
from burnin.learner.placement import LONGEST, MOST_EACH, ROUNDS, Questions, next_question, telling
from burnin.learner.weighing import weighed
from tests.learner.answers import NOW, answer
from tests.learner.people import Kind
from tests.learner.placing import place

DOMAINS = ("alpha", "beta", "gamma", "delta")
EACH = 14

ENTRIES = [
    answer(k, domain=DOMAINS[k % 4], right=True, difficulty=1 + k // 4 % 5)
    for k in range(EACH * len(DOMAINS))
]
QUESTIONS = Questions.of([author_prior(e) for e in ENTRIES], [k % 4 for k in range(len(ENTRIES))])


def asked_of(wrong: set[str], *, most: int = LONGEST) -> tuple[list[int], Belief]:
    """Answer everything right but in the domains ``wrong``."""
    asked: list[int] = []
    known = belief((), DOMAINS)
    while (chosen := next_question(known, QUESTIONS, asked, most=most)) is not None:
        asked.append(chosen)
        given = [
            answer(k, domain=DOMAINS[k % 4], right=DOMAINS[k % 4] not in wrong, difficulty=1 + k // 4 % 5)
            for k in asked
        ]
        known = belief(weighed(given, NOW), DOMAINS)
    return asked, known


@pytest.mark.parametrize("wrong", [set(), {"gamma"}, set(DOMAINS)])
def test_every_domain_is_asked_twice_first_and_nothing_twice(wrong: set[str]) -> None:
    asked, _ = asked_of(wrong)
    first = [k % 4 for k in asked[: ROUNDS * len(DOMAINS)]]
    assert first == [0, 1, 2, 3] * 2
    assert len(set(asked)) == len(asked) == 40


def test_it_stops_at_the_callers_limit_and_when_nothing_is_left() -> None:
    assert len(asked_of(set(), most=11)[0]) == 11
    assert len(asked_of(set(), most=1000)[0]) == EACH * len(DOMAINS)
    none = Questions.of([], [])
    assert next_question(belief((), DOMAINS), none, []) is None


def test_a_domain_failed_is_looked_into_at_once_but_not_for_ever() -> None:
    asked, known = asked_of({"gamma"})
    rows = [k % 4 for k in asked]
    start = ROUNDS * len(DOMAINS)
    assert rows[start : start + MOST_EACH - ROUNDS] == [2] * (MOST_EACH - ROUNDS)
    assert set(rows[start + MOST_EACH - ROUNDS :]) >= {0, 1, 3}
    assert np.argmax([known.lags(row) for row in range(4)]) == 2


def test_without_suspects_the_domains_share_the_questions() -> None:
    asked, known = asked_of(set())
    count = np.bincount([k % 4 for k in asked])
    assert max(known.lags(row) for row in range(4)) < 0.06
    assert count.max() - count.min() <= 1


def test_telling_is_the_divergence_of_the_answer_and_nothing_for_a_blind_coin() -> None:
    known = belief((), DOMAINS)
    near, below = known.spread.parts()
    curve = QUESTIONS.curves[0]
    p, q = known.overall @ near @ curve, known.overall @ below @ curve

    def kl(a: float, b: float) -> float:
        return a * np.log(a / b) + (1 - a) * np.log((1 - a) / (1 - b))

    middle = (p + q) / 2
    found = telling(known, 0, np.stack([curve, np.full_like(curve, 0.25)]))
    assert found[0] == pytest.approx((kl(p, middle) + kl(q, middle)) / 2, rel=1e-9)
    assert found[0] > 0.01
    assert found[1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("exam", ["NCA-GENM", "NCP-GENL"])
def test_the_domain_never_worked_in_is_found_far_above_chance(exam: str) -> None:
    found = place(load(None), exam, Kind(start=(0.85, 0.95), uneven=0.02, blind=1.0), 30, 17)
    hits = [one.belief.domains[int(np.argmax(one.lags))] == one.weak for one in found]
    # One in seven or ten would be hit by chance: 16 of 30 has a chance under 1 in 100,000.
    assert sum(hits) >= 16
    assert all(one.asked == LONGEST for one in found)
