"""Broken content is told with file, line and field, and the rest still loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.catalog.compiling import Bundle, compile_folder
from burnin.catalog.problem import Problem

from .content import FILES, line_of, write

# (what is broken, file, old text, new text, field, text on the line that must be named, words of the message)
BROKEN = [
    ("misspelt field", "items", "  focus: [alpha/sharp]", "  focsu: [alpha/sharp]", "items[0].focsu", "focsu", "unknown field"),
    ("missing stem", "items", "  stem: Which two?\n", "", "items[1].stem", "- id: second-item", "required field is missing"),
    ("empty option text", "items", "text: It is that", 'text: " "', "items[0].options[1].text", 'text: " "', "empty"),
    ("no right option", "items", "    correct: true\n", "", "items[0].options", "  options:", "needs 1 right"),
    ("too many right options", "items", "    reason: It is not last.", "    reason: It is not last.\n    correct: true", "items[0].options", "  options:", "needs 1 right"),
    ("too few options", "items", "  - {id: e, text: The e, reason: Is not so.}\n", "", "items[1].options", "", "takes 5 or 6"),
    ("option id twice", "items", "- id: other", "- id: mistaken", "items[0].options[2].id", "", "stands twice"),
    ("option text twice", "items", "text: It is other", "text: it is  THAT", "items[0].options[2].text", "it is  THAT", "same text"),
    ("unknown exam", "items", "exam: TST-ONE", "exam: TST-TWO", "items[0].exam", "TST-TWO", "no such exam"),
    ("unknown objective", "items", "objective: alpha/one", "objective: alpha/none", "items[0].objective", "alpha/none", "has no objective"),
    ("unknown domain", "items", "objective: alpha/one", "objective: gamma/one", "items[0].objective", "gamma/one", "no domain"),
    ("unknown focus point", "items", "[alpha/sharp]", "[alpha/blunt]", "items[0].focus[0]", "alpha/blunt", "no focus point"),
    ("unknown official number", "items", 'official: "1.1"', 'official: "2.1"', "items[0].official", 'official: "2.1"', "no official objective"),
    ("official as a number", "items", 'official: "1.1"', "official: 1.1", "items[0].official", "official: 1.1", "expected `str`"),
    ("unknown misconception", "items", "misconception: mistake", "misconception: none-such", "items[0].options[1].misconception", "none-such", "no misconception"),
    ("flip on a right option", "items", "    reason: Because it is.", "    reason: Because it is.\n    flip: Never.", "items[0].options[0].flip", "flip: Never", "wrong option"),
    ("unknown source", "items", "source: paper-one", "source: paper-two", "items[0].sources[0].source", "paper-two", "no source"),
    ("no source", "items", "  sources: [{source: paper-one, locator: table 2}]", "  sources: []", "items[1].sources", "sources: []", "length"),
    ("unknown exhibit", "items", "exhibit: a-table", "exhibit: a-picture", "items[0].exhibit", "a-picture", "no exhibit"),
    ("bad date", "items", "as_of: 2026-01-01", "as_of: yesterday", "items[0].as_of", "yesterday", "date"),
    ("item id twice", "items", "- id: second-item", "- id: first-item", "items[1].id", "", "stands already"),
    ("bad id", "items", "- id: second-item", "- id: Second Item", "items[1].id", "Second Item", "lower-case id"),
    ("choose out of range", "items", "choose: 2", "choose: 4", "items[1].choose", "choose: 4", "<= 3"),
    ("stranger as enemy", "items", "  choose: 2", "  choose: 2\n  enemies: [nobody]", "items[1].enemies", "nobody", "no item"),
    ("ragged table", "exhibits", "[b, 2.5]", "[b]", "exhibits[0].rows[1]", "rows:", "1 cells under 2"),
    ("chart of unequal length", "exhibits", "values: [2.0, 1.0]", "values: [2.0]", "exhibits[1].series[0].values", "series:", "1 values for 2"),
    ("chart without words", "exhibits", "  summary: Loss falls.\n", "", "exhibits[1].summary", "- id: a-chart", "summary"),
    ("term of an unknown source", "glossary", "source: paper-one", "source: paper-two", "glossary[0].sources[0].source", "paper-two", "no source"),
    ("term confused with itself", "glossary", "term: another term", "term: a-term", "glossary[0].confused_with[0].term", "a-term, difference", "itself"),
    ("term confused with nothing", "glossary", "[{term: another term, difference: It is older.}]", "[]", "glossary[0].confused_with", "confused_with", "length"),
    ("concept of an unknown objective", "concepts", "[alpha/one]", "[alpha/ten]", "concepts[0].objectives[0]", "alpha/ten", "no objective"),
    ("concept asked by a stranger", "concepts", "[first-item]", "[tenth-item]", "concepts[0].items[0]", "tenth-item", "no item or generator"),
    ("concept of an unknown exam", "concepts", "exam: TST-ONE", "exam: TST-TWO", "concepts[0].exam", "TST-TWO", "no such exam"),
    ("not https", "sources", "https://example.org", "http://example.org", "sources[0].url", "http://", "https"),
    ("wrong schema", "sources", "schema: 1", "schema: 2", "schema", "schema: 2", "invalid"),
    ("weights as words", "exams", "weight: 60", "weight: much", "domains[0].weight", "weight: much", "expected `int`"),
    ("domain twice", "exams", "- id: beta", "- id: alpha", "domains[1].id", "", "stands twice"),
    ("shares do not add up", "exams", "single: 0.75", "single: 0.5", "formats", "formats:", "add up"),
    ("a key twice", "misconceptions", "  why: Why it is believed.", "  belief: Again.", "", "belief: Again", "stands twice"),
    ("not YAML", "misconceptions", "schema: 1", "schema: [1", "", "", "not valid YAML"),
]  # fmt: skip
TEXTS = {name.partition("/")[0]: name for name in FILES}


@pytest.mark.parametrize(
    ("what", "kind", "old", "new", "field", "on_line", "words"), BROKEN, ids=[b[0] for b in BROKEN]
)
def test_broken_content_names_file_line_and_field(
    tmp_path: Path, what: str, kind: str, old: str, new: str, field: str, on_line: str, words: str
) -> None:
    folder = write(tmp_path, **{kind: (old, new)})
    _, problems = compile_folder(folder)
    name = TEXTS[kind]
    mine = [p for p in problems if p.file == name and p.field == field and words in p.message]
    assert mine, f"{what}: {[str(p) for p in problems]}"
    assert mine[0].line >= 1
    if on_line:
        assert mine[0].line == line_of(folder, name, on_line)


def test_there_are_twenty_kinds_of_broken_content() -> None:
    assert len({b[0] for b in BROKEN}) >= 20


def test_a_sound_folder_has_no_problems(tmp_path: Path) -> None:
    bundle, problems = compile_folder(write(tmp_path))
    assert problems == []
    assert [i.id for i in bundle.items] == ["first-item", "second-item"]
    assert bundle.items[0].key == {"yes-it-is"}
    assert bundle.exhibits[0].rows == (("a", "1"), ("b", "2.5"))
    assert bundle.revisions[0].facts["price_usd"] == 1


def test_one_bad_item_does_not_stop_the_rest(tmp_path: Path) -> None:
    """Named after moodle-qtype_stack pull 1631: one bad item stopped the import of all others."""
    folder = write(tmp_path, items=("  stem: Which two?\n", ""))
    bundle, problems = compile_folder(folder)
    assert len(problems) == 1
    assert [i.id for i in bundle.items] == ["first-item"]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"schema: 1\nitems: &a [*a]\n", "anchor"),
        (b"a: &x {b: 1}\nc: *x\n", "anchors and aliases"),
        (b"!!python/object/apply:os.system ['true']\n", "not valid YAML"),
        (b"- just\n- a list\n", "must be a mapping"),
        (b"", "must be a mapping"),
        (b"x" * 4_000_001, "larger than"),
        (b"[" * 20_000, "not valid YAML"),
    ],
)
def test_rubbish_is_one_clear_message(tmp_path: Path, raw: bytes, words: str) -> None:
    folder = write(tmp_path)
    (folder / "items" / "rubbish.yaml").write_bytes(raw)
    bundle, problems = compile_folder(folder)
    assert len(bundle.items) == 2
    assert len(problems) == 1, [str(p) for p in problems]
    assert problems[0].file == "items/rubbish.yaml"


def test_a_file_in_no_content_folder_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "itmes").mkdir()
    (folder / "itmes" / "i.yaml").write_text("schema: 1\n", encoding="utf-8")
    _, problems = compile_folder(folder)
    assert [p.file for p in problems] == ["itmes/i.yaml"]


def test_own_content_may_not_redefine_what_is_known(tmp_path: Path) -> None:
    known, _ = compile_folder(write(tmp_path / "known"))
    own, problems = compile_folder(write(tmp_path / "own"), known=known, label="own/")
    assert own.items == ()
    assert (
        Problem(file="own/items/i.yaml", line=3, field="items[0].id", message="'first-item' is a built-in id")
        in problems
    )
    assert isinstance(own, Bundle)
