import re

import pytest

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
