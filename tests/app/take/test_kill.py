"""kill -9 at any moment, then go on: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnin.app.wiring import open_services
from burnin.domain.sitting import EventKind
from burnin.exam.sitting import fold
from tests.app.desk import answer, begin, catalog

ROOT = Path(__file__).parent.parent.parent.parent
ROUNDS = 20


@pytest.mark.skipif(sys.platform == "win32", reason="kills with SIGKILL")
def test_killed_at_random_moments_it_keeps_every_acknowledged_event(home: Path) -> None:
    services = open_services(home, catalog=catalog())
    sittings = [asyncio.run(begin(services, minutes=600)) for _ in range(4)]
    services.close()
    chance = random.Random(20261130)
    acknowledged: dict[str, list[list[str]]] = {sitting: [] for sitting in sittings}
    for round_ in range(ROUNDS):
        # Every other time it may die while it opens the database, before anything is acknowledged.
        early = round_ % 2 == 1
        after_s = chance.uniform(0.05, 0.6) if early else chance.uniform(0, 0.25)
        for line in killed(home, sittings, f"r{round_}", early=early, after_s=after_s):
            sitting, *facts = line.split()
            acknowledged[sitting].append(facts)

    services = open_services(home, catalog=catalog())
    for sitting in sittings:
        stored = services.store.events.load(sitting)
        assert [event.seq for event in stored] == list(range(1, len(stored) + 1))
        by_id = {event.client_id: event for event in stored}
        assert len(by_id) == len(stored)
        for id, item, option, seq in acknowledged[sitting]:
            event = by_id[id]
            assert (event.seq, event.kind, event.item, event.options) == (
                int(seq),
                EventKind.ANSWERED,
                item,
                (option,),
            )
        state = fold(services.store.sittings.get(sitting), stored)
        assert not state.interrupted  # the machine ran on; only the program died
        asyncio.run(answer(services, sitting, 1))
    total = sum(map(len, acknowledged.values()))
    assert total > ROUNDS * len(sittings)  # it did get somewhere before each death
    services.close()


def killed(home: Path, sittings: list[str], name: str, *, early: bool, after_s: float) -> list[str]:
    """Run the sitter and kill it, some time after its start or first acknowledgement.

    Returns its whole lines.
    """
    program = sitter(home, ",".join(sittings), name)
    assert program.stdout is not None
    with program, program.stdout:
        first = "" if early else program.stdout.readline()
        time.sleep(after_s)
        program.kill()
        lines = [first, *program.stdout.read().splitlines(keepends=True)]
    return [line for line in lines if line.endswith("\n")]


def sitter(home: Path, sittings: str, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.app.take.sitter", str(home), sittings, name],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_write_to_one_sitting_at_once(home: Path) -> None:
    services = open_services(home, catalog=catalog())
    sitting = asyncio.run(begin(services, minutes=600))
    programs = [sitter(home, sitting, name) for name in ("web", "cli")]
    lines: list[str] = []
    for program in programs:
        assert program.stdout is not None
        lines += [program.stdout.readline() for _ in range(30)]
    for program in programs:
        program.kill()
        assert program.stdout is not None
        lines += [line for line in program.stdout if line.endswith("\n")]
        program.stdout.close()
        program.wait()
    stored = services.store.events.load(sitting)
    assert [event.seq for event in stored] == list(range(1, len(stored) + 1))
    seqs = {event.client_id: event.seq for event in stored}
    for line in lines:
        _, id, _, _, version = line.split()
        assert seqs[id] == int(version)
    assert {line.split()[1].partition("-")[0] for line in lines} == {"web", "cli"}
    services.close()
