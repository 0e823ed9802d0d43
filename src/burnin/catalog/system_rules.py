"""What the forms of hardware and models cannot say: provenance and shapes that must agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields

from burnin.catalog.rules import Fault
from burnin.domain.blueprint import Blueprint
from burnin.domain.drill import Drill
from burnin.domain.hardware import Calibration, Cluster, Gpu
from burnin.domain.model import Model
from burnin.domain.quantization import KeptAccuracy, QuantMethod

_NOT_FACTS = {"id", "name", "family", "aliases", "sources", "assumptions", "note", "gpu"}


def provenance_faults(noun: Gpu | Cluster | Model | Calibration, sources: Collection[str]) -> Iterator[Fault]:
    """Yield sources that are not there, and facts that neither a source nor ``assumptions`` covers.

    A source that names no fields covers all of them. A calibration carries its
    provenance in fields of its own.
    """
    known = {field.name for field in fields(noun)}
    covered: set[str] = set()
    for number, entry in enumerate(noun.sources):
        if entry.source not in sources:
            yield f"sources[{number}].source", f"no source {entry.source!r}"
        for name in entry.fields:
            if name not in known:
                yield f"sources[{number}].fields", f"no field {name!r}"
        covered.update(entry.fields or known)
    if isinstance(noun, Calibration):
        return
    for name in noun.assumptions:
        if name not in known:
            yield "assumptions", f"no field {name!r}"
    covered.update(noun.assumptions)
    defaults = {field.name: field.default for field in fields(noun)}
    for name in sorted(known - covered - _NOT_FACTS):
        if getattr(noun, name) != defaults[name]:
            yield name, "stands without a source: name it in sources[…].fields or in assumptions"


def gpu_faults(noun: Cluster | Calibration, gpus: Collection[str]) -> Iterator[Fault]:
    if noun.gpu not in gpus:
        yield "gpu", f"no GPU {noun.gpu!r}; known: {', '.join(sorted(gpus))}"


def cited_faults(noun: QuantMethod | KeptAccuracy | Drill, sources: Collection[str]) -> Iterator[Fault]:
    """Yield sources that are not there."""
    for number, entry in enumerate(noun.sources):
        if entry.source not in sources:
            yield f"sources[{number}].source", f"no source {entry.source!r}"


def method_faults(noun: QuantMethod) -> Iterator[Fault]:
    if bool(noun.group) != bool(noun.scale_bits):
        yield "group", "group and scale_bits go together"
    if noun.peak and noun.peak != noun.activations:
        yield "peak", f"products run in the activations' format, {noun.activations}"


def accuracy_faults(noun: KeptAccuracy, methods: Collection[str]) -> Iterator[Fault]:
    if noun.method not in methods:
        yield "method", f"no method {noun.method!r}; known: {', '.join(sorted(methods))}"


def drill_faults(noun: Drill, blueprints: Mapping[str, Blueprint]) -> Iterator[Fault]:
    blueprint = blueprints.get(noun.exam)
    known = (
        {f"{domain.id}/{name}" for domain in blueprint.domains for name in domain.objectives}
        if blueprint
        else set()
    )
    if blueprint is None:
        yield "exam", f"no such exam; known: {', '.join(sorted(blueprints))}"
    elif noun.objective not in known:
        yield "objective", f"{noun.exam} has no objective {noun.objective!r}"


def model_faults(model: Model) -> Iterator[Fault]:
    if model.latent is None and model.heads % model.kv_heads:
        yield "kv_heads", f"{model.heads} heads cannot share {model.kv_heads} KV heads evenly"
    if model.window_layers > model.attending:
        yield "window_layers", f"more than the {model.attending} layers that attend"
    if bool(model.window) != bool(model.window_layers):
        yield "window", "window and window_layers go together"
    if model.experts is not None:
        if model.experts.active > model.experts.count:
            yield "experts.active", f"more than the {model.experts.count} experts there are"
        if model.experts.dense_layers > model.with_mlp:
            yield "experts.dense_layers", f"more than the {model.with_mlp} layers with an MLP"
        if model.experts.dense_layers and not model.ffn:
            yield "ffn", "dense layers need a width"
    elif not model.ffn:
        yield "ffn", "a model without experts needs a width"
    for name in ("attending", "with_mlp"):
        if getattr(model, name) > model.layers:
            field = {"attending": "attention_layers", "with_mlp": "mlp_layers"}[name]
            yield field, f"more than the {model.layers} layers"
