from itertools import product

import pytest

from burnin.systems.placement import coordinates, groups, members
from burnin.systems.plan import Plan
from tests.systems.shapes import cluster

SIZES = list(product((1, 2, 4), (1, 2), (1, 2, 3), (1, 2, 4)))


@pytest.mark.parametrize(("tensor", "context", "data", "pipeline"), SIZES)
def test_groups_of_a_kind_partition_the_ranks_and_differ_in_that_coordinate_alone(
    tensor, context, data, pipeline
):
    plan = Plan(tensor=tensor, context=context, data=data, pipeline=pipeline)
    for group in groups(plan, cluster("dgx-h100")):
        together = {members(plan, group, rank) for rank in range(plan.ranks)}
        assert sorted(rank for ranks in together for rank in ranks) == list(range(plan.ranks))
        assert {len(ranks) for ranks in together} == {group.size}
        if group.kind == "expert":
            continue
        for ranks in together:
            places = [coordinates(plan, rank) for rank in ranks]
            assert sorted(place[group.kind] for place in places) == list(range(group.size))
            assert len({tuple(v for k, v in place.items() if k != group.kind) for place in places}) == 1


def test_domains_touched_are_those_of_the_worst_placed_group():
    # Three tensor ranks a group: ranks 6 to 8 straddle two nodes of eight.
    found = {g.kind: g for g in groups(Plan(tensor=3, data=4), cluster("dgx-h100"))}
    assert found["tensor"].domains == 2
    assert not found["tensor"].inside
