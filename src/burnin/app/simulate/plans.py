"""A plan from what a face asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnin.app.errors import BadRequest
from burnin.systems.plan import Plan
from burnin.systems.states import OPTIMIZERS


def plan_of(values: Mapping[str, Any]) -> Plan:
    """Return a plan from its fields; without a batch one that keeps every pipeline stage busy.

    ``overlap`` sets all overlap switches but the experts', ``flash`` may be a
    truth value. BadRequest for an optimizer that is not known.
    """
    fields = dict(values)
    overlap = fields.pop("overlap", True)
    fields.update(overlap_tensor=overlap, overlap_pipeline=overlap, overlap_data=overlap)
    if isinstance(fields.get("flash"), bool):
        fields["flash"] = 2 if fields["flash"] else 0
    if fields.get("global_batch") is None:
        fields["global_batch"] = fields["micro_batch"] * fields["data"] * fields["pipeline"]
    plan = Plan(**fields)
    if plan.optimizer not in OPTIMIZERS:
        raise BadRequest(f"no optimizer {plan.optimizer!r}; known: {', '.join(OPTIMIZERS)}")
    return plan
