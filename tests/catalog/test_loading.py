"""Built-in and own content as one catalogue; the compiled file and its files agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.catalog.compiling import COMPILED, compile_folder, pack, unpack
from burnin.catalog.loading import load

from .content import write


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_packing_and_unpacking_loses_nothing(tmp_path: Path) -> None:
    bundle, _ = compile_folder(write(tmp_path))
    assert unpack(pack(bundle)) == bundle


def test_the_compiled_file_is_used_while_it_matches_and_not_after_a_change(tmp_path: Path) -> None:
    folder = write(tmp_path / "content")
    bundle, _ = compile_folder(folder)
    (folder / COMPILED).write_bytes(pack(bundle))
    before = load(built_in=folder)
    assert before.version == bundle.stamp
    write(folder, items=("What is it?", "What is it now?"))
    after = load(built_in=folder)
    assert after.items["first-item"].stem == "What is it now?"
    assert after.version != before.version


def test_a_damaged_compiled_file_costs_time_and_nothing_else(tmp_path: Path) -> None:
    folder = write(tmp_path / "content")
    (folder / COMPILED).write_bytes(b"\x00rubbish")
    assert set(load(built_in=folder).items) == {"first-item", "second-item"}


def test_own_content_is_read_beside_the_built_in_one(tmp_path: Path) -> None:
    folder = write(tmp_path / "built-in")
    own = tmp_path / "home" / "content" / "items"
    own.mkdir(parents=True)
    text = (folder / "items" / "i.yaml").read_text(encoding="utf-8")
    (own / "mine.yaml").write_text(
        text.replace("first-item", "my-item").replace("second-item", "Bad Id"), encoding="utf-8"
    )
    catalog = load(tmp_path / "home", built_in=folder)
    assert set(catalog.items) == {"first-item", "second-item", "my-item"}
    assert [p.file for p in catalog.problems] == ["BURNIN_HOME/content/items/mine.yaml"]
    assert catalog.version != load(built_in=folder).version


def test_a_third_exam_dropped_in_as_data_can_be_asked(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home / "content")
    catalog = load(home)
    assert {"NCP-GENL", "NCA-GENM", "TST-ONE"} <= set(catalog.blueprints)
    assert [i.id for i in catalog.candidates(catalog.blueprints["TST-ONE"])] == ["first-item", "second-item"]


def test_the_newest_revision_of_an_exam_is_asked(tmp_path: Path) -> None:
    folder = write(tmp_path)
    text = (folder / "exams" / "tst-one.yaml").read_text(encoding="utf-8")
    newer = text.replace("2026-01-01", "2026-06-01").replace("minutes: 30", "minutes: 45")
    (folder / "exams" / "a-newer.yaml").write_text(newer, encoding="utf-8")
    catalog = load(built_in=folder)
    assert catalog.blueprints["TST-ONE"].minutes == 45
    assert [b.as_of for b in catalog.revisions] == ["2026-01-01", "2026-06-01"]


def test_what_is_named_like_a_file_and_is_none_is_told(tmp_path: Path) -> None:
    built_in, home = write(tmp_path / "built-in"), tmp_path / "home"
    (home / "content" / "items" / "folder.yaml").mkdir(parents=True)
    (home / "content" / "items" / "dangling.yaml").symlink_to(tmp_path / "nowhere")
    catalog = load(home, built_in=built_in)
    assert [p.file for p in catalog.problems] == [
        "BURNIN_HOME/content/items/dangling.yaml",
        "BURNIN_HOME/content/items/folder.yaml",
    ]
    assert all(p.message.startswith("cannot be read") for p in catalog.problems)
    assert set(catalog.items) == {"first-item", "second-item"}
