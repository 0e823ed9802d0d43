from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.domain.form import Form, RenderedItem
from burnin.exam.scoring import ALL_OR_NOTHING, RULES, score

from .builders import blueprint, item, shelf, small_form, whole_form


def two_domains() -> tuple[Form, tuple[RenderedItem, ...]]:
    bank = [item("a1", "a"), item("a2", "a", choose=2), item("b1", "b")]
    return whole_form(blueprint({"a": 2, "b": 1}), bank, shelf())


@pytest.mark.parametrize(
    ("answers", "earned", "by_domain", "outcomes"),
    [
        ({}, 0, (0, 0), {"a1": "unanswered", "a2": "unanswered", "b1": "unanswered"}),
        ({"a1": ["ash"]}, 1, (1, 0), {"a1": "right", "a2": "unanswered", "b1": "unanswered"}),
        (
            {"a1": ["birch"], "a2": ["ash", "birch"], "b1": ["ash"]},
            2,
            (1, 1),
            {"a1": "wrong", "a2": "right", "b1": "right"},
        ),
        (
            {"a1": [], "a2": ["birch"], "b1": ["elm"]},
            0,
            (0, 0),
            {"a1": "unanswered", "a2": "incomplete", "b1": "wrong"},
        ),
        (
            {"a1": ["ash", "birch"], "a2": ["ash", "birch", "cedar"], "b1": ["ash"]},
            1,
            (0, 1),
            {"a1": "incomplete", "a2": "incomplete", "b1": "right"},
        ),
        ({"a2": ["ash", "elm"]}, 0, (0, 0), {"a1": "unanswered", "a2": "wrong", "b1": "unanswered"}),
        (
            {"a1": ["ash"], "a2": ["birch", "ash"], "b1": ["ash"]},
            3,
            (2, 1),
            {"a1": "right", "a2": "right", "b1": "right"},
        ),
    ],
)
def test_cases_computed_by_hand(
    answers: dict[str, list[str]], earned: int, by_domain: tuple[int, int], outcomes: dict[str, str]
) -> None:
    form, items = two_domains()
    result = score(form, items, answers, ALL_OR_NOTHING)
    assert (result.earned, result.possible) == (earned, 3)
    assert tuple(d.earned for d in result.domains) == by_domain
    assert tuple((d.id, d.weight, d.possible) for d in result.domains) == (("a", 2, 2), ("b", 1, 1))
    assert {s.item: s.outcome for s in result.items} == outcomes
    assert [s.item for s in result.items] == [e.item for e in form.entries]


def test_only_the_key_earns_the_point_of_all_selections() -> None:
    form, items = small_form([item("q", choose=3)])
    ids = [o.id for o in items[0].options]
    earning = [
        selected
        for n in range(len(ids) + 1)
        for selected in itertools.combinations(ids, n)
        if score(form, items, {"q": selected}, ALL_OR_NOTHING).earned
    ]
    assert [set(s) for s in earning] == [set(items[0].key)]


@given(st.data())
def test_the_total_is_the_sum_of_items_and_of_domains(data: st.DataObject) -> None:
    form, items = two_domains()
    rules = {
        **RULES,
        "share/1": lambda selected, key: Fraction(len(selected & key), max(1, len(selected | key))),
    }
    answers = {
        i.id: data.draw(st.lists(st.sampled_from([o.id for o in i.options]), unique=True, max_size=4))
        for i in items
    }
    result = score(form, items, answers, data.draw(st.sampled_from(sorted(rules))), rules=rules)
    assert result.earned == sum(s.earned for s in result.items) == sum(d.earned for d in result.domains)
    assert 0 <= result.earned <= result.possible == 3


def test_a_part_of_a_point_is_called_partly_right() -> None:
    form, items = small_form([item("q", choose=2)])
    rules = {"half/1": lambda selected, key: Fraction(len(selected & key), 2)}
    assert score(form, items, {"q": ["ash", "elm"]}, "half/1", rules=rules).items[0].outcome == "partly"


def test_what_cannot_be_scored_is_named() -> None:
    form, items = two_domains()
    with pytest.raises(ValueError, match="unknown scoring rule 'best/1'; known: all-or-nothing/1"):
        score(form, items, {}, "best/1")
    with pytest.raises(ValueError, match="rendered items are missing: "):
        score(form, items[:2], {}, ALL_OR_NOTHING)
    with pytest.raises(ValueError, match="answers to items it lacks: q9"):
        score(form, items, {"q9": ["ash"]}, ALL_OR_NOTHING)
    with pytest.raises(ValueError, match="item a1 has no option oak"):
        score(form, items, {"a1": ["oak"]}, ALL_OR_NOTHING)
