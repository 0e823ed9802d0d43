"""Candidates kept on disk give the same questions, and nothing found there can do harm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from burnin.app import computing
from burnin.catalog import load
from burnin.domain.generator import GeneratorWords
from burnin.itemgen import choosing, make


@pytest.fixture
def words() -> GeneratorWords:
    return load().generators["calc-kv-cache-gib"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path)
    computing.candidates.cache_clear()
    yield tmp_path / "computed"
    computing.candidates.cache_clear()


def test_a_question_from_the_folder_is_the_one_worked_out(folder: Path, words: GeneratorWords) -> None:
    plain = make(words, 5)
    assert computing.computed(words, 5) == plain
    (kept,) = folder.iterdir()
    computing.candidates.cache_clear()
    choosing.groups.cache_clear()
    assert computing.candidates(words) == choosing.groups(words)
    assert computing.computed(words, 5) == plain
    assert list(folder.iterdir()) == [kept]


def test_the_folder_is_used_without_working_out_again(
    folder: Path, words: GeneratorWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = computing.computed(words, 5)
    computing.candidates.cache_clear()

    def refuse(_: GeneratorWords) -> choosing.Groups:
        raise AssertionError("worked out again")

    monkeypatch.setattr(computing, "groups", refuse)
    assert computing.computed(words, 5) == plain


@pytest.mark.parametrize(
    "damage", [b"", b"\xc1", b"\x93\x01\x02\x03", b"\x91\x91\x91\x90", b"\x91\x91\x91\x01"]
)
def test_what_is_damaged_is_worked_out_again(folder: Path, words: GeneratorWords, damage: bytes) -> None:
    plain = computing.computed(words, 5)
    (kept,) = folder.iterdir()
    sound = kept.read_bytes()
    kept.write_bytes(damage)
    computing.candidates.cache_clear()
    assert computing.computed(words, 5) == plain
    assert kept.read_bytes() == sound


def test_other_words_take_the_place_of_the_old(folder: Path, words: GeneratorWords) -> None:
    computing.computed(words, 5)
    (old,) = folder.iterdir()
    computing.computed(replace(words, version=words.version + 1), 5)
    (new,) = folder.iterdir()
    assert new != old


def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, words: GeneratorWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder", encoding="utf-8")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: in_the_way)
    computing.candidates.cache_clear()
    assert computing.computed(words, 5) == make(words, 5)
    computing.candidates.cache_clear()
