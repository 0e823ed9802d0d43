"""From a table of cells to numbered choices, keys, counts and groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from burnin.app.analyse.tables import Table, read
from burnin.app.errors import BadRequest

_MISSING = frozenset({"", "na", "n/a", "nan", "."})
_BINARY = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}


@dataclass(frozen=True)
class Answers:
    """Who chose what.

    ``choices`` has shape (n, k): the number of an option, -1 for none. ``options``
    holds each item's options as first spelt, ``keys`` the numbers of the right ones.
    With right and wrong alone the options are "0" and "1". ``rows`` are the rows'
    numbers in the file. ``focal`` is None without a group column.
    """

    ids: tuple[str, ...]
    choices: NDArray[np.int32]
    options: tuple[tuple[str, ...], ...]
    keys: tuple[frozenset[int], ...]
    counts: NDArray[np.float64]
    rows: tuple[int, ...]
    keyed: bool
    focal: NDArray[np.bool_] | None = None
    focal_name: str = ""
    reference_name: str = ""
    empty_rows: int = 0


def read_answers(
    path: Path,
    *,
    key: Path | None = None,
    counts: str | None = None,
    group: str | None = None,
    focal: str | None = None,
    ignore: Sequence[str] = (),
    blank_is_wrong: bool = False,
) -> Answers:
    """Read a response table, and a key where the cells hold chosen options.

    Raises BadRequest, with row and column, for any cell that does not fit.
    """
    table = read(path)
    special = {table.column(name, "--ignore") for name in ignore}
    weights = np.ones(len(table.rows))
    if counts is not None:
        place = table.column(counts, "--counts")
        weights = _counts(table, place)
        special.add(place)
    in_focal, names = None, ("", "")
    if group is not None:
        place = table.column(group, "--group")
        in_focal, names = _groups(table, place, focal)
        special.add(place)
    columns = [i for i in range(len(table.names)) if i not in special]
    if not columns:
        raise BadRequest(f"{table.file} has no item column left")
    ids = tuple(table.names[i] for i in columns)
    if key is None:
        choices = _binary(table, columns)
        options: list[tuple[str, ...]] = [("0", "1")] * len(ids)
        keys = [frozenset({1})] * len(ids)
    else:
        choices, options, keys = _chosen(table, columns, read_key(key, ids))
    kept = np.asarray((choices >= 0).any(axis=1), dtype=np.bool_)
    if not kept.any():
        raise BadRequest(f"{table.file} holds no answer")
    if blank_is_wrong:
        # A blank becomes an option of its own (or a 0), which is in no key.
        for j in range(len(ids)):
            if key is not None and (choices[kept, j] < 0).any():
                options[j] = (*options[j], "(blank)")
            blank = len(options[j]) - 1 if key is not None else 0
            choices[kept & (choices[:, j] < 0), j] = blank
    if weights[kept].sum() <= 0:
        raise BadRequest(f"{table.file}: the counts are all zero")
    return Answers(
        ids=ids,
        choices=choices[kept],
        options=tuple(options),
        keys=tuple(keys),
        counts=weights[kept],
        rows=tuple(n for n, k in zip(table.numbers, kept.tolist(), strict=True) if k),
        keyed=key is not None,
        focal=None if in_focal is None else in_focal[kept],
        focal_name=names[1],
        reference_name=names[0],
        empty_rows=int(weights[~kept].sum()),
    )


def read_key(path: Path, ids: Sequence[str]) -> dict[str, list[str]]:
    """Read keys: two columns (item, key), or one row below the items' names.

    Several right options are written with a bar between, as in ``A|C``.
    """
    table = read(path)
    known = set(ids)
    pairs: list[tuple[int, str, str]] = []
    wide = len(table.rows) == 1 and sum(name in known for name in table.names) > 1
    if wide:
        pairs = [(table.numbers[0], n, cell) for n, cell in zip(table.names, table.rows[0], strict=True)]
        pairs = [pair for pair in pairs if pair[1] in known]
    elif len(table.names) < 2:
        raise BadRequest(
            f"{table.file}: a key has two columns (item, key), or one row below the items' names; "
            f"this file has one column and {len(table.rows)} rows"
        )
    else:
        at, to = _key_columns(table.names)
        if table.names[at] in known:  # no header: the first row is a pair too
            pairs.append((1, table.names[at], table.names[to]))
        for number, row in zip(table.numbers, table.rows, strict=True):
            pairs.append((number, row[at], row[to]))
    keys: dict[str, list[str]] = {}
    for number, item, cell in pairs:
        if item not in known:
            raise BadRequest(f"{table.file}, row {number}: the response table has no item {item!r}")
        if item in keys:
            raise BadRequest(f"{table.file}, row {number}: item {item!r} has a key already")
        right = [part.strip() for part in cell.split("|") if part.strip()]
        if not right:
            raise BadRequest(f"{table.file}, row {number}: the key of item {item!r} is empty")
        keys[item] = right
    missing = [item for item in ids if item not in keys]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise BadRequest(
            f"{table.file}: no key for {', '.join(repr(m) for m in missing[:5])}{more}; "
            "a column that is no item is left out with --ignore"
        )
    return keys


def _key_columns(names: Sequence[str]) -> tuple[int, int]:
    lower = [name.casefold() for name in names]
    at = next((lower.index(n) for n in ("item", "id", "question") if n in lower), 0)
    to = next((lower.index(n) for n in ("key", "answer", "correct") if n in lower), 1 if at == 0 else 0)
    return at, to


def _counts(table: Table, place: int) -> NDArray[np.float64]:
    out = np.zeros(len(table.rows))
    for i, row in enumerate(table.rows):
        try:
            value = float(row[place])
        except ValueError:
            value = -1.0
        if not 0.0 <= value < 1e12 or value != int(value):
            raise BadRequest(f"{table.where(i, place)}: {row[place]!r} is no count (0, 1, 2, ...)")
        out[i] = value
    return out


def _groups(table: Table, place: int, focal: str | None) -> tuple[NDArray[np.bool_], tuple[str, str]]:
    values = [row[place] for row in table.rows]
    distinct = sorted(set(values))
    name = table.names[place]
    if focal is not None:
        if focal not in distinct:
            raise BadRequest(
                f"{table.file}: nobody in column {name!r} is {focal!r}; "
                f"there are {', '.join(repr(d) for d in distinct[:8])}"
            )
        others = [d for d in distinct if d != focal]
        if not others:
            raise BadRequest(
                f"{table.file}: everybody in column {name!r} is {focal!r}; two groups are needed"
            )
        reference = others[0] if len(others) == 1 else "all others"
    elif len(distinct) == 2:
        reference, focal = distinct
    else:
        raise BadRequest(
            f"{table.file}: column {name!r} holds {len(distinct)} groups "
            f"({', '.join(repr(d) for d in distinct[:5])}{' ...' if len(distinct) > 5 else ''}); "
            "two are needed, or --focal says which is compared with the rest"
        )
    return np.array([value == focal for value in values]), (reference, focal)


def _binary(table: Table, columns: Sequence[int]) -> NDArray[np.int32]:
    out = np.empty((len(table.rows), len(columns)), dtype=np.int32)
    codes: dict[str, int] = {}
    for i, row in enumerate(table.rows):
        for j, place in enumerate(columns):
            cell = row[place]
            code = codes.get(cell)
            if code is None:
                lower = cell.casefold()
                code = -1 if lower in _MISSING else _BINARY.get(lower, -2)
                if code == -2:
                    raise BadRequest(
                        f"{table.where(i, place)}: {cell[:40]!r} is neither 0 nor 1 nor empty; chosen options "
                        "need --key, a column of pattern counts --counts, any other column --ignore"
                    )
                codes[cell] = code
            out[i, j] = code
    return out


def _normal(text: str) -> str:
    """One spelling for one option: case apart, and 1.0 is 1."""
    text = text.casefold()
    if text.endswith(".0") and text[:-2].isdigit():
        return text[:-2]
    return text


def _chosen(
    table: Table, columns: Sequence[int], keys: dict[str, list[str]]
) -> tuple[NDArray[np.int32], list[tuple[str, ...]], list[frozenset[int]]]:
    out = np.empty((len(table.rows), len(columns)), dtype=np.int32)
    options: list[tuple[str, ...]] = []
    right: list[frozenset[int]] = []
    matched = False
    for j, place in enumerate(columns):
        spelt: dict[str, str] = {}
        for part in keys[table.names[place]]:
            spelt.setdefault(_normal(part), part)
        accepted = set(spelt)
        column = [row[place] for row in table.rows]
        for cell in column:
            if cell.casefold() not in _MISSING:
                spelt.setdefault(_normal(cell), cell)
        order = sorted(spelt)
        number = {name: n for n, name in enumerate(order)}
        out[:, j] = [-1 if c.casefold() in _MISSING else number[_normal(c)] for c in column]
        options.append(tuple(spelt[name] for name in order))
        right.append(frozenset(number[name] for name in accepted))
        matched = matched or bool(np.isin(out[:, j], sorted(right[-1])).any())
        if len(order) > 40:
            raise BadRequest(
                f"{table.file}, column {place + 1} ({table.names[place]!r}): {len(order)} different answers; "
                "this is no multiple-choice item (a column that is no item is left out with --ignore)"
            )
    if not matched:
        raise BadRequest(
            f"{table.file}: no answer in any column equals its key; is the table scored 0/1 already? "
            "Then leave out --key"
        )
    return out, options, right
