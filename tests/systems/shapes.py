"""Models and cards that tests speak of, from the built-in content."""

from __future__ import annotations

from functools import cache

from burnin.catalog import Catalog, load
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model


@cache
def catalog() -> Catalog:
    return load()


def model(name: str) -> Model:
    return catalog().models[name]


def gpu(name: str) -> Gpu:
    return catalog().gpus[name]


def cluster(name: str) -> Cluster:
    return catalog().clusters[name]
