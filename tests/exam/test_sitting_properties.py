"""Random lives of a sitting against a brute-force account of them (see ``lives``)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import settings

from burnin.domain.sitting import Conditions, EventKind

from .lives import ITEMS, LATEST, MIXED, Life

Life.TestCase.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
TestLives = Life.TestCase


INVARIANTS = [
    Life.memory_is_what_the_store_says,
    Life.nothing_acknowledged_is_lost,
    Life.no_option_changes_its_meaning,
    Life.no_time_is_won_or_taken,
    Life.seconds_add_up,
    Life.a_finished_sitting_scores_what_was_saved,
]


def step(life: Life, rng: Random) -> None:
    server, place, which = rng.randint(0, 1), rng.randrange(ITEMS), rng.randrange(10_000)
    clicks = set(rng.sample(range(6), rng.randint(0, 3)))
    ms = rng.choice([rng.randint(0, 3_000), rng.randint(0, 60_000)])
    clock_ms = rng.choice([rng.randint(-60_000, 60_000), rng.randint(-90_000_000, 0)])
    kind: EventKind = rng.choice(MIXED)

    def act() -> None:
        life.act(
            server=server,
            kind=kind,
            place=place,
            clicks=clicks,
            on=rng.random() < 0.5,
            view=rng.choice(["none", "fresh", "first"]),
            late_ms=rng.choice([0, 0, 0, rng.randint(0, LATEST)]),
        )

    weighted: list[tuple[int, Callable[[], object]]] = [
        (8, act),
        (4, lambda: life.wait_or_sleep(ms)),
        (3, lambda: life.look(server)),
        (2, lambda: life.double_click(server, place, clicks)),
        (2, lambda: life.send_again(server, which)),
        (1, lambda: life.send_other_content_under_an_old_id(server, which, place)),
        (1, lambda: life.set_wall_clock(clock_ms)),
        (1, lambda: life.reboot(ms)),
        (1, life.kill),
        (1, lambda: life.kill_between_decision_and_disk(kind, place, clicks)),
        (1, lambda: life.upgrade(which)),
        (1, lambda: life.sweep(server)),
    ]
    weights, calls = zip(*weighted, strict=True)
    rng.choices(calls, weights)[0]()


@pytest.mark.parametrize("seed", range(15))
def test_a_long_life(seed: int) -> None:
    """150 steps each, where hypothesis prefers many short lives."""
    rng = Random(seed)
    life = Life()
    life.open(
        conditions=list(Conditions)[seed % 3],
        limit_ms=rng.randint(60_000, 1_000_000),
        chooses=[rng.randint(1, 3) for _ in range(ITEMS)],
        seed=seed,
        start=True,
    )
    for _ in range(150):
        step(life, rng)
        for holds in INVARIANTS:
            holds(life)
    life.submit(server=0, times=2, chance=0)
    for holds in INVARIANTS:
        holds(life)
    # A paused sitting takes a submission too, and one without time has closed itself.
    assert life.store.load().over
