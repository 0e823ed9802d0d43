"""The application over a temporary data folder, called in-process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from burnin.app.wiring import Services, open_services
from burnin.web.app import create_app
from tests.app.desk import HandClock
from tests.web.bank import catalog
from tests.web.desk import Client, Desk


@pytest.fixture(autouse=True)
def no_outside_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BURNIN_HOME", raising=False)
    monkeypatch.delenv("BURNIN_DATABASE", raising=False)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def services(tmp_path: Path, clock: HandClock) -> Iterator[Services]:
    opened = open_services(
        tmp_path / "home", clock=clock, catalog=catalog(exams={"NCP-GENL": 10, "TST-NEW": 2})
    )
    yield opened
    opened.close()


@pytest.fixture
def desk(services: Services, clock: HandClock) -> Iterator[Desk]:
    app = create_app(services, today=lambda: date(2026, 12, 31))
    with Client(app) as client:
        yield Desk(client, services, clock)
