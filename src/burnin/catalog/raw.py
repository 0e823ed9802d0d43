"""The forms that content files must have; the published JSON Schemas come from here."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

SLUG = r"^[a-z0-9]+(?:[-.][a-z0-9]+)*$"
NOT_EMPTY = r"\S"
DAY = r"^\d{4}-\d{2}-\d{2}$"
REFERENCE = r"^[a-z0-9-]+/[a-z0-9-]+$"
NUMBER = r"^\d+\.\d+$"
EXAM_CODE = r"^[A-Z0-9]+(?:-[A-Z0-9]+)*$"
HTTPS = r"^https://\S+$"

Slug = Annotated[str, Meta(pattern=SLUG, max_length=80)]
Text = Annotated[str, Meta(pattern=NOT_EMPTY, max_length=4000)]
Line = Annotated[str, Meta(pattern=NOT_EMPTY, max_length=600)]
Day = Annotated[str, Meta(pattern=DAY)]
Reference = Annotated[str, Meta(pattern=REFERENCE)]
Number = Annotated[str, Meta(pattern=NUMBER)]
ExamCode = Annotated[str, Meta(pattern=EXAM_CODE)]


class _Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class RawCitation(_Form, frozen=True):
    source: Slug
    locator: Line


class RawOption(_Form, frozen=True):
    id: Slug
    text: Text
    reason: Text
    correct: bool = False
    misconception: Slug | None = None
    flip: Text | None = None


class RawItem(_Form, frozen=True):
    id: Slug
    exam: ExamCode
    objective: Reference
    official: Number
    stem: Text
    options: Annotated[tuple[RawOption, ...], Meta(min_length=4, max_length=6)]
    sources: Annotated[tuple[RawCitation, ...], Meta(min_length=1)]
    as_of: Day
    version: Annotated[int, Meta(ge=1)] = 1
    choose: Annotated[int, Meta(ge=1, le=3)] = 1
    secondary: Annotated[tuple[Reference, ...], Meta(max_length=2)] = ()
    focus: tuple[Reference, ...] = ()
    scenario: bool = False
    steps: Annotated[int, Meta(ge=1, le=9)] = 1
    difficulty: Annotated[int, Meta(ge=1, le=5)] = 3
    seconds: Annotated[int, Meta(ge=15, le=600)] = 100
    exhibit: Slug | None = None
    family: Slug | None = None
    enemies: tuple[Slug, ...] = ()
    guide_says: Text | None = None
    products: dict[str, str] = {}


class RawSeries(_Form, frozen=True):
    name: Line
    values: Annotated[tuple[float, ...], Meta(min_length=1)]


class RawAxis(_Form, frozen=True):
    label: Line
    values: tuple[str | int | float, ...] = ()


class RawExhibit(_Form, frozen=True):
    id: Slug
    title: Line
    kind: Literal["table", "code", "chart"]
    columns: tuple[str | int | float, ...] = ()
    rows: tuple[tuple[str | int | float, ...], ...] = ()
    language: str = ""
    text: str = ""
    chart: Literal["line", "bar", ""] = ""
    x: RawAxis | None = None
    y: RawAxis | None = None
    series: tuple[RawSeries, ...] = ()
    summary: str = ""


class RawMisconception(_Form, frozen=True):
    id: Slug
    name: Line
    belief: Text
    why: Text
    remedy: Text
    sources: tuple[RawCitation, ...] = ()


class RawSource(_Form, frozen=True):
    id: Slug
    kind: Literal["paper", "documentation", "standard", "announcement", "book"]
    title: Line
    publisher: Line
    url: Annotated[str, Meta(pattern=HTTPS)]
    seen: Day
    version: str | None = None


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    schema: Literal[1]


class ItemFile(_File, frozen=True):
    items: tuple[RawItem, ...]


class ExhibitFile(_File, frozen=True):
    exhibits: tuple[RawExhibit, ...]


class MisconceptionFile(_File, frozen=True):
    misconceptions: tuple[RawMisconception, ...]


class SourceFile(_File, frozen=True):
    sources: tuple[RawSource, ...]


class RawQuestions(msgspec.Struct, frozen=True):
    min: Annotated[int, Meta(ge=1)]
    max: Annotated[int, Meta(ge=1)]


class RawFormats(msgspec.Struct, frozen=True):
    single: Annotated[float, Meta(ge=0, le=1)]
    multiple: Annotated[float, Meta(ge=0, le=1)]


class RawRevision(msgspec.Struct, frozen=True):
    as_of: Day


class RawDomain(_Form, frozen=True):
    id: Slug
    weight: Annotated[int, Meta(ge=1, le=100)]
    official: tuple[Annotated[str, Meta(pattern=r"^\d+\.\d+ \S")], ...]
    objectives: dict[Slug, Line]
    title: str | None = None
    focus: dict[Slug, Line] = {}
    traps: tuple[Slug, ...] = ()


class BlueprintFile(msgspec.Struct, frozen=True):
    """A blueprint may carry any further facts; they are shown, not interpreted."""

    code: ExamCode
    revision: RawRevision
    title: Line
    level: Line
    minutes: Annotated[int, Meta(ge=1, le=600)]
    questions: RawQuestions
    formats: RawFormats
    domains: Annotated[tuple[RawDomain, ...], Meta(min_length=1)]


FOLDERS: dict[str, tuple[str, type[msgspec.Struct], type[msgspec.Struct]]] = {
    "sources": ("sources", SourceFile, RawSource),
    "misconceptions": ("misconceptions", MisconceptionFile, RawMisconception),
    "exhibits": ("exhibits", ExhibitFile, RawExhibit),
    "items": ("items", ItemFile, RawItem),
}
"""Content folder → (list key, file form, entry form)."""


def json_schemas() -> dict[str, bytes]:
    """Return the JSON Schema of each content file, by file name."""
    forms: dict[str, type[msgspec.Struct]] = {
        "items": ItemFile,
        "exhibits": ExhibitFile,
        "misconceptions": MisconceptionFile,
        "sources": SourceFile,
        "exams": BlueprintFile,
    }
    return {
        f"{name}.schema.json": msgspec.json.format(msgspec.json.encode(msgspec.json.schema(form)), indent=2)
        + b"\n"
        for name, form in forms.items()
    }
