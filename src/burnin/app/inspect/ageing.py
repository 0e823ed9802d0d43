"""How old the bank's claims are today."""

from __future__ import annotations

from datetime import date
from typing import Any

from burnin.bank.freshness import freshness as measure
from burnin.catalog import Catalog


def freshness(catalog: Catalog, today: date, *, older_than_days: int = 180) -> dict[str, Any]:
    """Count items by age and by product version; see ``burnin.bank.freshness`` for the keys."""
    return {**measure(catalog, today, older_than_days=older_than_days), "bank_version": catalog.version}
