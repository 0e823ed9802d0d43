"""What the forms alone cannot say: references, keys and counts that must agree."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping

from burnin.catalog import raw
from burnin.domain.blueprint import Blueprint
from burnin.domain.generator import GeneratorWords
from burnin.domain.item import Citation, Concept, Exhibit, Item, Misconception, Term

Fault = tuple[str, str]
"""(field below the entry, message)"""


def item_faults(item: Item, blueprints: Mapping[str, Blueprint]) -> Iterator[Fault]:
    """Yield what is wrong with one item in itself and against its exam's blueprint."""
    yield from _unwritten(item)
    wanted = {1: (4, 5), 2: (5, 6), 3: (6, 6)}[item.choose]
    if not wanted[0] <= len(item.options) <= wanted[1]:
        yield "options", f"choose {item.choose} takes {_span(wanted)} options, here are {len(item.options)}"
    if len(item.key) != item.choose:
        yield "options", f"choose {item.choose} needs {item.choose} right options, here are {len(item.key)}"
    ids: set[str] = set()
    texts: set[str] = set()
    for number, option in enumerate(item.options):
        if option.id in ids:
            yield f"options[{number}].id", f"option id {option.id!r} stands twice"
        folded = " ".join(option.text.lower().split())
        if folded in texts:
            yield f"options[{number}].text", "the same text stands in another option"
        ids.add(option.id)
        texts.add(folded)
        if option.correct and (option.misconception or option.flip):
            field = "misconception" if option.misconception else "flip"
            yield f"options[{number}].{field}", "belongs to a wrong option"
    blueprint = blueprints.get(item.exam)
    if blueprint is None:
        yield "exam", f"no such exam; known: {', '.join(sorted(blueprints))}"
        return
    yield from _reference_faults(item, blueprint)
    if item.id in item.enemies:
        yield "enemies", "an item cannot be its own enemy"


_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_TODO = re.compile(r"\bTODO\b")


def unwritten(text: str) -> bool:
    """Return whether a text still says TODO, as a new file does where its author has to write.

    >>> unwritten("A server with TODO GB"), unwritten("A linter finds `# TODO` in it")
    (True, False)
    """
    return _TODO.search(_CODE.sub("", text)) is not None


def _unwritten(item: Item) -> Iterator[Fault]:
    texts: list[tuple[str, str | None]] = [("stem", item.stem), ("guide_says", item.guide_says)]
    for number, option in enumerate(item.options):
        texts += [(f"options[{number}].{name}", getattr(option, name)) for name in ("text", "reason", "flip")]
    texts += [(f"sources[{number}].locator", cited.locator) for number, cited in enumerate(item.sources)]
    for field, text in texts:
        if text is not None and unwritten(text):
            yield field, "still says TODO"


def generator_faults(
    words: GeneratorWords,
    blueprints: Mapping[str, Blueprint],
    misconceptions: Collection[str],
    sources: Collection[str],
) -> Iterator[Fault]:
    """Yield what is wrong with a generator's words, short of trying them."""
    blueprint = blueprints.get(words.exam)
    if blueprint is None:
        yield "exam", f"no such exam; known: {', '.join(sorted(blueprints))}"
    else:
        yield from _reference_faults(words, blueprint)
    seen: set[str] = set()
    for number, slip in enumerate(words.slips):
        field = f"slips[{number}].misconception"
        if slip.misconception not in misconceptions:
            yield field, f"no misconception {slip.misconception!r}"
        if slip.misconception in seen:
            yield field, f"misconception {slip.misconception!r} stands twice"
        seen.add(slip.misconception)
    yield from _citation_faults(words.sources, sources)


def _reference_faults(item: Item | GeneratorWords, blueprint: Blueprint) -> Iterator[Fault]:
    domains = {domain.id: domain for domain in blueprint.domains}
    primary = domains.get(item.domain)
    references = [("objective", item.objective, "objectives")]
    references += [(f"secondary[{i}]", ref, "objectives") for i, ref in enumerate(item.secondary)]
    references += [(f"focus[{i}]", ref, "focus") for i, ref in enumerate(item.focus)]
    for field, reference, kind in references:
        domain_id, _, name = reference.partition("/")
        domain = domains.get(domain_id)
        if domain is None:
            yield field, f"{item.exam} has no domain {domain_id!r}"
        elif name not in getattr(domain, kind):
            known = ", ".join(getattr(domain, kind))
            yield (
                field,
                f"domain {domain_id} has no {'objective' if kind == 'objectives' else 'focus point'} {name!r}; known: {known}",
            )
    if primary is not None and item.official not in {o.number for o in primary.official}:
        numbers = ", ".join(o.number for o in primary.official)
        yield "official", f"domain {primary.id} has no official objective {item.official}; known: {numbers}"
    if item.objective in item.secondary:
        yield "secondary", "repeats the primary objective"


def link_faults(
    item: Item,
    misconceptions: Collection[str],
    sources: Collection[str],
    exhibits: Collection[str],
) -> Iterator[Fault]:
    """Yield references of an item to entries that are not there."""
    for number, option in enumerate(item.options):
        if option.misconception and option.misconception not in misconceptions:
            yield f"options[{number}].misconception", f"no misconception {option.misconception!r}"
    yield from _citation_faults(item.sources, sources)
    if item.exhibit and item.exhibit not in exhibits:
        yield "exhibit", f"no exhibit {item.exhibit!r}"


def misconception_faults(entry: Misconception, sources: Collection[str]) -> Iterator[Fault]:
    yield from _citation_faults(entry.sources, sources)


def term_faults(entry: Term, sources: Collection[str]) -> Iterator[Fault]:
    yield from _citation_faults(entry.sources, sources)
    for number, other in enumerate(entry.confused_with):
        if other.term in (entry.id, entry.term):
            yield f"confused_with[{number}].term", "a term cannot be confused with itself"


def concept_faults(
    entry: Concept, blueprints: Mapping[str, Blueprint], askers: Mapping[str, str], sources: Collection[str]
) -> Iterator[Fault]:
    """Yield what is wrong with a concept; ``askers`` maps ids of items and generators to their exam."""
    yield from _citation_faults(entry.sources, sources)
    blueprint = blueprints.get(entry.exam)
    if blueprint is None:
        yield "exam", f"no such exam; known: {', '.join(sorted(blueprints))}"
        return
    known = {f"{domain.id}/{name}" for domain in blueprint.domains for name in domain.objectives}
    for number, reference in enumerate(entry.objectives):
        if reference not in known:
            yield f"objectives[{number}]", f"{entry.exam} has no objective {reference!r}"
    for number, item_id in enumerate(entry.items):
        if item_id not in askers:
            yield f"items[{number}]", f"no item or generator {item_id!r}"
        elif askers[item_id] != entry.exam:
            yield f"items[{number}]", f"{item_id!r} belongs to {askers[item_id]}"


def _citation_faults(citations: Collection[Citation], sources: Collection[str]) -> Iterator[Fault]:
    for number, citation in enumerate(citations):
        if citation.source not in sources:
            yield f"sources[{number}].source", f"no source {citation.source!r}"


def exhibit_faults(exhibit: Exhibit) -> Iterator[Fault]:
    if exhibit.kind == "table":
        if not exhibit.columns or not exhibit.rows:
            yield "", "a table needs columns and rows"
        for number, row in enumerate(exhibit.rows):
            if len(row) != len(exhibit.columns):
                yield f"rows[{number}]", f"has {len(row)} cells under {len(exhibit.columns)} columns"
    elif exhibit.kind == "code":
        if not exhibit.text.strip():
            yield "text", "a code exhibit needs text"
    else:
        if not exhibit.chart or not exhibit.series or not exhibit.x_values:
            yield "", "a chart needs chart, x with values, and series"
        if not exhibit.summary:
            yield "summary", "a chart needs a summary for those who cannot see it"
        for number, series in enumerate(exhibit.series):
            if len(series.values) != len(exhibit.x_values):
                yield (
                    f"series[{number}].values",
                    f"has {len(series.values)} values for {len(exhibit.x_values)} places on x",
                )
            if not all(math.isfinite(v) for v in series.values):
                yield f"series[{number}].values", "holds a value that is not a finite number"


def blueprint_faults(entry: raw.BlueprintFile) -> Iterator[Fault]:
    ids = [domain.id for domain in entry.domains]
    for number, domain_id in enumerate(ids):
        if domain_id in ids[:number]:
            yield f"domains[{number}].id", f"domain {domain_id!r} stands twice"
        if not entry.domains[number].objectives:
            yield f"domains[{number}].objectives", "a domain needs at least one objective"
    if entry.questions.min > entry.questions.max:
        yield "questions.min", "is larger than questions.max"
    if abs(entry.formats.single + entry.formats.multiple - 1) > 1e-9:
        yield "formats", "the shares of single and multiple must add up to 1"


def _span(limits: tuple[int, int]) -> str:
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]} or {limits[1]}"
