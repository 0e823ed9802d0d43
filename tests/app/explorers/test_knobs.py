from urllib.parse import parse_qsl

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burnin.app.simulate.explorers import EXPLORERS, explore
from burnin.app.simulate.explorers.knobs import Choice, Number, address, doubling, read
from tests.systems.shapes import catalog

SIZE = Number(name="size", label="Size", stops=doubling(1, 8), default=2)
SHARE = Number(name="share", label="Share", stops=(0, 0.5, 1), default=0.5, whole=False)
KIND = Choice(name="kind", label="Kind", options=(("a", "An A"), ("b", "A B")), default="a")
KNOBS = (SIZE, SHARE, KIND)


def test_what_is_missing_has_its_default():
    found = read(KNOBS, {})
    assert found.values == {"size": 2, "share": 0.5, "kind": "a"}
    assert found.texts == {"size": "2", "share": "0.5", "kind": "a"}
    assert not found.faults


def test_values_between_stops_are_taken():
    assert read(KNOBS, {"size": "7", "share": " 0.25 "}).values == {"size": 7, "share": 0.25, "kind": "a"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("abc", "a whole number from 1 to 8, not “abc”. Shown with 2."),
        ("9", "a whole number from 1 to 8; 9 is outside. Shown with 2."),
        ("2.5", "not “2.5”"),
        ("x" * 500, "x…”"),
    ],
)
def test_a_wrong_number_is_told_in_one_message_and_its_text_kept(text, says):
    found = read(KNOBS, {"size": text})
    assert says in found.faults["size"]
    assert len(found.faults["size"]) < 120
    assert found.values["size"] == 2
    assert found.texts["size"] == text


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999"])
def test_no_number_is_outside_of_every_range(text):
    assert read(KNOBS, {"share": text}).values["share"] == 0.5
    assert "outside" in read(KNOBS, {"share": text}).faults["share"]


def test_a_wrong_choice_is_told_and_the_list_shows_what_is_used():
    found = read(KNOBS, {"kind": "z"})
    assert found.faults == {"kind": "There is no “z” to choose here. Shown with An A."}
    assert found.texts["kind"] == "a"


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 8), st.sampled_from(["a", "b"]), st.sampled_from([0, 0.125, 0.5, 1]))
def test_an_address_read_gives_the_same_values(size, kind, share):
    values = {"size": size, "share": share, "kind": kind}
    assert read(KNOBS, dict(parse_qsl(address(KNOBS, values)))).values == values


@pytest.mark.parametrize("name", EXPLORERS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_query_at_all_gets_an_answer(name, data):
    explorer = EXPLORERS[name]
    knobs = [knob.name for group in explorer.groups(catalog()) for knob in group.knobs]
    texts = st.one_of(st.text(max_size=8), st.integers(-10, 5000).map(str), st.floats().map(str))
    query = data.draw(st.dictionaries(st.sampled_from(knobs), texts, max_size=4))
    found = explore(explorer, catalog(), query)
    assert (found.view is None) == bool(found.refusal)


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_example_is_without_fault_and_every_link_leads_to_an_answer(name):
    explorer = EXPLORERS[name]
    first = explore(explorer, catalog(), {})
    assert len(first.presets) == len(explorer.presets)
    for _, query in first.presets:
        found = explore(explorer, catalog(), dict(parse_qsl(query)))
        assert found.here == query
        assert found.view is not None
        links = [link for table in found.view.tables for link in table.links if link]
        for values in [*links[:4], *(change.values for change in found.view.changes)]:
            there = explore(explorer, catalog(), dict(parse_qsl(found.to(values))))
            assert there.view is not None, (query, values, there.refusal)
            assert not there.reading.faults


@pytest.mark.parametrize("name", EXPLORERS)
def test_an_empty_catalogue_is_refused_in_words(name):
    from tests.web.bank import catalog as bank

    found = explore(EXPLORERS[name], bank(), {})
    assert found.view is not None or "known" in found.refusal
