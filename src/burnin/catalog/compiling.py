"""A content folder to a bundle of nouns; a bundle to a compact file and back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from burnin.catalog import building, building_systems, raw, rules, system_rules
from burnin.catalog.problem import Problem
from burnin.catalog.reading import Document, convert, files, parse
from burnin.domain.blueprint import Blueprint
from burnin.domain.drill import Drill
from burnin.domain.generator import GeneratorWords
from burnin.domain.hardware import Calibration, Cluster, Gpu
from burnin.domain.item import Concept, Exhibit, Item, Misconception, Source, Term
from burnin.domain.model import Model
from burnin.domain.quantization import KeptAccuracy, QuantMethod

COMPILED = "compiled.msgpack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What one content folder holds, in file order. ``stamp`` is the hash of its files."""

    stamp: str
    revisions: tuple[Blueprint, ...] = ()
    items: tuple[Item, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()
    sources: tuple[Source, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    models: tuple[Model, ...] = ()
    methods: tuple[QuantMethod, ...] = ()
    accuracy: tuple[KeptAccuracy, ...] = ()
    drills: tuple[Drill, ...] = ()
    generators: tuple[GeneratorWords, ...] = ()
    glossary: tuple[Term, ...] = ()
    concepts: tuple[Concept, ...] = ()


_BUILD: dict[str, Callable[[Any], Any]] = {
    "sources": building.source,
    "misconceptions": building.misconception,
    "glossary": building.term,
    "exhibits": building.exhibit,
    "gpus": building_systems.gpu,
    "clusters": building_systems.cluster,
    "calibrations": building_systems.calibration,
    "models": building_systems.model,
    "methods": building_systems.method,
    "accuracy": building_systems.accuracy,
    "drills": building_systems.drill,
    "items": building.item,
    "generators": building.generator,
    "concepts": building.concept,
}


@dataclass(slots=True)
class _Entry:
    noun: Any
    document: Document
    path: str


@dataclass(slots=True)
class Compilation:
    """A bundle in the making, with the place of every entry for messages."""

    problems: list[Problem] = field(default_factory=list)
    entries: dict[str, dict[str, _Entry]] = field(default_factory=lambda: {kind: {} for kind in _BUILD})
    revisions: list[Blueprint] = field(default_factory=list)

    def fault(self, entry: _Entry, where: str, message: str) -> None:
        place = f"{entry.path}.{where}".strip(".")
        self.problems.append(
            Problem(file=entry.document.file, line=entry.document.line(place), field=place, message=message)
        )


def stamp(folder: Path) -> str:
    """Hash the names and bytes of a folder's content files."""
    digest = hashlib.sha256(b"burnin content 1")
    for path in files(folder):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        try:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        except OSError:
            continue  # told where it is compiled
    return digest.hexdigest()[:32]


def compile_folder(
    folder: Path, known: Bundle | None = None, label: str = ""
) -> tuple[Bundle, list[Problem]]:
    """Read a content folder. What is faulty is left out and told; the rest is kept.

    ``known`` is content that this folder may refer to and may not redefine;
    ``label`` stands before file names in messages.
    """
    known = known or Bundle(stamp="")
    work = Compilation()
    for path in files(folder):
        relative = path.relative_to(folder).as_posix()
        top = relative.partition("/")[0]
        name = f"{label}{relative}"
        if top == "schema":
            continue
        if top != "exams" and top not in raw.FOLDERS:
            folders = ", ".join(["exams", *raw.FOLDERS])
            work.problems.append(
                Problem(file=name, line=0, field="", message=f"not in a content folder ({folders})")
            )
            continue
        try:
            document = parse(path.read_bytes(), name)
        except OSError as error:
            work.problems.append(
                Problem(file=name, line=0, field="", message=f"cannot be read: {error.strerror}")
            )
            continue
        if isinstance(document, Problem):
            work.problems.append(document)
        elif top == "exams":
            _blueprint(work, document)
        else:
            _entries(work, document, top)
    _check(work, known)
    kept = {kind: tuple(e.noun for e in entries.values()) for kind, entries in work.entries.items()}
    bundle = Bundle(stamp=stamp(folder), revisions=tuple(work.revisions), **kept)
    return bundle, sorted(work.problems)


def _blueprint(work: Compilation, document: Document) -> None:
    entry = convert(document, document.value, raw.BlueprintFile, "")
    if isinstance(entry, Problem):
        work.problems.append(entry)
        return
    faults = list(rules.blueprint_faults(entry))
    for where, message in faults:
        work.fault(_Entry(None, document, ""), where, message)
    if not faults:
        work.revisions.append(building.blueprint(entry, document.value))


def _entries(work: Compilation, document: Document, folder: str) -> None:
    file_form, lists = raw.FOLDERS[folder]
    value = document.value
    present = [key for key in lists if key in value] if isinstance(value, dict) else []
    if not present or not all(isinstance(value[key], list) for key in present):
        wanted = " or ".join(map(repr, lists))
        message = f"must be a mapping with schema: 1 and a list {wanted}"
        work.problems.append(Problem(file=document.file, line=1, field="", message=message))
        return
    outer = convert(document, {**value, **{key: [] for key in present}}, file_form, "")
    if isinstance(outer, Problem):
        work.problems.append(outer)
        return
    for kind in present:
        for number, plain in enumerate(value[kind]):
            _entry(work, document, kind, plain, f"{kind}[{number}]", lists[kind])


def _entry(
    work: Compilation, document: Document, kind: str, plain: Any, path: str, form: type[msgspec.Struct]
) -> None:
    entry = convert(document, plain, form, path)
    if isinstance(entry, Problem):
        work.problems.append(entry)
        return
    noun = _BUILD[kind](entry)
    placed = _Entry(noun, document, path)
    first = work.entries[kind].get(noun.id)
    if first is not None:
        line = first.document.line(first.path)
        work.fault(placed, "id", f"{noun.id!r} stands already in {first.document.file}:{line}")
    else:
        work.entries[kind][noun.id] = placed


def _check(work: Compilation, known: Bundle) -> None:
    """Drop entries that contradict the rest, in the order in which they lean on each other."""
    for kind in work.entries:
        taken = {noun.id for noun in getattr(known, kind)}
        _drop(
            work,
            kind,
            lambda noun, taken=taken: [("id", f"{noun.id!r} is a built-in id")] * (noun.id in taken),
        )
    sources = {s.id for s in known.sources} | set(work.entries["sources"])
    _drop(work, "exhibits", rules.exhibit_faults)
    _drop(work, "misconceptions", lambda noun: rules.misconception_faults(noun, sources))
    _drop(work, "glossary", lambda noun: rules.term_faults(noun, sources))
    gpus = {g.id for g in known.gpus} | set(work.entries["gpus"])
    for kind in ("gpus", "clusters", "calibrations", "models"):
        _drop(work, kind, lambda noun: system_rules.provenance_faults(noun, sources))
    for kind in ("clusters", "calibrations"):
        _drop(work, kind, lambda noun: system_rules.gpu_faults(noun, gpus))
    _drop(work, "models", system_rules.model_faults)
    for kind in ("methods", "accuracy"):
        _drop(work, kind, lambda noun: system_rules.cited_faults(noun, sources))
    _drop(work, "methods", system_rules.method_faults)
    methods = {m.id for m in known.methods} | set(work.entries["methods"])
    _drop(work, "accuracy", lambda noun: system_rules.accuracy_faults(noun, methods))
    blueprints = latest((*known.revisions, *work.revisions))
    _drop(work, "drills", lambda noun: system_rules.cited_faults(noun, sources))
    _drop(work, "drills", lambda noun: system_rules.drill_faults(noun, blueprints))
    misconceptions = {m.id for m in known.misconceptions} | set(work.entries["misconceptions"])
    exhibits = {e.id for e in known.exhibits} | set(work.entries["exhibits"])
    _drop(
        work,
        "items",
        lambda noun: [
            *rules.item_faults(noun, blueprints),
            *rules.link_faults(noun, misconceptions, sources, exhibits),
        ],
    )
    _drop(
        work,
        "generators",
        lambda noun: rules.generator_faults(noun, blueprints, misconceptions, sources),
    )
    askers = {noun.id: noun.exam for kind in (known.items, known.generators) for noun in kind}
    askers |= {e.noun.id: e.noun.exam for k in ("items", "generators") for e in work.entries[k].values()}
    _drop(work, "concepts", lambda noun: rules.concept_faults(noun, blueprints, askers, sources))
    items = {i.id for i in known.items} | set(work.entries["items"])
    for entry in work.entries["items"].values():
        strangers = [enemy for enemy in entry.noun.enemies if enemy not in items]
        for enemy in strangers:
            work.fault(entry, "enemies", f"no item {enemy!r}")
        if strangers:
            entry.noun = replace(entry.noun, enemies=tuple(e for e in entry.noun.enemies if e in items))


def _drop(work: Compilation, kind: str, faults_of: Any) -> None:
    for noun_id, entry in list(work.entries[kind].items()):
        faults = list(faults_of(entry.noun))
        for where, message in faults:
            work.fault(entry, where, message)
        if faults:
            del work.entries[kind][noun_id]


def latest(revisions: tuple[Blueprint, ...]) -> dict[str, Blueprint]:
    """Return the newest revision of each exam, by code."""
    newest: dict[str, Blueprint] = {}
    for blueprint in sorted(revisions, key=lambda b: b.as_of):
        newest[blueprint.code] = blueprint
    return newest


def pack(bundle: Bundle) -> bytes:
    """Encode a bundle compactly."""
    return msgspec.msgpack.encode(bundle)


def unpack(data: bytes) -> Bundle:
    """Decode what ``pack`` made; ``msgspec.DecodeError`` on anything else."""
    return msgspec.msgpack.decode(data, type=Bundle)
