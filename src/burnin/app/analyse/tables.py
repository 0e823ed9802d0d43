"""Read a table from a CSV file; every fault is one sentence with row and column."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from burnin.app.errors import BadRequest

DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of equally many stripped cells.

    ``numbers`` gives each row's number in the file, the header being 1 as in a
    spreadsheet.
    """

    file: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]

    def where(self, row: int, column: int) -> str:
        """Return the place of a cell for a message."""
        return f"{self.file}, row {self.numbers[row]}, column {column + 1} ({self.names[column]!r})"

    def column(self, name: str, purpose: str) -> int:
        """Return the number of a named column; BadRequest says which there are."""
        for spelling in (str, str.casefold):
            matches = [i for i, known in enumerate(self.names) if spelling(known) == spelling(name.strip())]
            if len(matches) == 1:
                return matches[0]
        known = ", ".join(repr(n) for n in self.names[:8]) + (" ..." if len(self.names) > 8 else "")
        raise BadRequest(f"{self.file}: no column {name!r} for {purpose}; the columns are {known}")


def read(path: Path) -> Table:
    """Read a CSV file: UTF-8 (with or without BOM) or UTF-16 with BOM; comma, semicolon, tab or bar.

    Raises BadRequest for a file that cannot be read, has no header or no row, has
    unequal rows, or header names that are empty or stand twice.
    """
    text = _text(path)
    name = path.name
    first, _, rest = text.partition("\n")
    shift = 0
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:
        # A line that spreadsheets write to tell each other the separator.
        delimiter, text, shift = first.strip()[4], rest, 1
    else:
        delimiter = _delimiter(text)
    records: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = shift
    try:
        for record in reader:
            number += 1
            # A row of empty cells is a person without answers; an empty line is nothing.
            if any(cell.strip() for cell in record) or (records and len(record) == len(records[0][1])):
                records.append((number, record))
    except csv.Error as error:
        raise BadRequest(f"{name}, row {number + 1}: {_reason(error)}") from error
    if not records:
        raise BadRequest(f"{name} is empty: the first row must name the columns")
    header = [cell.strip() for cell in records[0][1]]
    width = len(header)
    if width > 1 and not header[-1] and all(not r[-1].strip() for _, r in records if len(r) == width):
        width -= 1  # every row ends in a separator
        header.pop()
        records = [(n, r[:-1] if len(r) == width + 1 else r) for n, r in records]
    _check_header(name, header, records[0][0])
    if len(records) == 1:
        raise BadRequest(f"{name} has a header and no row below it")
    for number, record in records[1:]:
        if len(record) != width:
            short = len(record) < width
            column = f"column {len(record) + 1} ({header[len(record)]!r})" if short else f"column {width + 1}"
            raise BadRequest(
                f"{name}, row {number}, {column}: the row has {len(record)} cells, the header has {width}"
            )
    return Table(
        name,
        tuple(header),
        tuple(tuple([cell.strip() for cell in record]) for _, record in records[1:]),
        tuple(number for number, _ in records[1:]),
    )


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise BadRequest(f"no file {str(path)!r}") from error
    except OSError as error:
        raise BadRequest(f"cannot read {str(path)!r}: {error.strerror}") from error
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        place = _place(data[: error.start].decode("latin-1"))
        name = "UTF-16" if encoding == "utf-16" else "UTF-8"
        raise BadRequest(f"{path.name}, {place}: not {name} text; save the table as UTF-8") from error
    if "\0" in text:
        place = _place(text[: text.index("\0")])
        raise BadRequest(f"{path.name}, {place}: a NUL character; this is no text table")
    return text


def _place(before: str) -> str:
    line = before[before.rfind("\n") + 1 :]
    return f"row {before.count(chr(10)) + 1}, column {1 + max(line.count(d) for d in DELIMITERS)}"


def _delimiter(text: str) -> str:
    """Return the separator that stands most often outside quotes in the first row with text."""
    counts = dict.fromkeys(DELIMITERS, 0)
    quoted = False
    for sign in text.lstrip("\r\n"):
        if sign == '"':
            quoted = not quoted
        elif sign == "\n" and not quoted:
            break
        elif sign in counts and not quoted:
            counts[sign] += 1
    return max(DELIMITERS, key=lambda d: counts[d])


def _reason(error: csv.Error) -> str:
    words = str(error)
    if "unexpected end of data" in words:
        return "a quotation mark is opened and never closed"
    if "field larger" in words:
        return "a cell is longer than 131,072 characters: a quotation mark is probably not closed"
    if "expected after" in words:
        return "text follows a closing quotation mark"
    return words


def _check_header(name: str, header: list[str], row: int) -> None:
    seen: dict[str, int] = {}
    if all(cell in ("0", "1") for cell in header) and len(header) > 1:
        raise BadRequest(f"{name}, row {row}: the first row must name the columns, and holds only 0 and 1")
    for column, cell in enumerate(header, start=1):
        if not cell:
            raise BadRequest(f"{name}, row {row}, column {column}: the column has no name")
        if cell in seen:
            raise BadRequest(
                f"{name}, row {row}, column {column}: the name {cell!r} stands in column {seen[cell]} too"
            )
        seen[cell] = column
