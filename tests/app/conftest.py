"""Services over a temporary data folder, a small bank and clocks that a test turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from burnin.app.wiring import Services
from tests.app.desk import HandClock, catalog, open_at


@pytest.fixture(autouse=True)
def no_outside_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BURNIN_HOME", raising=False)
    monkeypatch.delenv("BURNIN_DATABASE", raising=False)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def services(home: Path, clock: HandClock) -> Iterator[Services]:
    opened = open_at(home, clock, catalog())
    yield opened
    opened.close()
