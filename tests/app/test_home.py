from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from burnin.app import home as homes
from burnin.app.errors import BadHome


def test_the_environment_names_the_folder_else_the_platform_does(tmp_path: Path) -> None:
    assert homes.find({"BURNIN_HOME": str(tmp_path)}) == tmp_path
    assert homes.find({"BURNIN_HOME": "~/exam"}) == Path.home() / "exam"
    assert homes.find({"BURNIN_HOME": "here"}) == Path.cwd() / "here"
    default = Path(platformdirs.user_data_dir("burnin", appauthor=False))
    assert homes.find({}) == homes.find({"BURNIN_HOME": " "}) == default


def test_the_folder_is_made_for_its_owner_only(tmp_path: Path) -> None:
    home = homes.ensure(tmp_path / "a" / "b")
    assert home.is_dir()
    if os.name == "posix":
        assert home.stat().st_mode & 0o077 == 0
    assert homes.ensure(home) == home


def test_a_file_in_its_place_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(BadHome, match=r"a file has that name.*BURNIN_HOME"):
        homes.ensure(file)
    with pytest.raises(BadHome, match="cannot be made"):
        homes.ensure(file / "below")


def test_the_database_lies_in_the_folder_unless_named(tmp_path: Path) -> None:
    assert homes.database(tmp_path, {}) == str(tmp_path / "burnin.sqlite3")
    assert homes.database(tmp_path, {"BURNIN_DATABASE": "postgresql://host/db"}) == "postgresql://host/db"
