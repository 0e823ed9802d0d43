"""How old the bank's claims are, and which product versions they lean on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date
from typing import Any

from burnin.bank.words import visible
from burnin.catalog import Catalog
from burnin.domain.item import Item

# Software whose behaviour moves from release to release; a card's data sheet does not.
_SOFTWARE = re.compile(
    r"(?<![A-Za-z])(?:TensorRT(?:-LLM)?|Triton|NeMo|NIMs?|Riva|RAPIDS|cuDF|cuML|DALI|Dynamo|Megatron(?:-LM)?|"
    r"Transformer Engine|ModelOpt|Model Optimizer|Model Analyzer|GenAI-Perf|AIPerf|DCGM|NCCL|Nsight|Colang|"
    r"vLLM|SGLang|PyTorch|DeepSpeed|Kubernetes|KServe|Prometheus)(?![A-Za-z])"
)


def freshness(catalog: Catalog, today: date, *, older_than_days: int = 180) -> dict[str, Any]:
    """Count items by the day their claims were last checked and by the versions they lean on.

    Example: ``freshness(load(), date(2027, 1, 1), older_than_days=30)["stale"]`` names the items
    whose claims nobody has checked for more than thirty days.

    ``by_product`` lists, for each product and version that an item declares, the items;
    ``unversioned`` those that name software in stem or options and lean on no version, neither
    their own nor a source's; ``sources`` the days on which sources were last seen.

    Raises ValueError where ``older_than_days`` is negative.
    """
    if older_than_days < 0:
        raise ValueError("older_than_days is a number of days, 0 or more")
    items = sorted(catalog.items.values(), key=lambda item: item.id)
    by_product: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        for product, version in item.products.items():
            by_product[product][version].append(item.id)
    ages = {item.id: (today - date.fromisoformat(item.as_of)).days for item in items}
    cited = {citation.source for item in items for citation in item.sources}
    sources = [catalog.sources[name] for name in sorted(cited)]
    return {
        "today": today.isoformat(),
        "older_than_days": older_than_days,
        "items": len(items),
        "by_as_of": _sorted(Counter(item.as_of for item in items)),
        "stale": [name for name, days in ages.items() if days > older_than_days],
        "oldest_days": max(ages.values(), default=0),
        "by_product": {
            product: {version: by_product[product][version] for version in sorted(by_product[product])}
            for product in sorted(by_product)
        },
        "unversioned": [item.id for item in items if _names_software(item) and not _versioned(item, catalog)],
        "sources": {
            "cited": len(sources),
            "with_version": sum(source.version is not None for source in sources),
            "by_kind": _sorted(Counter(source.kind for source in sources)),
            "by_seen": _sorted(Counter(source.seen for source in sources)),
        },
    }


def _sorted(counted: Counter[str]) -> dict[str, int]:
    return {key: counted[key] for key in sorted(counted)}


def _names_software(item: Item) -> bool:
    texts = [item.stem, *(option.text for option in item.options)]
    return any(_SOFTWARE.search(visible(text)) for text in texts)


def _versioned(item: Item, catalog: Catalog) -> bool:
    return bool(item.products) or any(
        catalog.sources[citation.source].version is not None for citation in item.sources
    )
