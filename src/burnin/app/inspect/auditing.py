"""What the bank's options give away."""

from __future__ import annotations

from typing import Any

from burnin.catalog import Catalog


def audit(catalog: Catalog) -> dict[str, Any]:
    """Audit every item that stands; see ``burnin.bank.audit.audit`` for the keys."""
    # numpy is imported only for this one question.
    from burnin.bank.audit import audit as audit_items

    return {**audit_items(list(catalog.items.values())), "bank_version": catalog.version}
