"""The small bank with the built-in cards, clusters and models, for the explorers."""

from __future__ import annotations

from dataclasses import replace

from burnin.catalog import Catalog
from tests.systems.shapes import catalog as built_in
from tests.web import bank

EXPLORE = {"domain-1/first": ["memory?model=llama-3.1-70b", "training"], "domain-1/second": "not a list"}


def catalog() -> Catalog:
    small, whole = bank.catalog(), built_in()
    plan = small.blueprints["NCP-GENL"]
    plan = replace(plan, facts={**plan.facts, "explore": EXPLORE})
    return replace(
        small,
        blueprints={"NCP-GENL": plan},
        revisions=(plan,),
        gpus=whole.gpus,
        clusters=whole.clusters,
        calibrations=whole.calibrations,
        models=whole.models,
    )
