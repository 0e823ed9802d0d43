"""``burnin drill``: every drill can be taken from the terminal, and guessing rarely passes."""

from __future__ import annotations

import itertools
from pathlib import Path

from burnin.app.drill import Drills
from burnin.catalog import load
from burnin.drills.faults import FAULTS
from tests.cli.test_commands import burnin, object_of


def test_all_faults_have_a_drill_and_the_list_does_not_name_them(tmp_path: Path) -> None:
    found = object_of(burnin(tmp_path, "drill", "list", "--json"))["drills"]
    assert {one["id"] for one in found} == {f"broke-{fault}" for fault in FAULTS}
    words = burnin(tmp_path, "drill", "list").stdout
    assert not any(fault in words for fault in FAULTS)


def test_a_drill_is_shown_answered_and_explained(tmp_path: Path) -> None:
    shown = object_of(burnin(tmp_path, "drill", "show", "1", "--seed", "7", "--json"))
    assert len(shown["panels"]) == 18
    assert (len(shown["faults"]), len(shown["measures"])) == (len(FAULTS), len(FAULTS))
    assert "KV cache used" in burnin(tmp_path, "drill", "show", "1", "--seed", "7").stdout
    told = object_of(burnin(tmp_path, "drill", "answer", "1", "--fault", "1", "--measure", "1", "--json"))
    fault = shown["faults"].index(told["fault"]) + 1
    measure = shown["measures"].index(told["measure"]) + 1
    right = burnin(tmp_path, "drill", "answer", "1", "--fault", str(fault), "--measure", str(measure))
    assert right.returncode == 0
    assert "Found." in right.stdout
    half = burnin(tmp_path, "drill", "answer", "1", "--fault", str(fault), "--measure", str(measure % 12 + 1))
    assert half.returncode == 1
    assert "you said otherwise" in half.stdout


def test_one_answer_of_all_passes() -> None:
    drills = Drills(load())
    pairs = itertools.product(range(1, len(FAULTS) + 1), repeat=2)
    passed = [drills.judge("broke-kv-leak", 1, fault=f, measure=m).passed for f, m in pairs]
    assert passed.count(True) == 1


def test_numbers_that_are_not_there_are_refused(tmp_path: Path) -> None:
    for wrong in (("show", "99"), ("answer", "1", "--fault", "0", "--measure", "1"), ("show", "0")):
        done = burnin(tmp_path, "drill", *wrong)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
