from __future__ import annotations

import numpy as np
import pytest

from burnin.bank import cues


def column(texts: list[str], name: str) -> list[float]:
    return list(cues.dense(texts)[:, cues.names().index(name)])


FOUR = ["Prune the heads", "Prune the layers", "Prune the tokens of it", "A cache"]


def test_one_column_a_name() -> None:
    assert cues.dense(FOUR).shape == (4, len(cues.names()))
    assert len(set(cues.names())) == len(cues.names())


def test_length_and_its_place() -> None:
    assert column(FOUR, "length: longest") == [0, 0, 1, 0]
    assert column(FOUR, "length: shortest") == [0, 0, 0, 1]
    assert column(FOUR, "characters against siblings") == pytest.approx([-1 / 3, 1 / 3, 1, -1])


def test_equally_long_options_share_first_place() -> None:
    assert column(["abcd", "efgh", "ij", "k"], "length: longest") == [0.5, 0.5, 0, 0]


def test_figures_stand_in_order_only_where_all_options_have_one() -> None:
    figures = ["8 GB", "2e-5 of it", "1,120 ms", "64 GB"]
    assert column(figures, "figure: smallest") == [0, 1, 0, 0]
    assert column(figures, "figure: largest") == [0, 0, 1, 0]
    assert column(figures, "figure: distance from the middle") == [0.5, 1.5, 1.5, 0.5]
    assert column([*figures[:3], "more"], "figure: smallest") == [0, 0, 0, 0]
    assert column(["8 GB"] * 3 + ["8 MB"], "figure: largest") == [0, 0, 0, 0]


def test_the_odd_form_out() -> None:
    assert column(FOUR, "grammar: first word as siblings") == pytest.approx([2 / 3, 2 / 3, 2 / 3, 0])


def test_the_option_that_shares_most_with_the_others_is_the_centre() -> None:
    texts = [
        "prune heads after tuning",
        "prune layers after tuning",
        "prune heads before tuning",
        "prune heads after merging",
    ]
    assert column(texts, "closest to the centre") == [1, 0, 0, 0]
    assert column(texts, "words of its own")[0] == 0


def test_words_that_tell() -> None:
    texts = ["It usually fits", "It always fits", "It fits 16 GB", "It fits Triton"]
    assert column(texts, "hedges") == [1, 0, 0, 0]
    assert column(texts, "absolutes") == [0, 1, 0, 0]
    assert column(texts, "numerals") == [0, 0, 1, 0]
    assert column(texts, "product names") == [0, 0, 0, 1]


def test_a_cue_depends_on_the_set_of_options_and_not_on_their_order() -> None:
    order = [2, 0, 3, 1]
    np.testing.assert_allclose(cues.dense(FOUR)[order], cues.dense([FOUR[i] for i in order]))


def test_hashed_ngrams_are_unit_rows_and_equal_for_equal_words() -> None:
    rows = cues.hashed_ngrams(["Prune the heads", "prune  the **heads**", "a cache", ""])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 0])
    np.testing.assert_allclose(rows[0], rows[1])
    assert rows[0] @ rows[2] < 0.5


def test_odd_texts_do_no_harm() -> None:
    assert np.isfinite(cues.dense(["", "…", "1.2.3", "`x`", "42"])).all()
