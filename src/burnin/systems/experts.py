"""A mixture of experts in round numbers: what is stored, what a token uses, what a rank holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.systems.term import show


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertParams:
    """Parameters of a mixture, in whatever unit they were given in."""

    stored: float
    active: float
    rank: float
    formula: str


def expert_params(*, shared: float, expert: float, experts: int, active: int, ranks: int = 1) -> ExpertParams:
    """Return what a mixture stores, what one token passes through, and what one expert-parallel rank holds.

    >>> sizes = expert_params(shared=1.6, expert=5.64, experts=8, active=2, ranks=4)   # Mixtral 8x7B, in billions
    >>> round(sizes.stored, 1), round(sizes.active, 1), round(sizes.rank, 1)
    (46.7, 12.9, 12.9)

    ``shared`` are the parameters that every token uses (attention, embeddings), ``expert``
    those of one expert in all layers. Expert parallelism spreads the experts over ``ranks``
    and repeats what is shared. ValueError for experts that ranks cannot share evenly, or
    more active experts than there are. Source: Jiang et al., Mixtral of Experts, arXiv
    2401.04088, section 2.1.
    """
    if not 1 <= active <= experts:
        raise ValueError(f"active must be from 1 to {experts}")
    if ranks < 1 or experts % ranks:
        raise ValueError(f"{experts} experts do not divide over {ranks} ranks")
    held = experts // ranks
    return ExpertParams(
        stored=shared + experts * expert,
        active=shared + active * expert,
        rank=shared + held * expert,
        formula=f"{show(shared)} + {held} x {show(expert)}",
    )


def distinct_experts(experts: Any, active: Any, tokens: Any) -> Any:
    """Return how many experts a batch of tokens reaches on average, were they routed evenly and apart.

    >>> distinct_experts(8, 2, 1), round(distinct_experts(8, 2, 8), 2)
    (2.0, 7.2)

    Each token misses a given expert with chance 1 - active / experts. Real routers are
    uneven and reach fewer. Numbers, or arrays of them, an entry a case. ValueError for
    more active experts than there are.
    """
    if np.any(np.less(active, 1) | np.greater(active, experts) | np.less(tokens, 0)):
        raise ValueError(f"active must be from 1 to {experts}, and tokens no less than 0")
    return experts * (1.0 - (1.0 - active / experts) ** tokens)
