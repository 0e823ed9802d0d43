"""Readiness, reviews and plan as pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import icalendar
import pytest

from burnin.app.take import Command, EventKind
from tests.web.browsing import Live
from tests.web.desk import Desk


def day(desk: Desk, ahead: int) -> str:
    return (datetime.fromtimestamp(desk.clock.wall_s, UTC).date() + timedelta(days=ahead)).isoformat()


def sit(desk: Desk, seed: int, *, wrong_each: int = 5, conditions: str = "timed", size: int = 20) -> str:
    sitting = desk.begin(conditions, size=size, seed=seed)
    for number in range(1, size + 1):
        asked = desk.question(sitting, number).asked
        key = desk.key(asked.id)
        wrong = [o.id for o in asked.options if o.id not in key][: asked.choose]
        options = tuple(wrong if number % wrong_each == 0 else key)
        desk.run(
            desk.services.take.act, sitting, Command(f"a{number}", EventKind.ANSWERED, asked.id, options)
        )
    desk.run(desk.services.take.act, sitting, Command("end", EventKind.SUBMITTED))
    return sitting


def test_without_an_exam_the_desk_asks_first(desk: Desk) -> None:
    desk.get("/ready", 303)
    desk.get("/plan", 303)


def test_on_too_little_evidence_no_chance_is_told(desk: Desk) -> None:
    page = desk.get("/ready?exam=NCP-GENL").text
    assert "Too little to go by" in page
    assert "figure-number" not in page
    assert "Nothing answered yet" in page


def test_enough_evidence_gives_a_chance_with_its_interval(desk: Desk) -> None:
    for seed in range(4):
        sit(desk, seed)
        desk.clock.wait(86400)
    page = desk.get("/ready?exam=NCP-GENL").text
    assert "figure-number" in page
    assert "90 % interval" in page
    assert "Do not book yet" in page or ">Book<" in page
    assert "Chance to pass, had you sat that day" in page
    assert "comes back" in page
    assert "REMEDY" in page


def test_what_is_due_is_reviewed_in_a_tutor_sitting_of_those_questions(desk: Desk) -> None:
    sitting = sit(desk, 1, conditions="tutor", wrong_each=2)
    wrong = {e.item for e in desk.view(sitting).entries if e.number % 2 == 0}
    desk.clock.wait(86400)
    page = desk.get("/ready?exam=NCP-GENL").text
    assert "Due today: " in page
    moved = desk.post("/reviews", {"exam": "NCP-GENL", "nonce": "n"})
    again = moved.headers["location"].removeprefix("/sittings/")
    items = {entry.item for entry in desk.view(again).entries}
    assert wrong <= items | wrong
    assert items <= {e.item for e in desk.view(sitting).entries}
    assert items & wrong
    assert desk.post("/reviews", {"exam": "NCP-GENL", "nonce": "n"}).headers["location"].endswith(again)


def test_nothing_due_is_said_plainly(desk: Desk) -> None:
    assert "Nothing is due today" in desk.post("/reviews", {"exam": "NCP-GENL"}, 409).text


def test_own_ratings_stand_beside_the_measured_ones(desk: Desk) -> None:
    domain = desk.services.exams.get("NCP-GENL").domains[0].id
    desk.post("/ready/rate", {"exam": "NCP-GENL", "key": domain, "colour": "green"})
    page = desk.get("/ready?exam=NCP-GENL").text
    assert "Your own ratings beside the measured ones" in page
    desk.post("/ready/rate", {"exam": "NCP-GENL", "key": "nothing", "colour": "green"}, 400)


def test_a_plan_is_made_kept_and_taken_to_a_calendar(desk: Desk) -> None:
    assert "needs the exam date" in desk.get("/plan?exam=NCP-GENL").text
    form = {"exam": "NCP-GENL", "exam_date": day(desk, 60), "hours_per_week": "8", "weekday": ["1", "5"]}
    desk.post("/plan", form)
    page = desk.get("/plan?exam=NCP-GENL").text
    assert "Six phases" in page
    events = icalendar.Calendar.from_ical(desk.get("/plan.ics?exam=NCP-GENL").content).walk("VEVENT")
    assert {event.decoded("dtstart").weekday() for event in events} == {1, 5}
    bad = desk.post("/plan", {**form, "hours_per_week": "900"}, 422).text
    assert "Hours a week" in bad
    for silly in ("9999-12-31", "2020-01-01"):
        assert f"Exam date: {silly}" in desk.post("/plan", {**form, "exam_date": silly}, 422).text
    assert str(desk.run(desk.services.profile.get).exam_date) == form["exam_date"]


def test_a_silly_date_stored_long_ago_hangs_no_page(desk: Desk) -> None:
    desk.services.store.settings.set_all(
        {"profile.exam": "NCP-GENL", "profile.exam_date": "9999-12-31", "profile.hours_per_week": 80}
    ).result()
    assert "needs the exam date" in desk.get("/plan").text
    desk.get("/plan.ics", 400)
    for page in ("/", "/ready", "/settings", "/diagnose"):
        assert "9999" not in desk.get(page).text


@pytest.mark.browser
def test_plan_and_readiness_by_keyboard(browser, live: Live) -> None:
    page = browser.new_page()
    page.goto(live.base + "/plan?exam=NCP-GENL")
    later = (datetime.now(UTC).date() + timedelta(days=70)).isoformat()
    page.focus("#exam_date")
    page.fill("#exam_date", later)
    page.keyboard.press("Tab")
    page.focus("#hours_per_week")
    page.keyboard.type("9")
    page.focus("text=Plan >> nth=-1")
    page.keyboard.press("Enter")
    page.wait_for_selector("ol.days li")
    assert page.locator("ol.days > li").count() >= 10
    page.click("text=How ready you are")
    page.wait_for_selector("#verdict")
    assert "Too little to go by" in page.inner_text("main")
    page.close()
