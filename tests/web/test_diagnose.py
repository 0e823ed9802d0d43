"""The diagnostic as pages: adaptive, resumable, no key before its answer, no score after."""

from __future__ import annotations

import pytest

from tests.web.browsing import Live
from tests.web.desk import Desk


def begin(desk: Desk) -> str:
    moved = desk.post("/diagnose", {"exam": "NCP-GENL", "nonce": "n"})
    return moved.headers["location"]


def answered(desk: Desk, place: str, *, know: bool = True, right: bool = True) -> bool:
    """Answer the question that the page shows; False once there is none."""
    step = desk.run(desk.services.diagnose.step, place.split("/")[2])
    if step.number is None:
        return False
    asked = desk.question(place.split("/")[2], step.number).asked
    key = desk.key(asked.id)
    wrong = [o.id for o in asked.options if o.id not in key][: asked.choose]
    desk.post(
        place,
        {
            "item": asked.id,
            "choose": str(asked.choose),
            "nonce": asked.id,
            "option": list(key if right else wrong) if know else [],
            "do": "answer" if know else "unknown",
        },
    )
    return True


def test_it_asks_which_exam_first_and_remembers_it(desk: Desk) -> None:
    page = desk.get("/diagnose").text
    assert "For which exam?" in page
    begin(desk)
    settings = desk.run(desk.services.profile.get)
    assert (settings.exam, settings.exam_date) == ("NCP-GENL", None)
    assert "Choose an exam first" in desk.post("/diagnose", {"nonce": "m"}, 422).text
    told = desk.post("/diagnose", {"exam": "NCP-GENL", "exam_date": "soon", "nonce": "o"}, 422).text
    assert 'value="soon"' in told
    desk.post("/diagnose", {"exam": "NCP-GENL", "exam_date": "2027-01-14", "nonce": "o"})
    assert str(desk.run(desk.services.profile.get).exam_date) == "2027-01-14"
    assert "When is it?" not in desk.get("/diagnose").text


def test_it_ends_with_where_to_start_and_no_score(desk: Desk) -> None:
    place = begin(desk)
    count = 0
    while answered(desk, place, right=count % 3 > 0):
        count += 1
        assert count <= 15
    assert 10 <= count <= 15
    page = desk.get(place).text
    assert "Where to start" in page
    assert "Practise ten of it" in page
    assert "no score and no forecast" in page
    assert "Mean" not in page
    assert "figure-number" not in page
    # The ordinary pages of the sitting lead back here.
    sitting = place.split("/")[2]
    assert desk.get(f"/sittings/{sitting}", 303).headers["location"] == place
    assert desk.get(f"/sittings/{sitting}/result", 303).headers["location"] == place


def test_neither_key_nor_reason_is_in_a_question(desk: Desk) -> None:
    place = begin(desk)
    page = desk.get(place).text
    assert "REASON" not in page
    assert "FLIP" not in page
    assert "correct" not in page.partition("<form")[2]


def test_a_wrong_number_of_options_is_told_and_not_knowing_is_an_answer(desk: Desk) -> None:
    place = begin(desk)
    step = desk.run(desk.services.diagnose.step, place.split("/")[2])
    asked = desk.question(place.split("/")[2], step.number).asked
    told = desk.post(place, {"item": asked.id, "choose": str(asked.choose), "do": "answer"}, 422).text
    assert "or say that you do not know" in told
    assert answered(desk, place, know=False)
    after = desk.run(desk.services.diagnose.step, place.split("/")[2])
    assert after.asked == 1


def test_sent_twice_an_answer_counts_once(desk: Desk) -> None:
    place = begin(desk)
    step = desk.run(desk.services.diagnose.step, place.split("/")[2])
    asked = desk.question(place.split("/")[2], step.number).asked
    form = {
        "item": asked.id,
        "choose": str(asked.choose),
        "nonce": "same",
        "option": desk.key(asked.id),
        "do": "answer",
    }
    desk.post(place, form)
    desk.post(place, form)
    assert desk.run(desk.services.diagnose.step, place.split("/")[2]).asked == 1


@pytest.mark.browser
def test_the_whole_diagnostic_by_keyboard(browser, live: Live) -> None:
    page = browser.new_page()
    page.goto(live.base + "/diagnose")
    page.check("input[value='NCP-GENL']")
    page.focus("text=Begin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/diagnose/*")
    for turn in range(16):
        if page.locator("text=Practise ten of it").count():
            break
        need = int(page.get_attribute("#answer", "data-choose"))
        for place in range(need):
            page.keyboard.press("abc"[place])
        assert page.locator("input[name=option]:checked").count() == need
        if need > 1:
            assert page.inner_text("#count") == f"{need} of {need} chosen"
        with page.expect_navigation():
            page.keyboard.press(("n", "Enter")[turn % 2])
    assert page.locator("text=Practise ten of it").count() == 1
    with page.expect_navigation():
        page.click("text=Practise ten of it")
    assert "/sittings/" in page.url
    page.close()
