"""What broke: the panels hold what is needed to tell, and guessing does not pass."""

from __future__ import annotations

import pytest

from burnin.drills.broke import Incident, incident
from burnin.drills.faults import FAULTS

SEEDS = 12


def diagnosed(shown: Incident) -> str:
    """Read the panels alone, first five minutes against the last five, by rules a person could use."""

    def ratio(panel: str) -> list[float]:
        found = shown.panel(panel)
        return [(found.mean(line, 25, 30) + 1e-6) / (found.mean(line, 0, 5) + 1e-6) for line in found.series]

    def one(panel: str) -> float:
        return ratio(panel)[0]

    if min(ratio("adapter")) < 0.5:
        return "adapter-missing"
    if min(ratio("quality")) < 0.9:
        return "bad-canary"
    if min(ratio("clock")) < 0.9:
        return "throttled-gpu"
    other = shown.panel("other")
    if max(other.mean(line, 25, 30) for line in other.series) > 5:
        return "noisy-neighbour"
    if max(ratio("link")) > 3:
        return "slow-link"
    if max(ratio("hits")) < 0.5:
        return "cold-prefix-cache"
    if one("prompt") > 1.3:
        return "longer-prompts"
    if one("output") > 1.3:
        return "longer-answers"
    if one("rate") > 1.3 and one("users") < 1.1:
        return "retry-storm"
    running, cache = ratio("running"), ratio("kv")
    if max(running) > 1.3 and min(running) < 0.9:
        return "uneven-routing"
    if min(cache) > 1.5 and max(running) < 1.1:
        return "kv-leak"
    if min(ratio("ttft")) > 3 and max(running) < 1.1:
        return "batch-held-too-long"
    return "nothing"


@pytest.mark.parametrize("fault", FAULTS)
def test_who_reads_the_panels_finds_the_fault(fault: str) -> None:
    found = [diagnosed(incident(fault, seed)) for seed in range(SEEDS)]
    assert found.count(fault) == SEEDS, found


def test_the_same_seed_gives_the_same_half_hour_and_another_gives_another() -> None:
    assert incident("kv-leak", 3) == incident("kv-leak", 3)
    assert incident("kv-leak", 3) != incident("kv-leak", 4)


def test_nothing_shows_before_the_fault_begins() -> None:
    """Up to the earliest onset all faults of one seed look like a sound fleet: flat within the noise."""
    for fault in FAULTS:
        for panel in incident(fault, 5).panels:
            if panel.id in ("preempted", "waiting", "other", "errors"):
                continue
            for line in panel.series:
                assert panel.mean(line, 0, 5) == pytest.approx(panel.mean(line, 5, 10), rel=0.1), (
                    fault,
                    panel.id,
                )


def test_running_requests_obey_littles_law() -> None:
    """Running = rate x time in the server: each request stays for its answer's tokens."""
    shown = incident("bad-canary", 8)
    rate = shown.panel("rate").mean("requests", 2, 10) / 60 / 4
    tokens = shown.panel("output").mean("mean", 2, 10)
    for line in shown.panel("tpot").series:
        stay = tokens * shown.panel("tpot").mean(line, 2, 10) / 1e3
        assert shown.panel("running").mean(line, 2, 10) == pytest.approx(rate * stay, rel=0.05)
