"""Cards, clusters and models by any name that people write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from burnin.app.errors import BadRequest
from burnin.catalog import Catalog
from burnin.domain.hardware import Cluster, Gpu
from burnin.domain.model import Model


def folded(name: str) -> str:
    """Return a name as it is compared: letters and digits alone, lower case."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def find(nouns: Mapping[str, Any], name: str) -> Any | None:
    """Return the entry whose id, name or alias is ``name``, whatever its case and punctuation; or None."""
    wanted = folded(name)
    for noun in nouns.values():
        if wanted in {folded(known) for known in (noun.id, noun.name, *noun.aliases)}:
            return noun
    return None


def gpu_of(catalog: Catalog, name: str) -> Gpu:
    """Return a card; BadRequest names those there are."""
    found: Gpu = _required(catalog.gpus, name, "GPU")
    return found


def model_of(catalog: Catalog, name: str) -> Model:
    """Return a model; BadRequest names those there are."""
    found: Model = _required(catalog.models, name, "model")
    return found


def cluster_of(catalog: Catalog, name: str) -> Cluster:
    """Return a cluster by its own name or by its card's; BadRequest names those there are."""
    found: Cluster | None = find(catalog.clusters, name)
    if found is None:
        gpu = find(catalog.gpus, name)
        found = next((c for c in catalog.clusters.values() if gpu and c.gpu == gpu.id), None)
    if found is None:
        raise BadRequest(f"no cluster {name!r}; known: {', '.join(sorted(catalog.clusters))}")
    return found


def _required(nouns: Mapping[str, Any], name: str, kind: str) -> Any:
    found = find(nouns, name)
    if found is None:
        raise BadRequest(f"no {kind} {name!r}; known: {', '.join(sorted(nouns))}")
    return found
