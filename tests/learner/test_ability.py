"""The posterior against sampling, against another implementation, and in its limits."""

from __future__ import annotations

import numpy as np
import pytest

from burnin.learner.ability import Spread, author_prior, belief, by_subject
from burnin.learner.weighing import Weighed, weighed
from burnin.psychometrics.cold_start import ColdStart
from burnin.psychometrics.curves import Items
from burnin.psychometrics.domains import blurred, domain_abilities
from tests.learner.answers import NOW, answer

DOMAINS = ("alpha", "beta", "gamma")


def some(rng: np.random.Generator, n: int = 18):
    return [
        answer(k, domain=DOMAINS[k % 2], right=bool(rng.random() < 0.6), difficulty=1 + k % 5)
        for k in range(n)
    ]


def test_it_is_the_posterior_that_weighted_samples_give() -> None:
    answers = weighed(some(np.random.default_rng(3)), NOW)
    spread = Spread(mean=0.2, sd=1.1, near=0.5, blind=0.3, gap=1.5, gap_sd=0.6)
    found = belief(answers, DOMAINS, spread=spread)

    rng = np.random.default_rng(4)
    n = 400_000
    overall = spread.mean + spread.sd * rng.standard_normal(n)
    blind = rng.random((n, 3)) < spread.blind
    off = np.where(
        blind,
        -spread.gap + spread.gap_sd * rng.standard_normal((n, 3)),
        spread.near * rng.standard_normal((n, 3)),
    )
    theta = overall[:, None] + off
    log_weight = np.zeros(n)
    for each in answers:
        items = blurred([author_prior(each.evidence)])
        p = items.c[0] + (1 - items.c[0]) / (
            1 + np.exp(-(items.a[0] * theta[:, DOMAINS.index(each.evidence.domain)] + items.d[0]))
        )
        log_weight += each.weight * (each.worth * np.log(p) + (1 - each.worth) * np.log1p(-p))
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    mean = weight @ theta
    assert found.mean == pytest.approx(mean, abs=0.02)
    assert found.sd == pytest.approx(np.sqrt(weight @ (theta - mean) ** 2), abs=0.02)
    for row in range(3):
        assert found.lags(row) == pytest.approx(weight @ blind[:, row], abs=0.02)

    drawn = found.draws(np.random.default_rng(5), 100_000)
    centred = theta - mean
    covariance = (centred * weight[:, None]).T @ centred
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.03)


def test_without_blind_domains_and_weights_it_is_the_higher_order_model() -> None:
    entries = some(np.random.default_rng(8))
    found = belief(
        [Weighed(evidence=e, weight=1.0, worth=float(e.right)) for e in entries],
        DOMAINS,
        spread=Spread(mean=0.0, sd=1.0, near=0.6, blind=0.0),
    )
    other = domain_abilities(
        blurred([author_prior(e) for e in entries]),
        [DOMAINS.index(e.domain) for e in entries],
        [e.right for e in entries],
        3,
    )
    assert found.mean == pytest.approx(other.theta, abs=0.005)
    assert found.sd == pytest.approx(other.se, abs=0.005)


def test_ten_answers_in_one_domain_tell_the_others_a_little() -> None:
    good = belief(weighed([answer(k) for k in range(10)], NOW), DOMAINS)
    none = belief((), DOMAINS)
    assert good.mean[0] > good.mean[1] > none.mean[1]
    assert good.sd[0] < good.sd[1] < none.sd[1]
    assert good.mean[1] == pytest.approx(good.mean[2])


def test_an_answer_of_no_weight_says_nothing() -> None:
    nothing = [Weighed(evidence=answer(1), weight=0.0, worth=1.0)]
    assert belief(nothing, DOMAINS).mean == pytest.approx(belief((), DOMAINS).mean)


def test_answers_elsewhere_and_no_answers_leave_the_prior() -> None:
    spread = Spread(mean=0.4, blind=0.0)
    found = belief(weighed([answer(1, domain="delta")], NOW), DOMAINS, spread=spread)
    assert found.mean == pytest.approx([0.4] * 3, abs=1e-3)
    assert found.sd == pytest.approx([(spread.sd**2 + spread.near**2) ** 0.5] * 3, abs=0.01)


def test_calibrated_items_take_the_place_of_the_authors_guess() -> None:
    hard = ColdStart().prior(difficulty=5, options=4)
    easy = ColdStart().prior(difficulty=1, options=4)
    answers = weighed([answer(1), answer(2)], NOW)
    as_hard = belief(answers, DOMAINS, prior_of=by_subject({"item-1": hard, "item-2": hard}))
    as_easy = belief(answers, DOMAINS, prior_of=by_subject({"item-1": easy, "item-2": easy}))
    assert as_hard.mean[0] > as_easy.mean[0]
    assert Items.of(1.0, hard.b_mean).b[0] > Items.of(1.0, easy.b_mean).b[0]
