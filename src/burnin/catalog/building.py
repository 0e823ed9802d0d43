"""Validated file entries to the nouns of ``domain``."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from burnin.catalog import raw
from burnin.domain.blueprint import Blueprint, Domain, OfficialObjective
from burnin.domain.generator import FlipWords, GeneratorWords, SlipWords
from burnin.domain.item import (
    Citation,
    Concept,
    Confusion,
    Exhibit,
    Item,
    Misconception,
    Option,
    Series,
    Source,
    Term,
)

_INTERPRETED = {"code", "title", "level", "minutes", "domains"}


def citations(entries: tuple[raw.RawCitation, ...]) -> tuple[Citation, ...]:
    return tuple(Citation(source=entry.source, locator=entry.locator.strip()) for entry in entries)


def item(entry: raw.RawItem) -> Item:
    fields = msgspec.structs.asdict(entry)
    fields["stem"] = entry.stem.strip()
    fields["sources"] = citations(entry.sources)
    fields["options"] = tuple(option(o) for o in entry.options)
    fields["guide_says"] = _strip(entry.guide_says)
    return Item(**fields)


def generator(entry: raw.RawGenerator) -> GeneratorWords:
    fields = msgspec.structs.asdict(entry)
    fields["stems"] = tuple(stem.strip() for stem in entry.stems)
    fields["option"] = entry.option.strip()
    fields["reason"] = entry.reason.strip()
    fields["sources"] = citations(entry.sources)
    fields["guide_says"] = _strip(entry.guide_says)
    fields["slips"] = tuple(
        SlipWords(
            misconception=slip.misconception,
            reason=slip.reason.strip(),
            flip=FlipWords(knob=slip.flip.knob, text=slip.flip.text.strip()) if slip.flip else None,
        )
        for slip in entry.slips
    )
    return GeneratorWords(**fields)


def option(entry: raw.RawOption) -> Option:
    return Option(
        id=entry.id,
        text=entry.text.strip(),
        reason=entry.reason.strip(),
        correct=entry.correct,
        misconception=entry.misconception,
        flip=_strip(entry.flip),
    )


def misconception(entry: raw.RawMisconception) -> Misconception:
    return Misconception(
        id=entry.id,
        name=entry.name.strip(),
        belief=entry.belief.strip(),
        why=entry.why.strip(),
        remedy=entry.remedy.strip(),
        sources=citations(entry.sources),
    )


def term(entry: raw.RawTerm) -> Term:
    return Term(
        id=entry.id,
        term=entry.term.strip(),
        meaning=entry.meaning.strip(),
        confused_with=tuple(
            Confusion(term=other.term.strip(), difference=other.difference.strip())
            for other in entry.confused_with
        ),
        sources=citations(entry.sources),
        also=tuple(word.strip() for word in entry.also),
    )


def concept(entry: raw.RawConcept) -> Concept:
    fields = msgspec.structs.asdict(entry)
    fields["fact"] = entry.fact.strip()
    fields["sources"] = citations(entry.sources)
    return Concept(**fields)


def source(entry: raw.RawSource) -> Source:
    return Source(**msgspec.structs.asdict(entry))


def exhibit(entry: raw.RawExhibit) -> Exhibit:
    return Exhibit(
        id=entry.id,
        title=entry.title,
        kind=entry.kind,
        columns=tuple(_cell(c) for c in entry.columns),
        rows=tuple(tuple(_cell(c) for c in row) for row in entry.rows),
        language=entry.language,
        text=entry.text.rstrip("\n"),
        chart=entry.chart,
        x_label=entry.x.label if entry.x else "",
        x_values=tuple(_cell(v) for v in entry.x.values) if entry.x else (),
        y_label=entry.y.label if entry.y else "",
        series=tuple(Series(name=s.name, values=s.values) for s in entry.series),
        summary=entry.summary.strip(),
    )


def blueprint(entry: raw.BlueprintFile, facts: dict[str, Any]) -> Blueprint:
    """Build a blueprint; ``facts`` is the whole file, of which the rest is kept as it stands."""
    return Blueprint(
        code=entry.code,
        as_of=entry.revision.as_of,
        title=entry.title,
        level=entry.level,
        minutes=entry.minutes,
        questions_min=entry.questions.min,
        questions_max=entry.questions.max,
        multiple_share=entry.formats.multiple,
        domains=tuple(_domain(d) for d in entry.domains),
        facts={key: value for key, value in facts.items() if key not in _INTERPRETED},
    )


def _domain(entry: raw.RawDomain) -> Domain:
    official = []
    for line in entry.official:
        number, _, text = line.partition(" ")
        official.append(OfficialObjective(number=number, text=text.strip()))
    return Domain(
        id=entry.id,
        title=entry.title or entry.id.replace("-", " ").title(),
        weight=entry.weight,
        official=tuple(official),
        objectives=dict(entry.objectives),
        focus=dict(entry.focus),
        traps=entry.traps,
    )


def _strip(text: str | None) -> str | None:
    return text.strip() if text is not None else None


def _cell(value: str | float) -> str:
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)
