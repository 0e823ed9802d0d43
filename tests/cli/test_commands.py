"""The contracts of the command line: JSON keys, exit statuses, one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def burnin(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "burnin.cli.main", *arguments],
        env={**os.environ, "BURNIN_HOME": str(home), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def object_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return value


def test_exams(tmp_path: Path) -> None:
    done = burnin(tmp_path, "exams", "--json")
    assert done.returncode == 0
    exams = {e["code"]: e for e in object_of(done)["exams"]}
    assert exams["NCP-GENL"]["minutes"] == 120
    assert exams["NCA-GENM"]["minutes"] == 60
    assert sum(d["weight"] for d in exams["NCP-GENL"]["domains"]) == 100
    assert {"id", "weight", "objectives", "focus", "traps", "official"} <= set(
        exams["NCP-GENL"]["domains"][0]
    )
    optimisation = exams["NCP-GENL"]["domains"][0]
    assert optimisation["official"] == ["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"]


def test_bank_stats_meets_the_first_bank(tmp_path: Path) -> None:
    done = burnin(tmp_path, "bank", "stats", "--json")
    assert done.returncode == 0
    stats = object_of(done)
    assert stats["items_static"] >= 170
    domains = [d for e in stats["exams"].values() for d in e["domains"].values()]
    assert len(domains) == 17
    assert min(d["items_static"] for d in domains) >= 8
    assert sum(e["scenario"] for e in stats["exams"].values()) * 2 >= stats["items_static"]
    professional = stats["exams"]["NCP-GENL"]
    assert professional["multiple"] * 4 >= professional["items_static"]
    for domain in domains:
        assert sum(domain["objectives"].values()) == domain["items_static"]
        assert sum(domain["official"].values()) == domain["items_static"]


def test_bank_stats_count_generators_and_show_makes_one(tmp_path: Path) -> None:
    stats = object_of(burnin(tmp_path, "bank", "stats", "--json"))
    exams = stats["exams"].values()
    assert stats["generators"] == sum(exam["generators"] for exam in exams) >= 12
    assert stats["generators"] == sum(d["generators"] for e in exams for d in e["domains"].values())
    first, second = (
        object_of(burnin(tmp_path, "bank", "show", "calc-zero-gb-3", "--key", "--json")) for _ in range(2)
    )
    assert first == second
    assert len(first["items"][0]["key"]) == 1


def test_bank_check_of_the_built_in_content_passes(tmp_path: Path) -> None:
    done = burnin(tmp_path, "bank", "check", "--json")
    assert done.returncode == 0, done.stdout
    assert object_of(done)["problems"] == []


def test_a_failed_check_exits_with_1_and_still_prints_its_json(tmp_path: Path) -> None:
    items = tmp_path / "content" / "items"
    items.mkdir(parents=True)
    (items / "mine.yaml").write_text("schema: 1\nitems:\n- id: x\n", encoding="utf-8")
    done = burnin(tmp_path, "bank", "check", "--json")
    assert done.returncode == 1
    value = object_of(done)
    assert value["passed"] is False
    assert value["problems"][0]["file"] == "BURNIN_HOME/content/items/mine.yaml"
    assert value["problems"][0]["line"] == 3


def test_sample_and_show_hold_back_the_key_unless_asked(tmp_path: Path) -> None:
    without = object_of(
        burnin(tmp_path, "bank", "sample", "--exam", "NCP-GENL", "-n", "12", "--seed", "4", "--json")
    )
    withkey = object_of(
        burnin(tmp_path, "bank", "sample", "--exam", "NCP-GENL", "-n", "12", "--seed", "4", "--json", "--key")
    )
    assert len(without["items"]) == 12
    assert [i["id"] for i in without["items"]] == [i["id"] for i in withkey["items"]]
    for bare, full in zip(without["items"], withkey["items"], strict=True):
        assert [o["id"] for o in bare["options"]] == [o["id"] for o in full["options"]]
        assert not {"key", "sources"} & set(bare)
        assert all(set(o) == {"id", "text"} for o in bare["options"])
        assert len(full["key"]) == full["choose"] == bare["choose"]
        assert all(o["reason"] for o in full["options"])
    one = object_of(burnin(tmp_path, "bank", "show", without["items"][0]["id"], "--json"))
    assert one["items"][0]["stem"] == without["items"][0]["stem"]


def test_exam_new_is_the_same_for_the_same_seed_and_exact_in_its_quotas(tmp_path: Path) -> None:
    first = object_of(burnin(tmp_path, "exam", "new", "NCP-GENL", "--seed", "7", "--json"))
    again = object_of(burnin(tmp_path, "exam", "new", "ncp-genl", "--seed", "7", "--json"))
    other = object_of(burnin(tmp_path, "exam", "new", "NCP-GENL", "--seed", "8", "--json"))
    assert first["form"] == again["form"] != other["form"]
    assert first["items"] == again["items"]
    assert len(first["items"]) == 65
    assert first["minutes"] == 120
    assert first["seconds_to_assemble"] > 0
    # 65 questions by weight, largest remainder, worked by hand.
    counts = {d: sum(i["domain"] == d for i in first["items"]) for d in {i["domain"] for i in first["items"]}}
    assert counts == {
        "model-optimization": 11,
        "gpu-acceleration": 9,
        "prompt-engineering": 8,
        "fine-tuning": 8,
        "data-preparation": 6,
        "model-deployment": 6,
        "evaluation": 5,
        "production-monitoring": 5,
        "llm-architecture": 4,
        "safety-compliance": 3,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["exams", "NCP-GENX"],
        ["bank", "show", "no-such-item"],
        ["bank", "sample", "--exam", "NCP-GENX"],
        ["bank", "sample", "--exam", "NCP-GENL", "-n", "0"],
        ["bank", "sample", "--exam", "NCP-GENL", "--domain", "nowhere"],
        ["bank", "check", "/no/such/folder"],
        ["exam", "new", "NCP-GENX"],
        ["exam", "new", "NCP-GENL", "--size", "5000"],
        ["exam", "new", "NCP-GENL", "--seed", "many"],
        ["exam", "sit"],
        ["exam", "sit", "--resume", "last"],
        ["exam", "sit", "--resume", "no-such-sitting"],
        ["exam", "result", "no-such-sitting"],
        ["exam", "result", "last"],
        ["serve", "--port", "99999"],
    ],
    ids=" ".join,
)
def test_wrong_use_exits_with_2_and_one_clear_message(tmp_path: Path, arguments: list[str]) -> None:
    done = burnin(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_a_data_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("not a folder", encoding="utf-8")
    done = burnin(home, "exam", "list")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(home) in done.stderr


def test_help_lists_every_command_and_imports_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom burnin.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'sqlalchemy', 'alembic', 'starlette', 'uvicorn', 'numpy', 'rich', 'yaml', 'msgspec', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    for command in ("serve", "exams", "exam", "bank", "faults"):
        assert f"  {command} " in done.stdout


def test_a_diagnostic_answered_by_do_not_know_orders_the_domains(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "burnin.cli.main", "diagnose", "NCA-GENM", "--seed", "2", "--json"],
        env={**os.environ, "BURNIN_HOME": str(tmp_path)},
        input="\n" * 20,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = object_of(done)
    assert 10 <= found["asked"] <= 15
    assert found["right"] == 0
    assert len(found["domains"]) == 7
    again = burnin(tmp_path, "diagnose", "--result", found["sitting"], "--json")
    assert object_of(again) == found


def test_practice_says_how_many_questions_are_meant(tmp_path: Path) -> None:
    done = burnin(tmp_path, "practice", "NCP-GENL", "--domain", "evaluation", "--unseen", "--list", "--json")
    found = object_of(done)
    assert found["items"] == found["domains"]["evaluation"] >= 8
    assert sum(found["domains"].values()) == found["items"]
    assert burnin(tmp_path, "practice", "NCP-GENL", "--domain", "cooking", "--list").returncode == 2
    assert burnin(tmp_path, "practice").returncode == 2


def test_a_sitting_in_the_terminal_is_reported_and_exported(tmp_path: Path) -> None:
    typed = "1\nsure\nn\n2\nguess\ns\nyes\n"
    sat = subprocess.run(
        [sys.executable, "-m", "burnin.cli.main", "practice", "NCP-GENL", "--count", "4", "--timed"],
        env={**os.environ, "BURNIN_HOME": str(tmp_path), "NO_COLOR": "1"},
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert sat.returncode == 0, sat.stderr
    assert "Saved: sure" in sat.stdout
    table = tmp_path / "sitting.csv"
    done = burnin(tmp_path, "exam", "report", "last", "--json", "--csv", str(table))
    assert done.returncode == 0, done.stderr
    found = object_of(done)
    assert {group["id"] for group in found["confidence"]} == {"sure", "guess"}
    assert found["unrated"] == 2
    assert sum(len(items) for items in found["errors"].values()) == 4 - found["earned"]
    assert len(found["items"]) == len(table.read_text(encoding="utf-8").splitlines()) - 1 == 4
    assert found["trend"][0]["doubts"] == ["practice", "short"]
    assert all(action["command"].startswith("burnin practice NCP-GENL") for action in found["actions"])
    text = burnin(tmp_path, "exam", "report", "last")
    assert "Next:" in text.stdout
    assert "Sittings so far" in text.stdout
    assert burnin(tmp_path, "exam", "report", "last", "--csv", str(tmp_path)).returncode == 2
