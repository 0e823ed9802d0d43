"""Which ranks form which group, and which groups stay inside an NVLink domain."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.hardware import Cluster
from burnin.systems.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One kind of group: its size, the step between its ranks, and how many domains one group touches."""

    kind: str
    size: int
    stride: int
    domains: int

    @property
    def inside(self) -> bool:
        """Whether a group stays in one NVLink domain."""
        return self.domains == 1


def coordinates(plan: Plan, rank: int) -> dict[str, int]:
    """Return a rank's place in each dimension, in Megatron's order: TP next to each other, then CP, DP, PP.

    >>> coordinates(Plan(tensor=2, data=2, pipeline=2), 5)
    {'tensor': 1, 'context': 0, 'data': 0, 'pipeline': 1}
    """
    if not 0 <= rank < plan.ranks:
        raise ValueError(f"rank must be from 0 to {plan.ranks - 1}")
    place = {}
    for name in ("tensor", "context", "data", "pipeline"):
        rank, place[name] = divmod(rank, getattr(plan, name))
    return place


def groups(plan: Plan, cluster: Cluster) -> tuple[Group, ...]:
    """Return the groups of a plan with the domains that the worst-placed of each kind touches."""
    domain = max(cluster.nvlink_domain, 1)
    dense = plan.tensor * plan.context * plan.data
    kinds = (
        ("tensor", plan.tensor, 1),
        ("context", plan.context, plan.tensor),
        ("data", plan.data, plan.tensor * plan.context),
        ("expert", plan.expert, 1),
        ("pipeline", plan.pipeline, dense),
    )
    found = []
    for kind, size, stride in kinds:
        starts = _starts(plan, size, stride)
        touched = max(len({(start + i * stride) // domain for i in range(size)}) for start in starts)
        found.append(Group(kind=kind, size=size, stride=stride, domains=touched))
    return tuple(found)


def _starts(plan: Plan, size: int, stride: int) -> list[int]:
    """First ranks of all groups with that size and stride."""
    block = size * stride
    return [base + offset for base in range(0, plan.ranks, block) for offset in range(stride)]


def members(plan: Plan, group: Group, rank: int) -> tuple[int, ...]:
    """Return the ranks of the group of one kind that a rank belongs to, itself included.

    >>> plan = Plan(tensor=2, data=2, pipeline=2)
    >>> members(plan, Group(kind="data", size=2, stride=2, domains=1), 5)
    (5, 7)
    """
    block = group.size * group.stride
    start = rank // block * block + rank % group.stride
    return tuple(start + i * group.stride for i in range(group.size))
