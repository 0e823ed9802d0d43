from __future__ import annotations

import numpy as np
import pytest

from burnin.psychometrics.ability import eap
from burnin.psychometrics.adaptive import Belief, Exposure, Pool
from burnin.psychometrics.curves import Items, information, probability
from burnin.psychometrics.responses import Responses

SHARES = [0.4, 0.3, 0.2, 0.1]


def pool(seed: int = 1, items: int = 300, *, guess: float = 0.0) -> Pool:
    chance = np.random.default_rng(seed)
    parameters = Items.of(np.exp(chance.normal(0.1, 0.3, items)), chance.normal(size=items), guess)
    return Pool.of(parameters, chance.integers(0, 4, items), SHARES)


def sit(pool: Pool, theta: float, seed: int, length: int) -> Belief:
    chance = np.random.default_rng(seed)
    belief = pool.begin()
    for _ in range(length):
        item = pool.choose(belief)
        assert item is not None
        p = probability(pool.items.take(np.array([item])), np.array([theta]))[0, 0]
        belief = pool.answered(belief, item, right=bool(chance.random() < p))
    return belief


def test_the_most_informative_item_at_the_estimate() -> None:
    free = Pool.of(pool().items)
    belief = sit(free, 0.7, 3, 10)
    value = information(free.items, np.array([belief.theta]))[:, 0]
    value[list(belief.asked)] = -1
    chosen = free.choose(belief)
    assert chosen is not None
    assert value[chosen] == pytest.approx(value.max(), rel=1e-3)


def test_the_belief_is_the_eap_of_all_answers() -> None:
    free = pool(guess=0.2)
    chance = np.random.default_rng(4)
    row = np.full(300, -1)
    belief = free.begin()
    for _ in range(25):
        item = free.choose(belief)
        assert item is not None
        row[item] = chance.integers(0, 2)
        belief = free.answered(belief, item, right=bool(row[item]))
    expected = eap(Responses.of([row]), free.items)
    assert belief.theta == pytest.approx(expected.theta[0], abs=1e-6)
    assert belief.se == pytest.approx(expected.se[0], abs=1e-6)


@pytest.mark.parametrize("theta", [-1.5, 0.0, 1.5])
def test_content_follows_the_shares_all_along(theta: float) -> None:
    balanced = pool()
    belief = balanced.begin()
    for n in range(1, 61):
        item = balanced.choose(belief)
        assert item is not None
        belief = balanced.answered(belief, item, right=theta > balanced.items.b[item])
        # Never ahead of the share, rounded up.
        assert (np.array(belief.per_domain) <= np.ceil(np.array(SHARES) * n - 1e-9)).all()
        if n % 10 == 0:
            assert list(belief.per_domain) == pytest.approx(np.array(SHARES) * n)


def test_every_item_once_then_none() -> None:
    small = pool(items=30)
    belief = sit(small, 0.0, 1, 30)
    assert sorted(belief.asked) == list(range(30))
    assert small.choose(belief) is None


def test_same_answers_same_test() -> None:
    assert sit(pool(), 0.3, 5, 20).asked == sit(pool(), 0.3, 5, 20).asked


def test_one_of_the_best_by_draw() -> None:
    some = pool()
    belief = some.begin()
    drawn = {some.choose(belief, draw=d, among=5) for d in np.linspace(0, 0.999, 50)}
    assert len(drawn) == 5
    assert some.choose(belief) in drawn
    assert some.choose(belief, draw=0.0, among=5) == some.choose(belief)


def test_no_item_is_used_more_often_than_the_rate() -> None:
    some = pool()
    used = np.zeros(300, dtype=int)
    chance = np.random.default_rng(2)
    for tests in range(60):
        belief = some.begin()
        theta = chance.normal()
        exposure = Exposure(used.copy(), tests, 0.25)
        for _ in range(12):
            item = some.choose(belief, exposure=exposure)
            assert item is not None
            used[item] += 1
            belief = some.answered(belief, item, right=bool(theta > some.items.b[item]))
    # One more use than the rate allows at the very start, where nothing was used yet.
    assert used.max() <= 0.25 * 61


def test_stops_no_later_than_a_random_test() -> None:
    free = Pool.of(pool().items)
    belief, chance = free.begin(), np.random.default_rng(3)
    order, n = chance.permutation(300), 0
    while belief.se >= 0.3:
        item = int(order[n])
        belief, n = free.answered(belief, item, right=bool(chance.random() < 0.5)), n + 1
    adaptive, m = free.begin(), 0
    while adaptive.se >= 0.3:
        best = free.choose(adaptive)
        assert best is not None
        adaptive, m = free.answered(adaptive, best, right=bool(chance.random() < 0.5)), m + 1
    assert m < n


@pytest.mark.parametrize(
    ("domain", "share", "says"),
    [([0, 2], [0.5, 0.5], "domain"), ([0], [1.0], "domain"), ([0, 1], [0.0, 0.0], "zero")],
)
def test_refuses(domain: list[int], share: list[float], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Pool.of(Items.of([1.0, 1.0], [0.0, 1.0]), domain, share)


def test_refuses_items_without_estimates() -> None:
    with pytest.raises(ValueError, match="finite"):
        Pool.of(Items.of([1.0, np.nan], [0.0, 1.0]))
