"""The application over a temporary data folder, called in-process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from burnin.app.wiring import Services, open_services
from burnin.web.app import create_app
from tests.app.desk import HandClock
from tests.web.bank import catalog
from tests.web.browsing import ARGUMENTS, Live, chromium
from tests.web.desk import Client, Desk

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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


# Not for the whole session: while it is open, no other test of this thread could run a loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    path = chromium()
    if path is None:
        pytest.skip("no Chromium: install Debian's package chromium, or name one with CHROMIUM")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path / "home", catalog()) as running:
        yield running
