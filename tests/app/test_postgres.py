"""The services on PostgreSQL, as a team would run them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnin.app.take import EventKind
from burnin.app.wiring import Services
from tests.app.desk import HandClock, answer, begin, open_at, send
from tests.store import postgres

pytestmark = [pytest.mark.postgres, pytest.mark.asyncio]


@pytest.fixture
def programs(home: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Services]]:
    reason = postgres.missing()
    if reason:
        pytest.skip(reason)
    with postgres.cluster() as server:
        monkeypatch.setenv("BURNIN_DATABASE", f"{server}/postgres")
        opened = [open_at(home, clock) for _ in range(3)]
        yield opened
        for services in opened:
            services.close()


async def test_three_servers_share_one_sitting_from_start_to_review(programs: list[Services]) -> None:
    sitting = await begin(programs[0])
    view = await programs[1].take.view(sitting)

    async def work(program: Services, name: str) -> None:
        for n in range(15):
            item = view.entries[n % view.size].item
            assert (await send(program, sitting, EventKind.FLAGGED, item, on=True, id=f"{name}-{n}")).ok

    await asyncio.gather(*(work(program, f"p{n}") for n, program in enumerate(programs)))
    for number, program in enumerate(programs, start=1):
        await answer(program, sitting, number)
    ends = [send(program, sitting, EventKind.SUBMITTED, id="submit") for program in programs]
    acks = await asyncio.gather(*ends)
    assert [ack.ok for ack in acks] == [True] * 3
    assert sum(not ack.duplicate for ack in acks) == 1
    stored = programs[0].store.events.load(sitting)
    assert [event.seq for event in stored] == list(range(1, 1 + 1 + 45 + 3 + 1))
    for program in programs:
        assert (await program.outcome.report(sitting)).report.earned == 3
