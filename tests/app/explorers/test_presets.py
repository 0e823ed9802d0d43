"""Explorers opened from questions show the question's own numbers."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from burnin.app.simulate.explorers import EXPLORERS, explore
from burnin.catalog import load
from burnin.domain.item import Item
from burnin.itemgen import make

CATALOG = load()


def _items() -> list[Item]:
    static = [item for item in CATALOG.items.values() if item.explore]
    computed = [
        make(words, seed) for words in CATALOG.generators.values() if words.explore for seed in range(5)
    ]
    return static + computed


@pytest.mark.parametrize("item", _items(), ids=lambda item: item.id)
def test_an_items_explorer_opens_without_a_fault(item: Item) -> None:
    assert item.explore
    name, _, query = item.explore.partition("?")
    explored = explore(EXPLORERS[name], CATALOG, dict(parse_qsl(query)))
    assert explored.reading.faults == {}
    assert explored.refusal == ""
    known = {knob.name for knob in explored.knobs}
    assert {key for key, _ in parse_qsl(query)} <= known


def test_the_bubble_that_an_explorer_shows_is_the_right_answer() -> None:
    words = CATALOG.generators["calc-pipe-bubble-share"]
    for seed in range(5):
        item = make(words, seed)
        assert item.explore
        name, _, query = item.explore.partition("?")
        view = explore(EXPLORERS[name], CATALOG, dict(parse_qsl(query))).view
        assert view is not None
        right = next(option.text for option in item.options if option.correct)
        percent = round(float(view.answer.partition("ranks idle ")[2].partition(" %")[0]))
        assert f" {percent} %" in right
