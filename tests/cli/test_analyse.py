"""``burnin analyse`` end to end: the contract's keys and published figures."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.psychometrics import published
from tests.psychometrics.simulated import chosen, normal_table


def analyse(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "burnin.cli.main", "analyse", *map(str, arguments)],
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def found(*arguments: str | Path) -> dict[str, Any]:
    done = analyse(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return value


def save(path: Path, names: list[str], rows: list[list[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


ITEMS = [f"Q{j}" for j in range(1, 6)]


def lsat7(path: Path, *, counted: bool) -> list[str | Path]:
    if not counted:
        return [save(path, ITEMS, published.LSAT7.rows.tolist())]
    rows = [[*p, n] for p, n in zip(published.LSAT7.patterns.tolist(), published.LSAT7.counts, strict=True)]
    return [save(path, [*ITEMS, "freq"], rows), "--counts", "freq"]


@pytest.mark.parametrize("counted", [False, True])
def test_lsat7_from_rows_and_from_counts(tmp_path: Path, counted: bool) -> None:
    two = found(*lsat7(tmp_path / "t.csv", counted=counted))
    assert two["persons"] == 1000
    assert two["converged"] is True
    assert two["loglik"] == pytest.approx(published.LSAT7_TWO_PL["loglik"], abs=0.05)
    assert [i["id"] for i in two["items"]] == ITEMS
    assert [i["a"] for i in two["items"]] == pytest.approx(published.LSAT7_TWO_PL["a"], abs=0.01)
    assert [i["d"] for i in two["items"]] == pytest.approx(published.LSAT7_TWO_PL["d"], abs=0.01)
    assert [i["se_a"] for i in two["items"]] == pytest.approx(published.LSAT7_TWO_PL["se_a"], abs=0.005)
    assert [i["p"] for i in two["items"]] == pytest.approx([0.828, 0.658, 0.772, 0.606, 0.843])
    assert all(i["suspect_key"] is None for i in two["items"])
    assert {"id", "p", "item_rest_r", "a", "b", "se_a", "se_b", "suspect_key"} <= set(two["items"][0])
    one = found(*lsat7(tmp_path / "t.csv", counted=counted), "--model", "1pl")
    assert [i["a"] for i in one["items"]] == pytest.approx([published.LSAT7_ONE_PL["a"]] * 5, abs=0.01)
    assert one["loglik"] == pytest.approx(published.LSAT7_ONE_PL["loglik"], abs=0.05)
    three = found(*lsat7(tmp_path / "t.csv", counted=counted), "--model", "3pl")
    assert three["converged"] is True
    assert "Beta" in three["prior"]


def test_wrong_keys_from_chosen_options(tmp_path: Path) -> None:
    choices, true, stated, wrong = chosen(3, 600, 40, flipped=0.05, guess=0.2)
    names = [f"item {j}" for j in range(40)]
    letters = np.array(list("ABCD"))
    responses = save(tmp_path / "r.csv", names, letters[choices].tolist())
    key = save(
        tmp_path / "k.csv", ["item", "key"], [[n, letters[k]] for n, k in zip(names, stated, strict=True)]
    )
    items = found(responses, "--key", key)["items"]
    alarms = {j: i["suspect_key"] for j, i in enumerate(items) if i["suspect_key"]}
    assert set(alarms) == wrong
    for j, alarm in alarms.items():
        assert alarm["likely"] == letters[true[j]]
        assert repr(str(letters[stated[j]])) in alarm["why"]
    options = items[0]["options"]
    assert [o["id"] for o in options] == list("ABCD")
    assert sum(o["share"] for o in options) == pytest.approx(1.0)
    assert len(options[0]["by_score_group"]) == 5


def test_reversed_item_in_scored_answers(tmp_path: Path) -> None:
    rows = normal_table(4, 500, 10)[3]
    rows[:, 2] = 1 - rows[:, 2]
    items = found(save(tmp_path / "r.csv", [f"i{j}" for j in range(10)], rows.tolist()))["items"]
    assert [i["id"] for i in items if i["suspect_key"]] == ["i2"]
    assert items[2]["suspect_key"]["likely"] == "0"
    assert items[2]["a"] < 0
    assert "negative discrimination" in items[2]["note"]


def test_groups_anchors_and_abilities(tmp_path: Path) -> None:
    a, b, theta, rows = normal_table(5, 800, 12)
    table = [[*row, "w" if n % 2 else "m"] for n, row in enumerate(rows.tolist())]
    names = [f"i{j}" for j in range(12)]
    responses = save(tmp_path / "r.csv", [*names, "sex"], table)
    anchors = save(tmp_path / "a.csv", ["item", "a", "b"], [[names[j], a[j], b[j] + 1.0] for j in range(6)])
    value = found(responses, "--group", "sex", "--anchors", anchors, "--abilities")
    assert value["groups"] == {"reference": "m", "focal": "w"}
    assert all(i["dif"]["size"] in "ABC" for i in value["items"])
    # Anchors one unit up move everything one unit up.
    assert value["theta"]["mean"] == pytest.approx(1.0, abs=0.1)
    assert [i["b"] for i in value["items"][6:]] == pytest.approx(b[6:] + 1.0, abs=0.5)
    assert len(value["abilities"]) == 800
    assert np.corrcoef([p["theta"] for p in value["abilities"]], theta)[0, 1] > 0.75


def test_hard_tables_keep_what_can_be_said(tmp_path: Path) -> None:
    rows = normal_table(6, 200, 6)[3]
    rows[:, 0], rows[:, 1], rows[:, 5] = 1, 0, rows[:, 4]
    done = analyse(save(tmp_path / "r.csv", list("abcdef"), rows.tolist()), "--json")
    value = json.loads(done.stdout)
    by_id = {i["id"]: i for i in value["items"]}
    assert done.returncode == 0
    assert (by_id["a"]["p"], by_id["a"]["b"]) == (1.0, None)
    assert "everybody has it right" in by_id["a"]["note"]
    assert "everybody has it wrong" in by_id["b"]["note"]
    assert "columns 'e' and 'f' are identical" in done.stderr
    assert value["converged"] is False


def test_too_small_for_the_model(tmp_path: Path) -> None:
    value = found(save(tmp_path / "r.csv", ["a", "b"], [[1, 0], [0, 1], [1, 1]]))
    assert value["converged"] is False
    assert value["loglik"] is None
    assert "at least 3 items" in value["why"]
    assert [i["p"] for i in value["items"]] == pytest.approx([2 / 3, 2 / 3])


def test_text_for_people(tmp_path: Path) -> None:
    done = analyse(*lsat7(tmp_path / "t.csv", counted=True))
    assert done.returncode == 0
    assert "1000 people, 5 items" in done.stdout
    assert "Converged" in done.stdout


@pytest.mark.parametrize(
    ("content", "arguments", "says"),
    [
        ("a,b\n1,0\n1,B\n", [], "row 3, column 2 ('b')"),
        ("a,b\n1,0\n", ["--focal", "x"], "--focal needs --group"),
        ("a,b\n1,0\n", ["--key", "none.csv"], "no file 'none.csv'"),
        ("a,b\n1,0\n", ["--model", "4pl"], "4pl"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    tmp_path: Path, content: str, arguments: list[str], says: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    done = analyse(path, *arguments, "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("item,a,b\nz,1,0\n", "row 2, column 1 ('item'): the response table has no item 'z'"),
        ("item,a,b\na,x,0\n", "row 2, column 2 ('a'): 'x' is no parameter"),
        ("item,a,b\na,0,0\n", "slope other than 0"),
        ("item,a,b,c\na,1,0,1.5\n", "row 2, column 4 ('c')"),
        ("item,a\na,1\n", "no column 'b' for --anchors"),
    ],
)
def test_bad_anchors(tmp_path: Path, content: str, says: str) -> None:
    responses = save(tmp_path / "r.csv", ["a", "b"], [[1, 0], [0, 1]])
    anchors = tmp_path / "a.csv"
    anchors.write_text(content)
    done = analyse(responses, "--anchors", anchors)
    assert done.returncode == 2
    assert says in done.stderr
