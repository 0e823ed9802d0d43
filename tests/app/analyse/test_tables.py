"""Bad and odd CSV files: each ends in the right table, or in one sentence that says where."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from burnin.app.analyse.answers import read_answers, read_key
from burnin.app.analyse.tables import read
from burnin.app.errors import BadRequest


def write(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


GOOD = [("Frage ä", "問題2"), [("1", "0"), ("0", "1")]]


@pytest.mark.parametrize(
    "content",
    [
        "Frage ä,問題2\n1,0\n0,1\n",
        "Frage ä,問題2\r\n1,0\r\n0,1",
        "\ufeffFrage ä;問題2\n1;0\n0;1\n",
        "Frage ä\t問題2\n1\t0\n0\t1\n",
        "sep=;\nFrage ä;問題2\n1;0\n0;1\n",
        "Frage ä , 問題2\n 1 ,0\n\n0, 1\n\n",
        '"Frage ä","問題2"\n"1","0"\n"0","1"\n',
        "Frage ä,問題2,\n1,0,\n0,1,\n",
        "Frage ä\t問題2\n1\t0\n0\t1\n".encode("utf-16"),
    ],
)
def test_reads(tmp_path: Path, content: str | bytes) -> None:
    table = read(write(tmp_path, content))
    assert [table.names, list(table.rows)] == GOOD


def test_a_separator_inside_quotes_is_text(tmp_path: Path) -> None:
    table = read(write(tmp_path, '"one, two; three","b"\n"1","0"\n'))
    assert table.names == ("one, two; three", "b")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "t.csv is empty"),
        ("\n\n", "t.csv is empty"),
        ("a,b\n", "no row below"),
        ("0,1\n1,1\n", "row 1: the first row must name the columns"),
        ("a,,c\n1,0,1\n", "row 1, column 2: the column has no name"),
        ("a,b,a\n1,0,1\n", "row 1, column 3: the name 'a' stands in column 1 too"),
        ("a,b\n1,0\n1\n", "row 3, column 2 ('b'): the row has 1 cells, the header has 2"),
        ("a,b\n1,0\n\n1,0,1\n", "row 4, column 3: the row has 3 cells, the header has 2"),
        ('a,b\n1,"0\n1,1\n', "never closed"),
        ('a,b\n"1"x,0\n', "row 2: text follows a closing quotation mark"),
        (b"a,b\n1,0\n1,\xe9\n", "row 3, column 2: not UTF-8"),
        (b"a,b\n1,\x000\n", "NUL"),
    ],
)
def test_says_where(tmp_path: Path, content: str | bytes, says: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read_answers(write(tmp_path, content))
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no file"):
        read(tmp_path / "none.csv")
    with pytest.raises(BadRequest, match="cannot read"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("a,b\n1,0\n1,B\n", {}, "row 3, column 2 ('b'): 'B' is neither 0 nor 1 nor empty"),
        ("a,b\n1,2\n", {}, "row 2, column 2 ('b'): '2' is neither"),
        ("a,b\n1,-1\n", {}, "row 2, column 2 ('b'): '-1' is neither"),
        ("a,n\n1,2\n0,x\n", {"counts": "n"}, "row 3, column 2 ('n'): 'x' is no count"),
        ("a,n\n1,2\n0,-1\n", {"counts": "n"}, "row 3, column 2 ('n'): '-1' is no count"),
        ("a,n\n1,1.5\n", {"counts": "n"}, "'1.5' is no count"),
        ("a,n\n1,\n", {"counts": "n"}, "'' is no count"),
        ("a,n\n1,nan\n", {"counts": "n"}, "'nan' is no count"),
        ("a,n\n1,0\n0,0\n", {"counts": "n"}, "all zero"),
        ("a,b\n1,0\n", {"counts": "n"}, "no column 'n' for --counts; the columns are 'a', 'b'"),
        ("a,b\n1,0\n", {"ignore": ("z",)}, "no column 'z' for --ignore"),
        ("n\n1\n", {"counts": "n"}, "no item column left"),
        ("a,b\n,\nNA,\n", {}, "holds no answer"),
        ("a,g\n1,x\n0,y\n1,z\n", {"group": "g"}, "column 'g' holds 3 groups"),
        ("a,g\n1,x\n0,x\n", {"group": "g"}, "column 'g' holds 1 groups"),
        ("a,g\n1,x\n0,y\n", {"group": "g", "focal": "q"}, "nobody in column 'g' is 'q'"),
        ("a,g\n1,x\n0,x\n", {"group": "g", "focal": "x"}, "two groups are needed"),
    ],
)
def test_cells_that_do_not_fit(tmp_path: Path, content: str, options: dict, says: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read_answers(write(tmp_path, content), **options)
    assert says in str(refusal.value)


def test_missing_answers_in_every_spelling(tmp_path: Path) -> None:
    found = read_answers(write(tmp_path, "a,b,c\n1,,0\nNA,1,n/a\n.,NaN,1.0\nTRUE,false,\n,,\n"))
    assert found.choices.tolist() == [[1, -1, 0], [-1, 1, -1], [-1, -1, 1], [1, 0, -1]]
    assert found.empty_rows == 1
    assert found.rows == (2, 3, 4, 5)


def test_blank_may_count_as_wrong(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b\n1,\n0,1\n,\n")
    assert read_answers(path, blank_is_wrong=True).choices.tolist() == [[1, 0], [0, 1]]
    chosen = write(tmp_path, "a,b\nX,\nY,Z\n", "c.csv")
    key = write(tmp_path, "item,key\na,X\nb,Z\n", "k.csv")
    found = read_answers(chosen, key=key, blank_is_wrong=True)
    assert found.options == (("X", "Y"), ("Z", "(blank)"))
    assert found.choices.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    "key",
    ["item,key\nb,D\na,A\n", "a,b\nA,D\n", "a;A\nb;D\n", "Nr,Answer,Item\n1,A,a\n2,D,b\n"],
)
def test_forms_of_a_key(tmp_path: Path, key: str) -> None:
    assert read_key(write(tmp_path, key), ("a", "b")) == {"a": ["A"], "b": ["D"]}


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("item,key\na,A\n", "no key for 'b'"),
        ("item,key\na,A\nb,B\nz,C\n", "row 4: the response table has no item 'z'"),
        ("item,key\na,A\na,B\nb,B\n", "row 3: item 'a' has a key already"),
        ("item,key\na,\nb,B\n", "row 2: the key of item 'a' is empty"),
        ("key\nA\nB\n", "two columns"),
        ("item,key\na,Q\nb,Q\n", "no answer in any column equals its key"),
    ],
)
def test_keys_that_do_not_fit(tmp_path: Path, key: str, says: str) -> None:
    responses = write(tmp_path, "a,b\nA,B\nB,A\n")
    with pytest.raises(BadRequest) as refusal:
        read_answers(responses, key=write(tmp_path, key, "k.csv"))
    assert says in str(refusal.value)


def test_choices_ignore_case_and_keep_their_first_spelling(tmp_path: Path) -> None:
    responses = write(tmp_path, "a,b\nA,1\na,2.0\nc,2\n")
    found = read_answers(responses, key=write(tmp_path, "item,key\na,a\nb,1|2\n", "k.csv"))
    assert found.options == (("a", "c"), ("1", "2"))
    assert found.keys == (frozenset({0}), frozenset({0, 1}))
    assert found.choices.tolist() == [[0, 0], [0, 1], [1, 1]]


def test_a_column_of_names_is_no_item(tmp_path: Path) -> None:
    lines = io.StringIO()
    lines.write("name,a\n")
    for n in range(60):
        lines.write(f"person {n},{'AB'[n % 2]}\n")
    path = write(tmp_path, lines.getvalue())
    key = write(tmp_path, "item,key\nname,A\na,A\n", "k.csv")
    with pytest.raises(BadRequest, match=r"column 1 \('name'\): 61 different answers"):
        read_answers(path, key=key)
    just_a = write(tmp_path, "item,key\na,A\n", "k2.csv")
    assert read_answers(path, key=just_a, ignore=("name",)).ids == ("a",)
