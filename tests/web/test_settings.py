from tests.web.desk import Desk


def test_settings_are_saved_and_shown_on_every_page(desk: Desk) -> None:
    fields = {
        "all": "1",
        "exam": "NCP-GENL",
        "exam_date": "2027-02-01",
        "pass_mark_percent": "75",
        "theme": "dark",
        "contrast": "more",
        "motion": "reduce",
        "shortcuts": "true",
    }
    assert desk.post("/settings", fields).headers["location"] == "/settings?saved=1"
    page = desk.get("/settings?saved=1").text
    assert "Saved." in page
    assert 'value="2027-02-01"' in page
    assert '<html lang="en" data-theme="dark" data-contrast="more" data-motion="reduce">' in page
    kept = desk.run(desk.services.profile.get)
    assert kept.shortcuts is True
    assert kept.show_clock is False  # an unticked box of a whole form is off
    sitting = desk.begin()
    page = desk.get(f"/sittings/{sitting}/1").text
    assert 'data-clock="off"' in page
    assert 'data-keys="on"' in page


def test_a_part_leaves_the_rest_alone(desk: Desk) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"})
    desk.post("/settings", {"shortcuts": "false"})
    kept = desk.run(desk.services.profile.get)
    assert (kept.exam, kept.shortcuts, kept.show_clock) == ("NCP-GENL", False, True)
    assert "They are off." in desk.get("/help/keys").text


def test_a_bad_value_says_which_and_stores_nothing(desk: Desk) -> None:
    answer = desk.post("/settings", {"pass_mark_percent": "700", "theme": "dark"}, 422)
    assert "Assumed pass mark" in answer.text
    assert 'role="alert"' in answer.text
    assert desk.run(desk.services.profile.get).theme == "system"


def test_the_way_back_stays_here(desk: Desk) -> None:
    answer = desk.post("/settings", {"theme": "dark", "back": "https://evil.example/"})
    assert answer.headers["location"] == "/settings?saved=1"


def test_keys_are_given_away_and_only_once(desk: Desk) -> None:
    desk.post("/settings", {"key-flag": "j", "key-next": "k"})
    page = desk.get(f"/sittings/{desk.begin('exam')}/1").text
    assert 'aria-keyshortcuts="J"' in page
    assert "<kbd>J</kbd></td><td>Flag" in page
    assert "would do two things" in desk.post("/settings", {"key-flag": "n"}, 422).text
    assert "one letter from f to z" in desk.post("/settings", {"key-flag": "b"}, 422).text
    desk.post("/settings", {"key-flag": "f"})
    assert 'aria-keyshortcuts="F"' in desk.get(f"/sittings/{desk.begin('exam', seed=8)}/1").text
