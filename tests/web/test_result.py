from __future__ import annotations

import re

import pytest

from burnin.app.take import Command, Conditions, EventKind
from tests.web.browsing import Live
from tests.web.desk import Desk, text


@pytest.fixture
def finished(desk: Desk) -> str:
    """Ten questions: the first six right, the seventh changed from right to wrong, the rest open."""
    sitting = desk.begin("exam", minutes=30)
    for number in range(1, 8):
        item = desk.question(sitting, number).asked.id
        desk.get(f"/sittings/{sitting}/{number}")
        desk.clock.wait(30)
        desk.send(sitting, id=f"r{number}", kind="answered", item=item, options=desk.key(item))
    item = desk.question(sitting, 7).asked.id
    desk.send(sitting, id="change", kind="answered", item=item, options=[])
    wrong = [o.id for o in desk.question(sitting, 7).asked.options if o.id not in desk.key(item)]
    choose = desk.question(sitting, 7).asked.choose
    desk.send(sitting, id="wrong", kind="answered", item=item, options=wrong[:choose])
    desk.send(sitting, id="flag", kind="flagged", item=item, on=True)
    desk.post(f"/sittings/{sitting}/submit", {"nonce": "end"})
    return sitting


def test_score_interval_and_assumption(desk: Desk, finished: str) -> None:
    page = text(desk.get(f"/sittings/{finished}/result").text)
    assert "60 %" in page
    assert "6 of 10 questions right" in page
    assert "Wilson interval, 95 %" in page
    assert "31 to 83 %" in page
    assert "Assumed pass mark" in page
    assert "No pass mark is published" in page
    assert "the interval holds it: one sitting of this size cannot tell" in page


def test_the_assumed_mark_can_be_changed(desk: Desk, finished: str) -> None:
    page = text(desk.get(f"/sittings/{finished}/result?mark=90").text)
    assert "assumed pass mark of 90 %" in page
    assert "whole interval lies below" in page
    desk.get(f"/sittings/{finished}/result?mark=0", 400)
    assert "whole number" in desk.get(f"/sittings/{finished}/result?mark=abc", 400).text


def test_the_top_of_a_long_result_leads_to_its_parts(desk: Desk, finished: str) -> None:
    page = desk.get(f"/sittings/{finished}/result").text
    contents = page[page.index('aria-label="On this page"') :].partition("</nav>")[0]
    targets = re.findall(r'href="#([a-z]+)"', contents)
    assert targets == ["next", "lost", "time", "again", "keep", "items"]
    assert all(page.count(f'id="{target}"') == 1 for target in targets)
    assert 'href="?sort=slowest#by-time"' in page


def test_domains_stand_beside_their_weights(desk: Desk, finished: str) -> None:
    page = desk.get(f"/sittings/{finished}/result").text
    rows = re.findall(r'<th scope="row">(Domain \d+)</th><td class="num">(\d+)&nbsp;%</td>', page)
    assert [int(weight) for _, weight in rows] == [17, 14, 13, 13, 9, 9, 7, 7, 6, 5]


def test_time_and_second_thoughts(desk: Desk, finished: str) -> None:
    page = text(desk.get(f"/sittings/{finished}/result").text)
    assert "3 minutes 30 seconds of 30 minutes" in page
    assert "0 changes turned a wrong answer right, 1 change turned a right one wrong" in page
    assert "With your first answers the score would have been 7 of 10" in page


def test_every_item_with_every_reason(desk: Desk, finished: str) -> None:
    page = desk.get(f"/sittings/{finished}/result").text
    for entry in desk.view(finished).entries:
        item = desk.services.catalog.items[entry.item]
        for option in item.options:
            assert option.reason in page
            assert option.flip is None or option.flip in page
        assert f"LOCATOR-{item.id}" in page
    assert "REMEDY-text is true." in page
    assert page.count("Report an error in this item") == 10
    assert "<img src=x" not in page


@pytest.mark.parametrize(
    ("show", "count"), [("all", 10), ("missed", 4), ("flagged", 1), ("changed", 1), ("odd", 10)]
)
def test_items_can_be_narrowed_down(desk: Desk, finished: str, show: str, count: int) -> None:
    page = desk.get(f"/sittings/{finished}/result?show={show}").text
    assert len(re.findall(r'<details class="fold"', page)) == count


def test_an_interrupted_sitting_says_that_it_is_no_evidence(desk: Desk) -> None:
    sitting = desk.begin("exam", minutes=30)
    desk.get(f"/sittings/{sitting}/1")
    desk.clock.reboot(after_s=60)
    assert '<span class="badge">interrupted</span>' in desk.get(f"/sittings/{sitting}/1").text
    desk.post(f"/sittings/{sitting}/submit", {"nonce": "end"})
    assert "does not count as evidence" in desk.get(f"/sittings/{sitting}/result").text


def test_it_says_why_it_stays_out_of_the_trend(desk: Desk, finished: str) -> None:
    page = text(desk.get(f"/sittings/{finished}/result").text)
    assert "stays out of the trend of your mock exams: it is shorter than a whole exam." in page
    whole = desk.begin("exam", size=60, seed=4)
    desk.post(f"/sittings/{whole}/submit", {"nonce": "end"})
    assert "This sitting stands in the trend" in desk.get(f"/sittings/{whole}/result").text


def rows_by_time(page: str) -> list[int]:
    table = page.partition('aria-label="Questions by time"')[2].partition("</table>")[0]
    return [int(n) for n in re.findall(r'<th scope="row"><a href="[^"]*">(\d+)</a>', table)]


def test_questions_by_time_in_the_order_asked_for(desk: Desk, finished: str) -> None:
    place = f"/sittings/{finished}/result"
    taken = {
        line.number: line.seconds for line in desk.run(desk.services.outcome.report, finished).report.items
    }
    slowest = rows_by_time(desk.get(place).text)
    assert [taken[n] for n in slowest] == sorted(taken.values(), reverse=True)
    assert '<details id="by-time">' in desk.get(place).text
    page = desk.get(f"{place}?sort=number").text
    assert rows_by_time(page) == list(range(1, 11))
    assert '<details id="by-time" open>' in page
    assert sorted(rows_by_time(desk.get(f"{place}?sort=over").text)) == list(range(1, 11))
    assert rows_by_time(desk.get(f"{place}?sort=odd").text) == slowest


def test_lost_points_lead_to_their_questions(desk: Desk, finished: str) -> None:
    page = desk.get(f"/sittings/{finished}/result").text
    lost = page.partition('<ul class="lost">')[2].partition("<h3>")[0]
    assert sorted(int(n) for n in re.findall(r'href="#q(\d+)"', lost)) == [7, 8, 9, 10]
    objectives = page.partition("Objectives with points lost")[2].partition("</table>")[0]
    assert "of 1</td>" in objectives
    assert re.search(r"Domain \d+, \d+&nbsp;%", objectives)


@pytest.mark.browser
def test_report_by_keyboard_rated_sorted_printed_and_taken_again(browser, live: Live) -> None:
    take = live.services.take
    sitting = live.ask(take.create("NCP-GENL", conditions=Conditions.TUTOR, size=12, seed=5))
    for number in range(1, 13):
        item = live.ask(take.question(sitting, number)).asked
        key = tuple(live.services.catalog.items[item.id].key)
        rated = "sure" if number % 2 else "guess"
        live.ask(take.act(sitting, Command(f"a{number}", EventKind.ANSWERED, item.id, key)))
        live.ask(take.act(sitting, Command(f"s{number}", EventKind.RATED, item.id, value=rated)))
    live.ask(take.act(sitting, Command("end", EventKind.SUBMITTED)))
    page = browser.new_page()
    page.goto(f"{live.base}/sittings/{sitting}/result")
    # Confidence against result: a picture with its table, and the interval in words.
    figure = page.locator("figure.exhibit", has_text="How sure you were")
    assert figure.locator("svg").count() == 1
    assert "6 of 6 right (95 % interval 61 to 100 %)" in page.inner_text("main")
    # The slowest first, by keyboard; a row leads to its question, which opens and has the focus.
    page.focus("#by-time > summary")
    page.keyboard.press("Enter")
    page.focus("#by-time tbody a >> nth=0")
    number = page.inner_text("#by-time tbody a >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#q{number}[open]")
    assert page.evaluate("document.activeElement.parentElement.id") == f"q{number}"
    # On paper everything is unfolded and nothing is there to press.
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("button:visible, nav:visible, footer:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    with page.expect_download() as kept:
        page.click("text=CSV, a row an item")
    assert kept.value.suggested_filename == f"burnin-{sitting}.csv"
    page.focus("text=Again, against the clock")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sittings/*/1")
    assert page.get_attribute("body", "data-conditions") == "timed"
    page.close()
