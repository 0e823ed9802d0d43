from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from burnin.exam.apart import compatible, conflicts

from .builders import item


def test_families_and_enemies_are_kept_apart_both_ways() -> None:
    bank = [
        item("a", family="f"),
        item("b", family="f"),
        item("c", enemies=("a", "elsewhere")),
        item("d", enemies=("d",)),
    ]
    assert conflicts(bank) == {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}, "d": frozenset()}


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_finds_a_set_exactly_when_there_is_one(data: st.DataObject) -> None:
    ids = [f"q{n}" for n in range(data.draw(st.integers(1, 10)))]
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=30))
    apart = {i: frozenset(b for a, b in pairs | {(b, a) for a, b in pairs} if a == i and b != i) for i in ids}
    group = {i: data.draw(st.sampled_from("xyz")) for i in ids}
    groups = {g: [i for i in ids if group[i] == g] for g in "xyz"}
    needed = {g: data.draw(st.integers(0, 4)) for g in "xyz"}

    def good(chosen: tuple[str, ...]) -> bool:
        enough = all(sum(group[i] == g for i in chosen) >= n for g, n in needed.items())
        return enough and not any(b in apart[a] for a, b in itertools.combinations(chosen, 2))

    possible = any(good(c) for n in range(len(ids) + 1) for c in itertools.combinations(ids, n))
    found = compatible(needed, groups, apart)
    if found is None:
        assert not possible
    else:
        free = tuple(i for i in ids if not apart[i])
        assert good((*found, *free))
        assert len(set(found)) == len(found)
        assert not set(found) & set(free)


def test_turns_back_where_the_first_choice_was_wrong() -> None:
    enemies = [("a1", "b3"), ("b1", "b2"), ("a2", "b2")]
    ids = ["a1", "a2", "b1", "b2", "b3"]
    apart = {i: frozenset(j for pair in enemies if i in pair for j in pair if j != i) for i in ids}
    found = compatible({"a": 1, "b": 2}, {"a": ["a1", "a2"], "b": ["b1", "b2", "b3"]}, apart)
    assert found is not None
    assert set(found) == {"a2", "b1", "b3"}


def test_many_large_families_are_searched_quickly_to_an_end() -> None:
    # 30 families of 10 hold 30 compatible items, not 31: equal members need not be tried in turn.
    ids = [f"q{n}" for n in range(300)]
    apart = {i: frozenset(j for j in ids if j != i and int(j[1:]) // 10 == int(i[1:]) // 10) for i in ids}
    assert len(compatible({"a": 30}, {"a": ids}, apart) or []) == 30
    assert compatible({"a": 31}, {"a": ids}, apart) is None
