from tests.web.desk import Desk, form_fields, text


def test_review_counts_and_links_what_is_open(desk: Desk) -> None:
    sitting = desk.begin(size=20)
    several = desk.number_with(sitting, 2)
    single = desk.number_with(sitting, 1)
    desk.post(f"/sittings/{sitting}/{single}", desk.fill(sitting, single, o="o1", do="flag"))
    desk.post(f"/sittings/{sitting}/{several}", desk.fill(sitting, several, o="o1", do="save"))
    page = desk.get(f"/sittings/{sitting}/review").text
    words = text(page)
    assert "Unanswered 18" in words
    assert "Incomplete 1" in words
    assert "Flagged 1" in words
    assert "Answered 1 of 20" in words
    assert page.count(f'href="/sittings/{sitting}/{several}"') >= 2  # in its group and among all
    # By keyboard the way on is not behind a link for every question.
    assert page.index('id="to-submit"') < page.index('<ol class="grid">')


def test_submitting_takes_one_confirmation_that_says_what_is_lost(desk: Desk) -> None:
    sitting = desk.begin(size=20)
    several = desk.number_with(sitting, 2)
    desk.post(f"/sittings/{sitting}/{several}", desk.fill(sitting, several, o="o1", do="save"))
    page = desk.get(f"/sittings/{sitting}/submit").text
    words = text(page)
    assert "19 questions have no answer and 1 is incomplete; they will count as wrong." in words
    assert "cannot be undone" in words
    answer = desk.post(f"/sittings/{sitting}/submit", form_fields(page, "submit"))
    assert answer.headers["location"] == f"/sittings/{sitting}/result"
    again = desk.post(f"/sittings/{sitting}/submit", form_fields(page, "submit"))
    assert again.headers["location"] == f"/sittings/{sitting}/result"
    for path in ("1", "review", "submit", ""):
        where = desk.get(f"/sittings/{sitting}/{path}".rstrip("/"), 303).headers["location"]
        assert where == f"/sittings/{sitting}/result"


def test_the_result_waits_for_the_end(desk: Desk) -> None:
    sitting = desk.begin()
    assert desk.get(f"/sittings/{sitting}/result", 303).headers["location"] == f"/sittings/{sitting}"
