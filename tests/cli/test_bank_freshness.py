from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from burnin.cli.bank import bank


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNIN_HOME", str(tmp_path))


def test_every_item_has_a_day_of_check_and_no_limit_is_negative() -> None:
    run = CliRunner().invoke(bank, ["freshness", "--json"])
    found = json.loads(run.stdout)
    assert run.exit_code == 0
    assert sum(found["by_as_of"].values()) == found["items"] > 0
    refused = CliRunner().invoke(bank, ["freshness", "--older-than", "-1"])
    assert refused.exit_code == 2


def test_the_table_says_how_old_the_oldest_check_is() -> None:
    run = CliRunner().invoke(bank, ["freshness"])
    found = json.loads(CliRunner().invoke(bank, ["freshness", "--json"]).stdout)
    assert f"the oldest check is {found['oldest_days']} days old" in run.stdout
