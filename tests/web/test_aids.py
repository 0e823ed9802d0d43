"""How sure, notes, strike-out by choice, grid filters, pace, tutorial, and flip points to turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnin.app.inspect import turned
from burnin.app.take import Command, EventKind
from burnin.catalog import load
from burnin.exam.render import render
from burnin.itemgen import SUMS, work_out
from burnin.web.words import pace
from tests.web.browsing import Live
from tests.web.desk import Desk
from tests.web.test_access import violations


def test_exam_conditions_allow_neither_aid_unless_chosen(desk: Desk) -> None:
    plain = desk.get(f"/sittings/{desk.begin('exam')}/1").text
    assert "Strike out" not in plain.partition("<main")[2]
    assert 'id="note"' not in plain
    assert "How sure are you?" not in plain
    form = {
        "exam": "NCP-GENL",
        "conditions": "exam",
        "size": "5",
        "aids": "chosen",
        "strike": "on",
        "notes": "on",
    }
    chosen = desk.get(desk.post("/sittings", form).headers["location"]).text
    assert "Strike out A" in chosen
    assert 'id="note"' in chosen
    off = desk.post("/sittings", {"exam": "NCP-GENL", "conditions": "tutor", "aids": "chosen"}).headers[
        "location"
    ]
    assert "Strike out A" not in desk.get(off).text


def test_the_rules_are_told_before_the_start(desk: Desk) -> None:
    page = desk.get("/sittings/new?exam=NCP-GENL&conditions=exam").text
    assert "never stops" in page
    assert "You may leave and come back" in page
    assert "marked interrupted" in page
    assert "Your first?" in page
    assert 'href="/tutorial">Try the screen' in page


def test_a_note_is_kept_and_never_shown_elsewhere(desk: Desk) -> None:
    sitting = desk.begin("timed")
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, note="half of it <b>", do="note"))
    assert "half of it &lt;b&gt;</textarea>" in desk.get(f"/sittings/{sitting}/1").text
    assert "half of it" not in desk.get(f"/sittings/{sitting}/2").text
    item = desk.question(sitting, 2).asked.id
    answer = desk.client.post(f"/api/sittings/{sitting}/notes", json={"item": item, "text": "two"})
    assert answer.json() == {"ok": True}
    assert ">two</textarea>" in desk.get(f"/sittings/{sitting}/2").text
    other = desk.client.post(f"/api/sittings/{sitting}/notes", json={"item": "nothing", "text": "x"})
    assert other.status_code == 422
    # Without a script, moving on keeps what was written.
    desk.post(f"/sittings/{sitting}/3", desk.fill(sitting, 3, note="three\r\nlines", go="4"))
    assert ">three\nlines</textarea>" in desk.get(f"/sittings/{sitting}/3").text
    long = desk.client.post(f"/api/sittings/{sitting}/notes", json={"item": item, "text": "x" * 4001})
    assert long.status_code == 400
    exam = desk.begin("exam")
    desk.post(f"/sittings/{exam}/1", desk.fill(exam, 1, note="not here"))
    refused = desk.client.post(
        f"/api/sittings/{exam}/notes", json={"item": desk.question(exam, 1).asked.id, "text": "x"}
    )
    assert refused.json()["code"] == "no-notes"
    assert desk.run(desk.services.aids.note, exam, desk.question(exam, 1).asked.id) == ""


def test_the_result_says_what_the_sitting_had(desk: Desk) -> None:
    form = {
        "exam": "NCP-GENL",
        "conditions": "exam",
        "size": "5",
        "extra": "50",
        "aids": "chosen",
        "notes": "on",
    }
    sitting = desk.post("/sittings", form).headers["location"].split("/")[2]
    assert desk.view(sitting).limit_ms == desk.view(desk.begin("exam", size=5)).limit_ms * 3 // 2
    desk.post(f"/sittings/{sitting}/submit", {"nonce": "end"})
    page = desk.get(f"/sittings/{sitting}/result").text
    assert "with 50\u00a0% more time, notes" in page
    # Who has sat one is offered the tutorial in passing only.
    assert "Your first?" not in desk.get("/sittings/new?exam=NCP-GENL&conditions=exam").text


def test_a_tap_is_kept_without_a_script_and_refused_in_an_exam(desk: Desk) -> None:
    sitting = desk.begin("timed")
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o1", rate="unsure"))
    assert desk.question(sitting, 1).rating == "unsure"
    assert desk.question(sitting, 1).selected == ("o1",)
    page = desk.get(f"/sittings/{sitting}/1").text
    assert 'value="unsure" aria-pressed="true"' in page
    exam = desk.begin("exam")
    desk.post(f"/sittings/{exam}/1", desk.fill(exam, 1, rate="sure"), 409)
    assert desk.question(exam, 1).rating is None


def test_the_pace_line_says_ahead_and_behind(desk: Desk) -> None:
    view = desk.view(desk.begin("timed", size=10, minutes=20))
    answered = [replace(entry, chosen=1) for entry in view.entries[:5]]
    half = replace(view, entries=tuple(replace(e, seconds=60) for e in (*answered, *view.entries[5:])))
    assert pace(replace(half, elapsed_ms=3 * 60_000)) == "7 minutes ahead of plan"
    assert pace(replace(half, elapsed_ms=11 * 60_000)) == "1 minute behind plan"
    assert pace(replace(half, elapsed_ms=10 * 60_000)) == "On plan"
    # A question that takes three times as long brings three times the time.
    long = (replace(half.entries[0], seconds=180), *half.entries[1:])
    assert pace(replace(half, entries=long, elapsed_ms=10 * 60_000)) == "2 minutes ahead of plan"
    assert pace(replace(half, limit_ms=None)) == ""


def test_a_flip_point_is_turned_by_the_model() -> None:
    catalog = load(None)
    tried = 0
    for words in list(catalog.generators.values())[:12]:
        made = work_out(words, 3)
        rendered = render(made.item, catalog.blueprints[made.item.exam], catalog)
        for wrong in made.wrong:
            found = turned(catalog, rendered, wrong.slip.misconception)
            if wrong.flip is None:
                assert found is None
                continue
            assert found is not None
            tried += 1
            meets = {value for value, _, meets in found.rows if meets}
            assert f"{float(wrong.flip.at):g}" in {value.replace(",", "") for value in meets}
            assert found.now not in meets
            assert len(found.rows) == len({value for value, _, _ in found.rows}) >= 2
            assert len(found.rows) <= 30
            assert found.knob in SUMS[words.sum].knobs
            # Asked by an earlier version of the generator: its numbers are not turned.
            earlier = replace(rendered, stem=rendered.stem + " (earlier)")
            assert turned(catalog, earlier, wrong.slip.misconception) is None
    assert tried >= 12
    static = replace(rendered, id="genl-gpu-slowest-stage")
    assert turned(catalog, static, "interleave") is None
    assert turned(catalog, rendered, "computed") is None


def test_a_flip_page_opens_only_with_the_reasons(desk: Desk) -> None:
    sitting = desk.begin("exam")
    desk.get(f"/sittings/{sitting}/1/flip/o2", 409)
    desk.get(f"/sittings/{sitting}/99/flip/o2", 404)
    desk.run(desk.services.take.act, sitting, Command("end", EventKind.SUBMITTED))
    desk.get(f"/sittings/{sitting}/1/flip/o2", 404)


@pytest.fixture
def real(tmp_path):
    with Live(tmp_path / "home", load(None)) as live:
        yield live


@pytest.mark.browser
def test_the_slider_crosses_the_boundary(browser, real: Live) -> None:
    from burnin.app.practice import Conditions, Selection

    sitting = real.ask(
        real.services.practice.create(
            "NCP-GENL",
            Selection(items=("calc-pipe-bubble-share",)),
            conditions=Conditions.TUTOR,
            count=1,
            computed=True,
            seed=3,
        )
    )
    asked = real.ask(real.services.take.question(sitting, 1)).asked
    real.ask(real.services.take.act(sitting, Command("r", EventKind.REVEALED, item=asked.id)))
    page = browser.new_page()
    page.goto(f"{real.base}/sittings/{sitting}/1")
    page.locator("details.flip summary").first.click()
    page.locator("text=Turn it until it is").first.click()
    page.wait_for_selector("#says")
    assert "still wrong" in page.inner_text("#says")
    page.focus("#knob")
    meets = page.evaluate(
        "[...document.querySelectorAll('#rows tbody tr')].findIndex(r => r.classList.contains('meets'))"
    )
    start = int(page.get_attribute("#turn", "data-start"))
    for _ in range(abs(meets - start)):
        page.keyboard.press("ArrowRight" if meets > start else "ArrowLeft")
    assert "The wrong option is right" in page.inner_text("#says")
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


@pytest.mark.browser
def test_tap_note_and_filters_with_a_script(browser, live: Live) -> None:
    from burnin.app.take import Conditions

    sitting = live.ask(live.services.take.create("NCP-GENL", conditions=Conditions.TIMED, size=10, seed=3))
    page = browser.new_page()
    page.goto(f"{live.base}/sittings/{sitting}/1")
    page.click("button.rate[value=guess]")
    page.wait_for_selector("#state[data-state=saved]")
    page.keyboard.press("f")
    page.click("summary:has-text('Note')")
    page.fill("#note", "come back")
    page.wait_for_selector("#state:has-text('Note saved')")
    page.fill("#note", "come back later")
    page.keyboard.press("Tab")
    page.wait_for_selector("#state:has-text('Note saved')")
    assert "unsure" not in page.inner_text(".map [aria-current]")
    assert "flagged, a guess" in page.text_content(".map [aria-current]")
    assert page.get_attribute("button.rate[value=guess]", "aria-pressed") == "true"
    page.click("[data-filter=flagged]")
    assert page.locator(".map .grid li:visible").count() == 1
    page.click("button:has-text('Next')")
    page.wait_for_selector("h1:has-text('Question 2')")
    # The filter stays over a move; the question that is open always shows.
    assert page.locator(".map .grid li:visible").count() == 2
    page.click("[data-filter=unsure]")
    assert page.locator(".map .grid li:visible").count() == 2
    page.click("[data-filter=all]")
    assert page.locator(".map .grid li:visible").count() == 10
    page.reload()
    page.goto(f"{live.base}/sittings/{sitting}/1")
    assert page.input_value("#note") == "come back later"
    assert live.ask(live.services.take.question(sitting, 1)).rating == "guess"
    page.close()


@pytest.mark.browser
def test_the_tutorial_by_keyboard_stores_nothing(browser, live: Live) -> None:
    page = browser.new_page()
    page.goto(live.base + "/tutorial")
    for keys in ("b", "x", "Shift+C", "f", "t", "t", "r"):
        page.keyboard.press(keys)
    for name in ("apple", "orange"):
        page.get_by_label(name).check()
    page.get_by_label("grape").click()
    assert "2 are chosen already" in page.inner_text("[data-question='2']")
    assert page.locator("#tasks li.done").count() == 7
    assert "no surprise" in page.inner_text("#said")
    assert live.ask(live.services.outcome.recent()) == ()
    # Single keys do nothing to the keys that move the focus.
    page.focus("[data-question='2'] .flag-it")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.classList.contains('strike')")


@pytest.mark.browser
def test_the_tutorial_is_tried_with_keys_of_ones_own(browser, live: Live) -> None:
    live.ask(live.services.profile.change(keys={"flag": "j"}))
    page = browser.new_page()
    page.goto(live.base + "/tutorial")
    assert "the button, or J." in page.inner_text("#tasks")
    page.keyboard.press("f")
    assert page.locator("#tasks li.done").count() == 0
    page.keyboard.press("j")
    assert page.locator("#tasks li.done").count() == 1


@pytest.mark.browser
def test_the_tutorial_leaves_single_keys_alone_where_they_are_off(browser, live: Live) -> None:
    live.ask(live.services.profile.change(shortcuts=False))
    page = browser.new_page()
    page.goto(live.base + "/tutorial")
    page.keyboard.press("f")
    page.keyboard.press("b")
    assert page.locator("#tasks li.done").count() == 0
    page.locator(".flag-it").first.click()
    assert page.locator("#tasks li.done").count() == 1
    page.close()
