from __future__ import annotations

import pytest

from burnin.cli.output import table


def test_an_id_stands_whole_at_eighty_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    day = "2026-12-07 09:38"
    columns = ["Id", "Exam", "Conditions", "Questions", "Started", "Phase", "Score", "Counts"]
    table("T", columns, [["9a87f05e9d955d8a", "NCP-GENL", "exam", "65", day, "submitted", "71 %", "yes"]])
    assert "9a87f05e9d955d8a " in capsys.readouterr().out
