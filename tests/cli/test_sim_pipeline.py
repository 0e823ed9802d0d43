import json
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from burnin.app.errors import BadRequest
from burnin.cli.main import burnin


def call(*arguments):
    return CliRunner().invoke(burnin, ["sim", "pipeline", *arguments], catch_exceptions=False)


def test_the_contract_prints_one_object():
    done = call("--schedule", "1f1b", "--stages", "4", "--micro-batches", "8", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["bubble_over_ideal"] == 3 / 8
    assert found["published"]["bubble_ms"] == found["bubble_ms"] == 9


def test_the_trace_is_a_chrome_trace(tmp_path):
    path = tmp_path / "trace.json"
    assert call("--schedule", "zb-v", "--trace", str(path), "--svg", str(tmp_path / "t.svg")).exit_code == 0
    events = json.loads(path.read_text())["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == 4 * 8 * 2 * 3
    assert ET.parse(tmp_path / "t.svg").getroot().get("role") == "img"


def test_people_see_the_timeline_the_table_and_the_sentence():
    said = call("--schedule", "zb-h1").stdout
    assert said.startswith("rank 0  F1-F2-F3-F4-·")
    assert "Idle (ms)" in said
    assert "Published: (p-1)(F+I-W) = 3 ms (arXiv 2401.10241, section 2.3)." in said


def test_all_schedules_side_by_side():
    found = json.loads(call("--schedule", "all", "--json").stdout)
    assert len(found["runs"]) == 8
    assert found["left_out"] == []
    text = call("--schedule", "all", "--stages", "3", "--micro-batches", "6")
    assert "0 % once full" in text.stdout
    assert "left out: DualPipe" in text.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--schedule", "none"], "no schedule 'none'"),
        (["--schedule", "all", "--chunks", "2"], "need a single --schedule"),
        (["--send-ms", "1,2"], "--send-ms takes one number"),
        (["--trace", "/nowhere/at/all.json"], "cannot be written"),
    ],
)
def test_wrong_use_is_one_message(arguments, said):
    with pytest.raises(BadRequest, match=said):
        call(*arguments)
