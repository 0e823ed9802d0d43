from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnin.app.clock import SystemClock
from burnin.app.errors import BadHome
from burnin.app.wiring import open_services
from tests.app.desk import begin, catalog


def test_services_open_on_a_fresh_folder_with_the_machines_own_clock(tmp_path: Path) -> None:
    services = open_services(tmp_path / "new", catalog=catalog())
    sitting = asyncio.run(begin(services))
    spec = services.store.sittings.get(sitting)
    assert abs(SystemClock().now().wall_ms - spec.created.wall_ms) < 60_000
    services.close()
    assert (tmp_path / "new" / "burnin.sqlite3").stat().st_size > 0


def test_the_built_in_content_is_loaded_where_none_is_given(tmp_path: Path) -> None:
    services = open_services(tmp_path)
    assert {"NCP-GENL", "NCA-GENM"} <= set(services.catalog.blueprints)
    services.close()


def test_a_folder_or_database_that_cannot_be_used_gives_one_message(tmp_path: Path) -> None:
    (tmp_path / "burnin.sqlite3").write_text("no database at all" * 100)
    with pytest.raises(BadHome, match="damaged") as caught:
        open_services(tmp_path, catalog=catalog())
    assert "\n" not in str(caught.value)
    with pytest.raises(BadHome, match="cannot be made"):
        open_services(tmp_path / "burnin.sqlite3", catalog=catalog())


def test_own_names_for_the_database_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNIN_DATABASE", str(tmp_path / "elsewhere.sqlite3"))
    open_services(tmp_path / "home", catalog=catalog()).close()
    assert (tmp_path / "elsewhere.sqlite3").exists()
    assert not (tmp_path / "home" / "burnin.sqlite3").exists()
