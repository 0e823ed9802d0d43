"""The forms that content files must have; the published JSON Schemas come from here."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from burnin.catalog.basic_forms import (
    HTTPS,
    Day,
    ExamCode,
    Explorer,
    Form,
    Line,
    Name,
    Number,
    Reference,
    Slug,
    Text,
)
from burnin.catalog.system_forms import (
    RawCalibration,
    RawCluster,
    RawDrill,
    RawGpu,
    RawKeptAccuracy,
    RawModel,
    RawQuantMethod,
)


class RawCitation(Form, frozen=True):
    source: Slug
    locator: Line


class RawOption(Form, frozen=True):
    id: Slug
    text: Text
    reason: Text
    correct: bool = False
    misconception: Slug | None = None
    flip: Text | None = None


class RawItem(Form, frozen=True):
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
    explore: Explorer | None = None
    products: dict[str, str] = msgspec.field(default_factory=dict)


class RawFlip(Form, frozen=True):
    knob: Name
    text: Text


class RawSlip(Form, frozen=True):
    misconception: Slug
    reason: Text
    flip: RawFlip | None = None


class RawGenerator(Form, frozen=True):
    id: Slug
    sum: Slug
    exam: ExamCode
    objective: Reference
    official: Number
    stems: Annotated[tuple[Text, ...], Meta(min_length=1)]
    option: Line
    reason: Text
    slips: Annotated[tuple[RawSlip, ...], Meta(min_length=3)]
    sources: Annotated[tuple[RawCitation, ...], Meta(min_length=1)]
    as_of: Day
    version: Annotated[int, Meta(ge=1)] = 1
    secondary: Annotated[tuple[Reference, ...], Meta(max_length=2)] = ()
    focus: tuple[Reference, ...] = ()
    show: Literal["number", "percent", "count"] = "number"
    digits: Annotated[int, Meta(ge=1, le=6)] = 3
    scenario: bool = False
    steps: Annotated[int, Meta(ge=1, le=9)] = 2
    difficulty: Annotated[int, Meta(ge=1, le=5)] = 3
    seconds: Annotated[int, Meta(ge=15, le=600)] = 100
    family: Slug | None = None
    guide_says: Text | None = None
    explore: Explorer | None = None


class RawSeries(Form, frozen=True):
    name: Line
    values: Annotated[tuple[float, ...], Meta(min_length=1)]


class RawAxis(Form, frozen=True):
    label: Line
    values: tuple[str | int | float, ...] = ()


class RawExhibit(Form, frozen=True):
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


class RawMisconception(Form, frozen=True):
    id: Slug
    name: Line
    belief: Text
    why: Text
    remedy: Text
    sources: tuple[RawCitation, ...] = ()


class RawConfusion(Form, frozen=True):
    term: Line
    difference: Text


class RawTerm(Form, frozen=True):
    id: Slug
    term: Line
    meaning: Text
    confused_with: Annotated[tuple[RawConfusion, ...], Meta(min_length=1)]
    sources: Annotated[tuple[RawCitation, ...], Meta(min_length=1)]
    also: tuple[Line, ...] = ()


class RawConcept(Form, frozen=True):
    id: Slug
    exam: ExamCode
    fact: Line
    objectives: Annotated[tuple[Reference, ...], Meta(min_length=1)]
    sources: Annotated[tuple[RawCitation, ...], Meta(min_length=1)]
    items: tuple[Slug, ...] = ()


class RawSource(Form, frozen=True):
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


class GeneratorFile(_File, frozen=True):
    generators: tuple[RawGenerator, ...]


class ExhibitFile(_File, frozen=True):
    exhibits: tuple[RawExhibit, ...]


class MisconceptionFile(_File, frozen=True):
    misconceptions: tuple[RawMisconception, ...]


class GlossaryFile(_File, frozen=True):
    glossary: tuple[RawTerm, ...]


class ConceptFile(_File, frozen=True):
    concepts: tuple[RawConcept, ...]


class SourceFile(_File, frozen=True):
    sources: tuple[RawSource, ...]


class HardwareFile(_File, frozen=True):
    gpus: tuple[RawGpu, ...] = ()
    clusters: tuple[RawCluster, ...] = ()
    calibrations: tuple[RawCalibration, ...] = ()


class ModelFile(_File, frozen=True):
    models: tuple[RawModel, ...]


class QuantizationFile(_File, frozen=True):
    methods: tuple[RawQuantMethod, ...] = ()
    accuracy: tuple[RawKeptAccuracy, ...] = ()


class DrillFile(_File, frozen=True):
    drills: tuple[RawDrill, ...]


class RawQuestions(msgspec.Struct, frozen=True):
    min: Annotated[int, Meta(ge=1)]
    max: Annotated[int, Meta(ge=1)]


class RawFormats(msgspec.Struct, frozen=True):
    single: Annotated[float, Meta(ge=0, le=1)]
    multiple: Annotated[float, Meta(ge=0, le=1)]


class RawRevision(msgspec.Struct, frozen=True):
    as_of: Day


class RawDomain(Form, frozen=True):
    id: Slug
    weight: Annotated[int, Meta(ge=1, le=100)]
    official: tuple[Annotated[str, Meta(pattern=r"^\d+\.\d+ \S")], ...]
    objectives: dict[Slug, Line]
    title: str | None = None
    focus: dict[Slug, Line] = msgspec.field(default_factory=dict)
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


ListForms = dict[str, type[msgspec.Struct]]

FOLDERS: dict[str, tuple[type[msgspec.Struct], ListForms]] = {
    "sources": (SourceFile, {"sources": RawSource}),
    "misconceptions": (MisconceptionFile, {"misconceptions": RawMisconception}),
    "glossary": (GlossaryFile, {"glossary": RawTerm}),
    "exhibits": (ExhibitFile, {"exhibits": RawExhibit}),
    "hardware": (
        HardwareFile,
        {"gpus": RawGpu, "clusters": RawCluster, "calibrations": RawCalibration},
    ),
    "models": (ModelFile, {"models": RawModel}),
    "quantization": (QuantizationFile, {"methods": RawQuantMethod, "accuracy": RawKeptAccuracy}),
    "drills": (DrillFile, {"drills": RawDrill}),
    "items": (ItemFile, {"items": RawItem}),
    "generators": (GeneratorFile, {"generators": RawGenerator}),
    "concepts": (ConceptFile, {"concepts": RawConcept}),
}
"""Content folder → (file form, entry form by list key)."""


def json_schemas() -> dict[str, bytes]:
    """Return the JSON Schema of each content file, by file name."""
    forms: dict[str, type[msgspec.Struct]] = {
        "items": ItemFile,
        "generators": GeneratorFile,
        "exhibits": ExhibitFile,
        "misconceptions": MisconceptionFile,
        "glossary": GlossaryFile,
        "concepts": ConceptFile,
        "sources": SourceFile,
        "hardware": HardwareFile,
        "models": ModelFile,
        "quantization": QuantizationFile,
        "drills": DrillFile,
        "exams": BlueprintFile,
    }
    return {
        f"{name}.schema.json": msgspec.json.format(msgspec.json.encode(msgspec.json.schema(form)), indent=2)
        + b"\n"
        for name, form in forms.items()
    }
