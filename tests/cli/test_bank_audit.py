from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from burnin.cli.bank import bank


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNIN_HOME", str(tmp_path))


def test_json_holds_the_contract_and_the_exit_status_says_passed() -> None:
    run = CliRunner().invoke(bank, ["audit", "--json"])
    measured = json.loads(run.stdout)
    assert run.exit_code == (0 if measured["passed"] else 1)
    assert set(measured["longest_correct"]) == {"rate", "chance", "lower95"}
    assert set(measured["options_only"]) == {"accuracy", "chance", "lower95"}
    assert set(measured["brand"]) == {"correct", "wrong", "lower95"}
    assert measured["items"] > 0
    assert isinstance(measured["stem_leak"], list)
    assert isinstance(measured["near_duplicates"], list)


def test_why_names_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    from burnin.app import inspect

    measured = inspect.audit(inspect.load(None))
    monkeypatch.setattr(inspect, "audit", lambda _: {**measured, "passed": True})
    run = CliRunner().invoke(bank, ["audit", "--why"])
    assert run.exit_code == 0
    assert "Guesser sees options" in run.stdout
    for entry in measured["details"]["longest_correct"]:
        assert entry["item"] in run.stdout
