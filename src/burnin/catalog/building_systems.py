"""Validated hardware and model entries to the nouns of ``domain``."""

from __future__ import annotations

from typing import Any

import msgspec

from burnin.catalog import system_forms as forms
from burnin.domain.drill import Drill
from burnin.domain.hardware import Calibration, Cluster, Gpu, Provenance
from burnin.domain.model import Experts, LatentAttention, Model, PublishedPlan, StateSpace
from burnin.domain.quantization import KeptAccuracy, QuantMethod


def gpu(entry: forms.RawGpu) -> Gpu:
    return Gpu(**_fields(entry))


def cluster(entry: forms.RawCluster) -> Cluster:
    return Cluster(**_fields(entry))


def calibration(entry: forms.RawCalibration) -> Calibration:
    return Calibration(**_fields(entry))


def method(entry: forms.RawQuantMethod) -> QuantMethod:
    return QuantMethod(**_fields(entry))


def accuracy(entry: forms.RawKeptAccuracy) -> KeptAccuracy:
    return KeptAccuracy(**_fields(entry))


def drill(entry: forms.RawDrill) -> Drill:
    return Drill(**_fields(entry))


def model(entry: forms.RawModel) -> Model:
    fields = _fields(entry)
    nested: dict[str, Any] = {
        "latent": LatentAttention,
        "experts": Experts,
        "state_space": StateSpace,
        "published_plan": PublishedPlan,
    }
    for name, noun in nested.items():
        if fields[name] is not None:
            fields[name] = noun(**msgspec.structs.asdict(fields[name]))
    return Model(**fields)


def _fields(entry: Any) -> dict[str, Any]:
    fields = msgspec.structs.asdict(entry)
    fields["sources"] = tuple(
        Provenance(source=s.source, locator=s.locator.strip(), fields=s.fields) for s in entry.sources
    )
    return fields
