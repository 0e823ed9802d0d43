"""Practice to a wish, the same form again, and the pages of named mistakes."""

from __future__ import annotations

import pytest

from burnin.app.take import Command, EventKind
from tests.web.browsing import Live
from tests.web.desk import Desk, text


def missed(desk: Desk, wrong: int = 4, conditions: str = "timed") -> tuple[str, set[str]]:
    """A finished sitting with the first few questions wrong; return it and their items."""
    sitting = desk.begin(conditions, size=10)
    items = set()
    for number in range(1, 11):
        asked = desk.question(sitting, number).asked
        key = desk.key(asked.id)
        bad = [o.id for o in asked.options if o.id not in key][: asked.choose]
        options = tuple(bad if number <= wrong else key)
        if number <= wrong:
            items.add(asked.id)
        desk.run(
            desk.services.take.act, sitting, Command(f"a{number}", EventKind.ANSWERED, asked.id, options)
        )
    desk.run(desk.services.take.act, sitting, Command("end", EventKind.SUBMITTED))
    return sitting, items


def items_of(desk: Desk, moved) -> set[str]:
    sitting = moved.headers["location"].split("/")[2]
    return {entry.item for entry in desk.view(sitting).entries}


def test_an_empty_choice_says_what_to_do(desk: Desk) -> None:
    page = desk.get("/practice?exam=NCP-GENL&missed=on").text
    assert "Nothing missed yet: finish a sitting" in page
    desk.post("/practice", {"exam": "NCP-GENL", "missed": "on"}, 409)


def test_missed_questions_come_back_and_only_they(desk: Desk) -> None:
    _, wrong = missed(desk)
    page = desk.get("/practice?exam=NCP-GENL&missed=on").text
    assert f"{len(wrong)} questions of the bank match" in page
    moved = desk.post("/practice", {"exam": "NCP-GENL", "missed": "on", "nonce": "a"})
    assert items_of(desk, moved) == wrong
    again = desk.post("/practice", {"exam": "NCP-GENL", "missed": "on", "nonce": "a"})
    assert again.headers["location"] == moved.headers["location"]


def test_counting_keeps_every_choice(desk: Desk) -> None:
    domain = desk.services.exams.get("NCP-GENL").domains[1]
    form = {"exam": "NCP-GENL", "domain": domain.id, "unseen": "on", "count": "7", "do": "count"}
    page = desk.post("/practice", form, 200).text
    assert f'<option value="{domain.id}" selected>' in page
    assert 'id="unseen" name="unseen" value="on" checked' in page
    assert 'value="7"' in page
    assert "of the bank match" in page


def test_a_domain_drill_holds_that_domain_only_and_takes_its_limits(desk: Desk) -> None:
    domain = desk.services.exams.get("NCP-GENL").domains[0].id
    moved = desk.post(
        "/practice", {"exam": "NCP-GENL", "domain": domain, "count": "3", "conditions": "timed"}
    )
    items = items_of(desk, moved)
    assert len(items) == 3
    assert {desk.services.catalog.items[item].domain for item in items} == {domain}
    desk.post("/practice", {"exam": "NCP-GENL", "count": "many"}, 400)
    desk.post("/practice", {"exam": "NCP-GENL", "domain": "nowhere"}, 400)
    desk.post("/practice", {"exam": "NCP-GENL", "count": "9999"}, 400)


def test_the_same_questions_again(desk: Desk) -> None:
    sitting, _ = missed(desk)
    moved = desk.post(f"/sittings/{sitting}/redo", {"nonce": "r"})
    assert items_of(desk, moved) == {e.item for e in desk.view(sitting).entries}


def test_a_named_mistake_has_a_page_and_a_drill(desk: Desk) -> None:
    assert "MISTAKE-name" in desk.get("/misconceptions").text
    found = text(desk.get("/misconceptions?find=remedy-TEXT").text)
    assert "1 mistake with “remedy-TEXT”" in found
    assert "0 mistakes with" in desk.get("/misconceptions?find=absent&exam=NCP-GENL").text
    desk.get("/misconceptions?exam=NOPE", 404)
    page = desk.get("/misconceptions/mistake").text
    assert "REMEDY" in page
    moved = desk.post("/practice", {"exam": "NCP-GENL", "misconception": "mistake", "count": "2"})
    assert len(items_of(desk, moved)) == 2
    desk.get("/misconceptions/none-such", 404)


def test_the_report_teaches_and_starts_the_next_drill(desk: Desk) -> None:
    sitting, wrong = missed(desk)
    page = desk.get(f"/sittings/{sitting}/result").text
    assert "What to do next" in page
    assert "Where points were lost" in page
    assert "By objective" in page
    assert '<a href="/misconceptions/mistake">More on' in page
    first = page.partition('<ol class="cards">')[2].partition("</form>")[0]
    fields = dict(
        part.split('" value="')
        for part in first.split('<input type="hidden" name="')[1:]
        if '" value="' in part
    )
    fields = {name: value.partition('"')[0] for name, value in fields.items()}
    assert items_of(desk, desk.post("/practice", fields))
    assert wrong


def test_the_report_is_exported(desk: Desk) -> None:
    sitting, _ = missed(desk)
    answer = desk.get(f"/sittings/{sitting}/report.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert len(answer.text.strip().splitlines()) == 11
    parquet = desk.client.get(f"/sittings/{sitting}/report.parquet")
    assert (parquet.status_code == 200 and parquet.content[:4] == b"PAR1") or "pip install" in parquet.text
    desk.get(f"/sittings/{sitting}/report.xml", 404)
    running = desk.begin("exam")
    desk.get(f"/sittings/{running}/report.csv", 409)


def test_a_rerun_is_told_and_kept_out_of_the_trend(desk: Desk) -> None:
    sitting, _ = missed(desk)
    desk.clock.wait(60)
    again = desk.post(f"/sittings/{sitting}/redo", {"conditions": "timed"}).headers["location"].split("/")[2]
    for number in range(1, 11):
        item = desk.question(again, number).asked.id
        desk.run(
            desk.services.take.act,
            again,
            Command(f"b{number}", EventKind.ANSWERED, item, tuple(desk.key(item))),
        )
    desk.run(desk.services.take.act, again, Command("end", EventKind.SUBMITTED))
    page = desk.get(f"/sittings/{again}/result").text
    assert "10 of 10 questions were seen before" in page
    assert "seen before" in page.partition("All sittings of this exam")[2]


@pytest.mark.browser
def test_a_misconception_is_drilled_by_keyboard(browser, live: Live) -> None:
    page = browser.new_page()
    page.goto(live.base + "/practice?exam=NCP-GENL")
    page.focus("#domain")
    page.keyboard.press("ArrowDown")
    # Counted as soon as it is chosen, in place.
    page.wait_for_selector("#matching:has-text('14 questions')")
    page.check("#missed")
    page.wait_for_selector("#matching:has-text('Nothing missed in what')")
    page.uncheck("#missed")
    page.focus("#misconception")
    page.keyboard.press("ArrowDown")
    page.focus("text=Count them")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "match" in page.inner_text("#matching")
    assert page.input_value("#misconception") == "mistake"
    page.focus("text=Start")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sittings/*/1")
    page.close()
