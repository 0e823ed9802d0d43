"""``burnin readiness``, ``standing``, ``plan`` and ``result``."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.cli.test_commands import burnin, object_of

SAT = datetime.now(UTC).date() - timedelta(days=60)
LATER = (datetime.now(UTC).date() + timedelta(days=60)).isoformat()


def test_readiness_without_evidence_names_what_is_missing(tmp_path: Path) -> None:
    done = burnin(tmp_path, "readiness", "NCP-GENL", "--date", LATER, "--json")
    assert done.returncode == 0, done.stderr
    found = object_of(done)
    assert {
        "status",
        "missing",
        "p_pass",
        "interval",
        "pass_mark_percent",
        "date",
        "domains",
        "evidence",
    } <= set(found)
    assert (found["status"], found["p_pass"], found["date"]) == ("insufficient", None, LATER)
    assert {"id", "mean_percent", "interval", "lagging"} <= set(found["domains"][0])
    assert len(found["missing"]) == 10
    told = burnin(tmp_path, "readiness", "NCP-GENL")
    assert told.returncode == 0
    assert "Too little is known" in told.stdout


def test_a_plan_and_its_calendar(tmp_path: Path) -> None:
    sheet = tmp_path / "plan.ics"
    done = burnin(
        tmp_path, "plan", "NCP-GENL", "--exam-date", LATER, "--hours-per-week", "10",
        "--background", "most", "--ics", str(sheet), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = object_of(done)
    assert {"phases", "days", "feasible", "why"} <= set(found)
    assert len(found["phases"]) == 6
    assert {"date", "minutes", "tasks"} <= set(found["days"][0])
    assert sheet.read_bytes().count(b"BEGIN:VEVENT") == len(found["days"])


def test_lights_go_to_a_spreadsheet_with_own_ratings(tmp_path: Path) -> None:
    sheet = tmp_path / "lights.csv"
    done = burnin(tmp_path, "standing", "NCA-GENM", "--rate", "core-ml", "yellow", "--csv", str(sheet))
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    assert {row["kind"] for row in rows} == {"domains", "objectives", "focus"}
    (core,) = [row for row in rows if row["id"] == "core-ml"]
    assert (core["colour"], core["own"]) == ("none", "yellow")


def test_a_result_names_the_first_allowed_date(tmp_path: Path) -> None:
    done = burnin(
        tmp_path,
        "result",
        "NCP-GENL",
        "fail",
        "--date",
        SAT.isoformat(),
        "--domains",
        "evaluation=weak",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    found = object_of(done)
    assert (found["passed"], found["forecast"]) == (False, None)
    assert found["first_allowed_date"] == (SAT + timedelta(days=14)).isoformat()
    assert object_of(
        burnin(
            tmp_path, "result", "NCP-GENL", "pass", "--date", (SAT + timedelta(days=31)).isoformat(), "--json"
        )
    )["passed"]


def test_bad_input_is_one_line_and_status_two(tmp_path: Path) -> None:
    for arguments in (
        ("readiness", "NOPE"),
        ("readiness", "NCP-GENL", "--date", "soon"),
        ("readiness", "NCP-GENL", "--date", "2001-01-01"),
        ("readiness", "NCP-GENL", "--date", "9999-12-31"),
        ("plan", "NCP-GENL"),
        ("plan", "NCP-GENL", "--exam-date", "9999-12-31", "--hours-per-week", "5"),
        ("plan", "NCP-GENL", "--exam-date", LATER, "--hours-per-week", "1e-300"),
        ("result", "NCP-GENL", "pass", "--date", "9999-12-31"),
        ("result", "NCP-GENL", "pass", "--date", "1990-01-01"),
        ("plan", "NCP-GENL", "--exam-date", "2001-01-01", "--hours-per-week", "5"),
        ("plan", "NCP-GENL", "--exam-date", LATER, "--hours-per-week", "5", "--weekdays", "8"),
        ("result", "NCP-GENL", "maybe"),
        ("result", "NCP-GENL", "pass", "--domains", "evaluation"),
        ("standing", "NCP-GENL", "--rate", "nothing", "red"),
    ):
        done = burnin(tmp_path, *arguments)
        assert done.returncode == 2, arguments
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
