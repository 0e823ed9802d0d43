"""Words of computed questions as content: read, checked, and usable from a home folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.app.inspect.computed import computed, stats
from burnin.catalog import load
from burnin.catalog.compiling import compile_folder

from .content import line_of, write

WORDS = """\
schema: 1
generators:
- id: my-states
  sum: memory-zero-gb
  exam: TST-ONE
  objective: alpha/one
  focus: [alpha/sharp]
  official: "1.1"
  stems: ["{billions}B parameters, ZeRO stage {zero}, {gpus} GPUs: how much on each?"]
  option: "{value} GB"
  reason: "{weights_gb} + {gradients_gb} + {states_gb} = {value} GB."
  slips:
  - misconception: sharding-ignored
    reason: "All {all_gb} GB."
    flip: {knob: zero, text: "Right at stage {at}."}
  - {misconception: zero-shards-everything, reason: "{all_gb} / {gpus}."}
  - {misconception: states-are-weights-only, reason: "Weights alone."}
  - {misconception: optimizer-states-forgotten, reason: "Without Adam."}
  - {misconception: bf16-counted-as-fp32, reason: "Four bytes each."}
  sources: [{source: paper-one, locator: somewhere}]
  as_of: 2026-01-01
"""


def home_with(folder: Path, words: str) -> Path:
    write(folder / "content")
    path = folder / "content" / "generators" / "mine.yaml"
    path.parent.mkdir()
    path.write_text(words, encoding="utf-8")
    return folder


def test_own_words_work_without_a_line_of_code(tmp_path: Path) -> None:
    catalog = load(home_with(tmp_path, WORDS))
    assert catalog.problems == ()
    item = computed(catalog, "my-states-5")
    assert item is not None
    assert item.exam == "TST-ONE"
    assert item.key == {"computed"}
    assert stats(catalog)["exams"]["TST-ONE"]["domains"]["alpha"]["generators"] == 1
    assert computed(catalog, "my-states") is None
    assert computed(catalog, "my-states-x") is None
    assert computed(catalog, "first-item") is None


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        ("TST-ONE", "TST-TWO", "generators[0].exam", "no such exam"),
        ("alpha/one", "alpha/none", "generators[0].objective", "no objective 'none'"),
        ("alpha/sharp", "alpha/blunt", "generators[0].focus[0]", "no focus point 'blunt'"),
        ('"1.1"', '"9.9"', "generators[0].official", "no official objective 9.9"),
        ("paper-one", "paper-two", "generators[0].sources[0].source", "no source 'paper-two'"),
        ("sharding-ignored", "unheard", "generators[0].slips[0].misconception", "no misconception 'unheard'"),
        (
            "sharding-ignored",
            "zero-shards-everything",
            "generators[0].slips[1].misconception",
            "stands twice",
        ),
        ("knob: zero", "knob: Zero 3", "generators[0].slips[0].flip.knob", "must be the name of a number"),
        ("option:", "options:", "generators[0].options", "unknown field"),
    ],
)
def test_faults_name_file_line_and_field(
    tmp_path: Path, old: str, new: str, field: str, message: str
) -> None:
    catalog = load(home_with(tmp_path, WORDS.replace(old, new, 1)))
    assert "my-states" not in catalog.generators
    (problem,) = catalog.problems
    assert problem.file == "BURNIN_HOME/content/generators/mine.yaml"
    assert problem.field == field
    assert message in problem.message
    assert problem.line > 2


def test_words_without_their_sum_are_not_counted(tmp_path: Path) -> None:
    catalog = load(home_with(tmp_path, WORDS.replace("memory-zero-gb", "not-yet-there")))
    assert "my-states" in catalog.generators
    assert stats(catalog)["exams"]["TST-ONE"]["generators"] == 0


def test_a_folder_of_its_own_needs_its_own_misconceptions(tmp_path: Path) -> None:
    folder = home_with(tmp_path, WORDS) / "content"
    bundle, problems = compile_folder(folder)
    assert bundle.generators == ()
    assert {p.line for p in problems} >= {line_of(folder, "generators/mine.yaml", "sharding-ignored")}
