"""Explorers as plain pages and forms, without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnin.app.simulate.explorers import EXPLORERS
from burnin.app.take import EventKind
from burnin.app.wiring import open_services
from burnin.catalog import load
from burnin.web.app import create_app
from tests.app.desk import HandClock
from tests.web import machines
from tests.web.desk import Client, Desk, form_fields, text

PAGES = tuple(EXPLORERS)
BIG = "/explore/pipeline?stages=16&micro_batches=64"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    clock = HandClock()
    services = open_services(tmp_path / "home", clock=clock, catalog=machines.catalog())
    with Client(create_app(services)) as client:
        yield Desk(client, services, clock)
    services.close()


def answer(page: str) -> str:
    return text(page.partition('id="answer">')[2].partition("</p>")[0])


def test_all_explorers_are_one_click_from_every_page_and_named(desk: Desk) -> None:
    assert '<a href="/explore">' in desk.get("/exams").text
    page = desk.get("/explore").text
    for name, explorer in EXPLORERS.items():
        assert f'href="/explore/{name}"' in page
        assert explorer.terminal in page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_answers_in_words_picture_table_sums_and_command(desk: Desk, name: str) -> None:
    page = desk.get(f"/explore/{name}").text
    assert answer(page).endswith(".")
    assert 'role="img"' in page
    assert page.count("<table") >= 2
    assert "arXiv" in page
    terminal = {"parallelism": "placement", "training": "train"}
    assert f"burnin sim {terminal.get(name, name)} --" in page


@pytest.mark.parametrize("name", PAGES)
def test_the_form_sent_as_it_stands_asks_for_the_same(desk: Desk, name: str) -> None:
    page = desk.get(f"/explore/{name}").text
    # A browser sends what is selected in lists too, which the reading of inputs leaves out.
    lists = dict(re.findall(r'<select id="k-\w+" name="(\w+)".*?value="([^"]*)" selected', page))
    again = desk.get(f"/explore/{name}", params={**form_fields(page, "knobs"), **lists}).text
    assert answer(again) == answer(page)
    address = page.partition('id="here" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert answer(desk.get(f"/explore/{name}{address}").text) == answer(page)


@pytest.mark.parametrize("name", PAGES)
def test_every_example_opens_and_is_marked_as_the_one_shown(desk: Desk, name: str) -> None:
    page = desk.get(f"/explore/{name}").text
    links = re.findall(r'<a class="button" href="(\?[^"]+)"', page)
    assert len(links) == len(EXPLORERS[name].presets)
    for link in links:
        opened = desk.get(f"/explore/{name}{link.replace('&amp;', '&')}").text
        assert f'href="{link}" aria-current="true"' in opened


def test_a_turned_knob_changes_the_answer_and_stays_turned(desk: Desk) -> None:
    page = desk.get("/explore/memory?model=llama-3.1-70b&dp=64&zero=3").text
    assert "Does not fit: " in answer(page)
    assert "smallest change that fits" in answer(page)
    assert 'name="dp" value="64"' in page
    assert "Fits" in answer(desk.get("/explore/memory?model=llama-3.1-70b&dp=64&zero=3&recompute=full").text)


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("micro=abc", "micro", "This is a whole number from 1 to 64, not “abc”. Shown with 1."),
        ("micro=0", "micro", "outside"),
        ("gpu=h1000", "gpu", "There is no “h1000” to choose here."),
        ("fragmentation=nan", "fragmentation", "outside"),
        ("micro=1e9999", "micro", "whole number"),
        ("micro=%3Cscript%3E", "micro", "not “&lt;script&gt;”"),
    ],
)
def test_a_bad_value_is_told_beside_its_field_and_the_rest_is_shown(
    desk: Desk, query: str, field: str, says: str
) -> None:
    page = desk.get(f"/explore/memory?{query}").text
    fault = re.search(rf'<p class="fault" id="k-{field}-fault">([^<]*)</p>', page)
    assert fault
    assert says in fault[1]
    control = re.search(rf'<(?:input type="number"|select) id="k-{field}"[^>]*>', page)
    assert control
    assert 'aria-invalid="true"' in control[0]
    assert f"k-{field}-fault" in control[0]
    assert page.count('aria-invalid="true"') == 1
    assert 'role="img"' in page
    assert "<script>" not in page


def test_a_fault_in_a_folded_group_opens_it(desk: Desk) -> None:
    assert desk.get("/explore/memory").text.count('<details class="knob-group" open>') == 4
    assert desk.get("/explore/memory?flash=x").text.count('<details class="knob-group" open>') == 5


def test_a_contradiction_is_the_answer_and_no_picture_pretends(desk: Desk) -> None:
    page = desk.get("/explore/memory?tp=3").text
    assert answer(page) == "This cannot be: tensor parallel 3 does not divide 32 heads."
    assert 'data-verdict="refused"' in page
    assert 'class="picture"' not in page


def test_a_script_gets_the_changing_part_alone(desk: Desk) -> None:
    part = desk.get(BIG, headers={"burnin-part": "1"})
    assert part.text.startswith('<div class="explorer"')
    assert "<html" not in part.text
    assert "<noscript" not in part.text
    assert "burnin-part" in part.headers["vary"]
    assert answer(part.text) == answer(desk.get(BIG).text)


def test_thousands_of_marks_come_as_data_and_as_svg_where_no_script_runs(desk: Desk) -> None:
    page = desk.get(BIG).text
    assert 'data-marks="{' in page
    quiet = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert quiet.count("<rect") >= 2048
    assert "data-marks" not in desk.get("/explore/pipeline").text


def test_unknown_explorers_and_other_methods_are_refused(desk: Desk) -> None:
    desk.get("/explore/nothing", 404)
    assert desk.client.post("/explore/memory").status_code == 405


def test_no_page_has_style_or_script_of_its_own(desk: Desk) -> None:
    for name in PAGES:
        page = desk.get(f"/explore/{name}").text
        assert not re.search(r"<style|\sstyle=|<script(?![^>]* src=)|\son\w+=", page)


def test_an_exam_page_links_objectives_to_explorers(desk: Desk) -> None:
    page = desk.get("/exams/NCP-GENL").text
    assert '<a class="small" href="/explore/memory?model=llama-3.1-70b">' in page
    assert 'href="/explore/training"' in page
    assert "not a list" not in page


def test_reasons_link_to_the_explorer_only_once_they_may_be_seen(desk: Desk) -> None:
    sitting = desk.begin("exam", size=40)
    numbers = [
        entry.number
        for entry in desk.view(sitting).entries
        if desk.services.catalog.items[entry.item].objective == "domain-1/first"
    ]
    assert numbers
    assert "/explore/" not in desk.get(f"/sittings/{sitting}/{numbers[0]}").text.partition("<main")[2]
    from burnin.app.take import Command

    desk.run(desk.services.take.act, sitting, Command("end", EventKind.SUBMITTED))
    page = desk.get(f"/sittings/{sitting}/result").text
    assert page.count('<a href="/explore/memory?model=llama-3.1-70b">memory explorer</a>') == len(numbers)


def test_built_in_exams_name_only_objectives_and_explorers_that_exist() -> None:
    for blueprint in load().blueprints.values():
        objectives = {f"{domain.id}/{name}" for domain in blueprint.domains for name in domain.objectives}
        for objective, places in blueprint.facts.get("explore", {}).items():
            assert objective in objectives
            for place in places:
                name, _, query = place.partition("?")
                explorer = EXPLORERS[name]
                knobs = {knob.name for group in explorer.groups(load()) for knob in group.knobs}
                assert {part.partition("=")[0] for part in query.split("&") if part} <= knobs


def test_an_installation_without_cards_says_so(desk: Desk) -> None:
    from dataclasses import replace

    bare = replace(desk.services.catalog, gpus={}, models={}, clusters={})
    object.__setattr__(desk.services, "catalog", bare)
    for name in ("memory", "parallelism", "training"):
        assert "This cannot be: no model" in desk.get(f"/explore/{name}").text
