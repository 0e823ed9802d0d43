"""Sums on paper against simulation, published figures and the other models of this room."""

from __future__ import annotations

import random

import pytest

from burnin.systems import sizing
from burnin.systems.collectives import ring_all_reduce
from burnin.systems.roofline import ridge


def test_speculative_tokens_equal_a_simulation() -> None:
    chance = random.Random(1)
    for acceptance, drafted in ((0.5, 3), (0.8, 4), (0.9, 2)):
        total = 0
        for _ in range(60_000):
            run = 0
            while run < drafted and chance.random() < acceptance:
                run += 1
            total += run + 1
        assert total / 60_000 == pytest.approx(sizing.speculative_tokens(acceptance, drafted), rel=0.01)


def test_ring_bytes_are_those_of_the_timed_collective() -> None:
    for ranks in (2, 4, 8, 64):
        seconds = float(ring_all_reduce(1e9, ranks, 1e9, 0.0))
        assert seconds == pytest.approx(sizing.ring_sent(1.0, ranks))


def test_at_the_ridge_batch_reading_and_computing_take_alike() -> None:
    for peak, bandwidth, width in ((989, 3350, 2), (1979, 3350, 1)):
        batch = sizing.ridge_batch(peak, bandwidth, width)
        compute_s = 2 * batch * 1e9 / (peak * 1e12)
        read_s = width * 1e9 / (bandwidth * 1e9)
        assert compute_s == pytest.approx(read_s)
        assert batch == pytest.approx(ridge(peak, bandwidth) * width / 2)


def test_palm_and_chinchilla_as_published() -> None:
    # PaLM 540B: 238.3 thousand tokens/s on 6,144 TPU v4 of 275 TFLOPS are 45.7 % without attention
    # (arXiv 2204.02311, section 4.1 and appendix B).
    assert sizing.utilisation(540, 238_300, 275, 6144) == pytest.approx(0.457, abs=0.002)
    # Gopher's budget, 5.76e23, is 280B on 300B tokens and nearly 70B on 1.4T (arXiv 2203.15556).
    assert sizing.gpu_hours(70, 1400, 100, 0.5) == pytest.approx(
        sizing.gpu_hours(280, 300, 100, 0.5), rel=0.17
    )
    assert sizing.optimal_growth(100) == 10


def test_rate_and_utilisation_undo_each_other() -> None:
    rate = sizing.thousand_tokens_s(13, 312, 0.47, 128)
    assert sizing.utilisation(13, 1000 * rate, 312, 128) == pytest.approx(0.47)
    hours = sizing.gpu_hours(13, 300, 312, 0.47)
    assert 300e9 / (1000 * rate) * 128 / 3600 == pytest.approx(hours)


def test_more_bandwidth_or_ranks_never_slow_a_step() -> None:
    times = [sizing.decode_floor_ms(64, 8, 2000, ranks) for ranks in (1, 2, 4, 8)]
    assert times == sorted(times, reverse=True)
    assert sizing.decode_floor_ms(64, 8, 2000) == sizing.decode_floor_ms(72, 0, 2000)
    assert sizing.prefill_ms(70, 4000, 1000, 0.5, 8) == 140.0
    assert sizing.accumulation_steps(512, 64, 4, 2, 2) == 32
    assert sizing.tensor_parallel_mb(4000, 1, 8000) == 256
