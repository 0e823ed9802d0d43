"""All content in memory, by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from burnin.catalog.problem import Problem
from burnin.domain.blueprint import Blueprint
from burnin.domain.drill import Drill
from burnin.domain.generator import GeneratorWords
from burnin.domain.hardware import Calibration, Cluster, Gpu
from burnin.domain.item import Concept, Exhibit, Item, Misconception, Source, Term
from burnin.domain.model import Model
from burnin.domain.quantization import KeptAccuracy, QuantMethod


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Everything burnin can ask and explain.

    ``blueprints`` holds the latest revision of each exam, ``revisions`` all of
    them, oldest first. ``version`` changes when any content does. ``problems``
    lists what was left out, and why.
    """

    blueprints: Mapping[str, Blueprint]
    revisions: tuple[Blueprint, ...]
    items: Mapping[str, Item]
    misconceptions: Mapping[str, Misconception]
    sources: Mapping[str, Source]
    exhibits: Mapping[str, Exhibit]
    gpus: Mapping[str, Gpu] = field(default_factory=dict)
    clusters: Mapping[str, Cluster] = field(default_factory=dict)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    methods: Mapping[str, QuantMethod] = field(default_factory=dict)
    accuracy: Mapping[str, KeptAccuracy] = field(default_factory=dict)
    drills: Mapping[str, Drill] = field(default_factory=dict)
    generators: Mapping[str, GeneratorWords] = field(default_factory=dict)
    glossary: Mapping[str, Term] = field(default_factory=dict)
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    version: str
    problems: tuple[Problem, ...] = field(default=())

    def candidates(self, blueprint: Blueprint) -> Sequence[Item]:
        """Return the items that a form of this blueprint may draw from, by id."""
        domains = {domain.id for domain in blueprint.domains}
        return [
            item
            for _, item in sorted(self.items.items())
            if item.exam == blueprint.code and item.domain in domains
        ]
