from datetime import date
from pathlib import Path

from burnin.catalog import load
from tests.web.desk import Desk, text
from tests.web.test_secrecy import open_desk


def test_the_first_visit_asks_which_exam_and_when(desk: Desk) -> None:
    page = desk.get("/").text
    assert "Which exam, and when?" in page
    assert "NCP-GENL" in page
    assert "TST-NEW" in page
    assert "Independent of NVIDIA; items are original." in page
    assert "<table" not in page  # nothing empty is shown


def test_a_date_nobody_can_mean_is_told_on_the_page_that_asked(desk: Desk) -> None:
    for silly, why in (("9999-12-31", "more than three years ahead"), ("2020-01-01", "has passed")):
        told = desk.post("/settings", {"exam": "TST-NEW", "exam_date": silly, "back": "/"}, 422).text
        assert "Which exam, and when?" in told
        assert f"{silly} {'lies ' if '9' in silly else ''}{why}" in told
        assert 'value="TST-NEW" required checked' in told
        assert f'value="{silly}"' in told
    assert desk.run(desk.services.profile.get).exam is None


def test_from_the_first_page_to_the_first_question_in_two_posts(desk: Desk) -> None:
    answer = desk.post("/settings", {"exam": "NCP-GENL", "exam_date": "2027-01-14", "back": "/"})
    assert answer.headers["location"] == "/"
    page = desk.get("/").text
    assert "in two weeks, on 14 January 2027" in page
    assert "Ten questions to warm up" in page
    assert "Full mock exam" in page
    assert "Timed practice" in page
    answer = desk.post("/sittings", {"exam": "NCP-GENL", "conditions": "tutor", "size": "10", "nonce": "n"})
    assert "Question 1 of 10" in desk.get(answer.headers["location"]).text


def test_no_date_and_a_date_that_is_past(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "exam_date": "", "back": "/"})
    assert "No date yet" in desk.get("/").text
    desk.run(desk.services.profile.change, exam_date="2027-01-20")
    desk.clock.wait(30 * 86_400)
    desk.client._app.state.today = lambda: date(2027, 2, 14)
    assert "Your exam was on 20 January 2027" in desk.get("/").text


def test_an_open_sitting_is_the_one_thing_to_do_next(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"})
    sitting = desk.begin("exam", minutes=30)
    desk.get(f"/sittings/{sitting}/3")
    desk.clock.wait(600)
    page = text(desk.get("/").text)
    assert "question 3 of 10" in page
    assert "20 minutes left; the clock is running" in page
    assert "Ten questions to warm up" not in page
    assert desk.get(f"/sittings/{sitting}", 303).headers["location"] == f"/sittings/{sitting}/3"


def test_recent_sittings_show_their_scores_and_what_comes_next(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"})
    sitting = desk.begin("tutor")
    desk.post(f"/sittings/{sitting}/submit", {"nonce": "a"})
    page = text(desk.get("/").text)
    assert "Recent sittings" in page
    assert "0 %" in page
    assert "A full mock exam" in page
    desk.clock.wait(60)
    mock = desk.begin("exam")
    desk.post(f"/sittings/{mock}/submit", {"nonce": "b"})
    page = desk.get("/").text
    assert "Twenty questions against the clock" in page
    assert f"/sittings/{mock}/result?show=missed" in page


def test_a_finished_diagnostic_is_what_comes_next_and_has_no_score(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"})
    place = desk.post("/diagnose", {"exam": "NCP-GENL", "nonce": "n"}).headers["location"]
    sitting = place.split("/")[2]

    def unknown() -> bool:
        step = desk.run(desk.services.diagnose.step, sitting)
        if step.item is not None:
            desk.run(desk.services.diagnose.answer, sitting, step.item, (), client_id=step.item)
        return step.item is not None

    unknown()
    assert "of ten to fifteen" in desk.get("/").text
    asked = 1
    while unknown():
        asked += 1
    page = desk.get("/").text
    assert "Start where most marks lie open" in page
    assert f'href="/diagnose/{sitting}">See where' in page
    row = text(page.partition("Recent sittings</h2>")[2])
    assert f"Where to start {asked} none" in row
    desk.clock.wait(60)
    desk.post(f"/sittings/{desk.begin('tutor')}/submit", {"nonce": "a"})
    assert "Start where most marks lie open" not in desk.get("/").text


def test_the_same_questions_again_are_marked(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"})
    sitting = desk.begin("exam")
    desk.post(f"/sittings/{sitting}/submit", {"nonce": "a"})
    desk.clock.wait(60)
    again = desk.post(f"/sittings/{sitting}/redo", {"nonce": "b"}).headers["location"].split("/")[2]
    desk.post(f"/sittings/{again}/submit", {"nonce": "c"})
    assert desk.get("/").text.count("the same questions again") == 1


def test_answered_means_the_same_on_the_desk_and_in_the_review(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "exam_date": "", "back": "/"})
    sitting = desk.begin(size=20)
    two, one = desk.number_with(sitting, 2), desk.number_with(sitting, 1)
    for number in (two, one):
        desk.post(f"/sittings/{sitting}/{number}", desk.fill(sitting, number, o="o1", do="save"))
    assert "1 answered, 1 incomplete, 0 flagged" in text(desk.get("/").text)
    assert "Answered 1 of 20" in text(desk.get(f"/sittings/{sitting}/review").text)


def test_own_content_that_is_left_out_is_told_on_the_desk(tmp_path: Path) -> None:
    content = tmp_path / "content" / "items"
    content.mkdir(parents=True)
    (content / "own.yaml").write_text("schema: 1\nitems: [{id: mine}]\n", encoding="utf-8")
    for desk in open_desk(tmp_path, load(tmp_path)):
        desk.post("/settings", {"exam": "NCP-GENL", "exam_date": "", "back": "/"})
        told = text(desk.get("/").text)
        assert "1 fault in your own content" in told
        assert "BURNIN_HOME/content/items/own.yaml" in told
