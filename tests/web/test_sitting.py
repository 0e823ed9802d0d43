"""The question page as a plain form: everything works without a script."""

import re

from tests.web.desk import Desk, form_fields, text


def checked(desk: Desk, sitting: str, page: str) -> tuple[str, ...]:
    """The options that a question page shows as chosen, by id."""
    item = re.search(r'data-item="([^"]+)"', page)
    assert item is not None
    return desk.tokens(sitting, item.group(1)).ids(re.findall(r'name="o" value="([^"]+)" checked', page))


def test_no_option_goes_by_its_own_id(desk: Desk) -> None:
    # An author may call it "right", and a computed one is called after its mistake.
    sitting = desk.begin()
    for number in range(1, 11):
        page = desk.get(f"/sittings/{sitting}/{number}").text
        options = [option.id for option in desk.question(sitting, number).asked.options]
        sent = re.findall(r'name="(?:o|strike)" value="([^"]+)"', page)
        assert len(sent) >= len(options)
        assert not set(sent) & set(options)
        assert not any(f'"{option}"' in page for option in options)
    other = desk.begin()
    one, two = (desk.get(f"/sittings/{s}/1").text for s in (sitting, other))
    assert re.findall(r'name="o" value="([^"]+)"', one) != re.findall(r'name="o" value="([^"]+)"', two)


def test_a_question_is_readable_and_its_markup_is_safe(desk: Desk) -> None:
    sitting = desk.begin()
    for number in range(1, 11):
        page = desk.get(f"/sittings/{sitting}/{number}").text
        assert f"Question {number} of 10" in page
        assert "<img src=x" not in page
        assert "<script>alert" not in page
        assert "style=" not in page
        assert "onclick" not in page


def test_answer_and_next_in_one_press(desk: Desk) -> None:
    sitting = desk.begin()
    answer = desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o1", go="2"))
    assert answer.headers["location"] == f"/sittings/{sitting}/2"
    assert desk.question(sitting, 1).selected == ("o1",)
    page = desk.get(f"/sittings/{sitting}/1").text
    assert checked(desk, sitting, page) == ("o1",)


def test_the_grid_saves_before_it_jumps(desk: Desk) -> None:
    sitting = desk.begin()
    answer = desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o2", go="7"))
    assert answer.headers["location"] == f"/sittings/{sitting}/7"
    assert desk.question(sitting, 1).selected == ("o2",)
    assert desk.view(sitting).current == 1
    desk.get(f"/sittings/{sitting}/7")
    assert desk.view(sitting).current == 7


def test_the_same_form_twice_is_one_event(desk: Desk) -> None:
    sitting = desk.begin()
    fields = desk.fill(sitting, 1, o="o1", go="2")
    desk.post(f"/sittings/{sitting}/1", fields)
    version = desk.view(sitting).version
    desk.post(f"/sittings/{sitting}/1", fields)
    assert desk.view(sitting).version == version


def test_an_old_form_does_not_overwrite_a_newer_answer(desk: Desk) -> None:
    sitting = desk.begin()
    old = desk.fill(sitting, 1, o="o1", go="2")
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o2", do="save"))
    answer = desk.post(f"/sittings/{sitting}/1", old, 409)
    assert "changed in another tab" in answer.text
    assert desk.question(sitting, 1).selected == ("o2",)
    assert checked(desk, sitting, answer.text) == ("o2",)


def test_a_form_brought_back_after_a_change_shows_what_is_stored(desk: Desk) -> None:
    sitting = desk.begin()
    first = desk.fill(sitting, 1, o="o1", do="save")
    desk.post(f"/sittings/{sitting}/1", first)
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o2", do="save"))
    answer = desk.post(f"/sittings/{sitting}/1", first, 409)
    assert "What you see now is what is stored" in answer.text
    assert desk.question(sitting, 1).selected == ("o2",)


def test_moving_on_from_a_page_left_open_is_no_conflict(desk: Desk) -> None:
    sitting = desk.begin()
    untouched = desk.fill(sitting, 1, go="2")
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o2", do="save"))
    desk.post(f"/sittings/{sitting}/1", untouched)
    assert desk.question(sitting, 1).selected == ("o2",)


def test_one_too_many_is_not_accepted(desk: Desk) -> None:
    sitting = desk.begin(size=20)
    number = desk.number_with(sitting, 2)
    page = desk.get(f"/sittings/{sitting}/{number}").text
    assert "Select TWO." in page
    assert "0 of 2 chosen" in page
    desk.post(f"/sittings/{sitting}/{number}", desk.fill(sitting, number, o=["o0", "o1"], do="save"))
    answer = desk.post(
        f"/sittings/{sitting}/{number}", desk.fill(sitting, number, o=["o0", "o1", "o2"], do="save"), 422
    )
    assert "Choose 2 at most" in answer.text
    assert desk.question(sitting, number).selected == ("o0", "o1")
    assert "2 of 2 chosen" in desk.get(f"/sittings/{sitting}/{number}").text


def test_incomplete_answers_are_saved_and_shown_as_such(desk: Desk) -> None:
    sitting = desk.begin(size=20)
    number = desk.number_with(sitting, 3)
    desk.post(f"/sittings/{sitting}/{number}", desk.fill(sitting, number, o=["o4"], do="save"))
    page = desk.get(f"/sittings/{sitting}/{number}").text
    assert "Select THREE." in page
    assert "incomplete, 1 of 3 chosen" in page


def test_clear_flag_and_strike_out(desk: Desk) -> None:
    sitting = desk.begin()
    path = f"/sittings/{sitting}/1"
    desk.post(path, desk.fill(sitting, 1, o="o1", do="flag"))
    assert desk.question(sitting, 1).flagged
    assert desk.question(sitting, 1).selected == ("o1",)
    desk.post(path, desk.fill(sitting, 1, strike="o3"))
    desk.post(path, desk.fill(sitting, 1, strike="o2"))
    question = desk.question(sitting, 1)
    assert set(question.struck) == {"o2", "o3"}
    assert question.selected == ("o1",)
    desk.post(path, desk.fill(sitting, 1, strike="o3"))
    assert desk.question(sitting, 1).struck == ("o2",)
    desk.post(path, desk.fill(sitting, 1, do="unflag"))
    assert not desk.question(sitting, 1).flagged
    desk.post(path, desk.fill(sitting, 1, do="clear"))
    assert desk.question(sitting, 1).selected == ()


def test_pause_hides_the_question_until_resumed(desk: Desk) -> None:
    sitting = desk.begin("timed")
    desk.post(f"/sittings/{sitting}/2", desk.fill(sitting, 2, o="o1", do="pause"))
    page = desk.get(f"/sittings/{sitting}/2").text
    assert "Paused" in page
    stem = desk.services.catalog.items[desk.view(sitting).entries[1].item].stem.split()[1]
    assert f"Question {stem}" not in page
    assert "Option text" not in page
    for path in ("review", "submit"):
        assert desk.get(f"/sittings/{sitting}/{path}", 303)
    desk.clock.wait(3600)
    answer = desk.post(f"/sittings/{sitting}/2", {**form_fields(page, "answer"), "do": "resume"})  # type: ignore[dict-item]
    page = desk.get(answer.headers["location"]).text
    assert checked(desk, sitting, page) == ("o1",)


def test_exam_conditions_offer_no_pause(desk: Desk) -> None:
    sitting = desk.begin("exam")
    page = desk.get(f"/sittings/{sitting}/1").text
    assert 'value="pause"' not in page
    answer = desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, do="pause"), 409)
    assert "no pause" in answer.text


def test_tutor_reveals_after_checking_and_then_the_answer_is_fixed(desk: Desk) -> None:
    sitting = desk.begin("tutor")
    item = desk.question(sitting, 1).asked.id
    page = desk.get(f"/sittings/{sitting}/1").text
    assert "REASON-" not in page
    key = desk.key(item)
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o=key, do="check"))
    page = desk.get(f"/sittings/{sitting}/1").text
    assert ">Right.<" in page
    for option in desk.services.catalog.items[item].options:
        assert option.reason in page
    for part in (
        "When would this have been right?",
        f"FLIP-{item}",
        "REMEDY-text",
        f"LOCATOR-{item}",
        "A paper",
    ):
        assert part in page
    assert 'name="o"' not in page
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o0", go="2"))
    assert list(desk.question(sitting, 1).selected) == key
    assert "REASON-" not in desk.get(f"/sittings/{sitting}/2").text


def test_time_out_submits_the_last_saved_answers(desk: Desk) -> None:
    sitting = desk.begin(minutes=10)
    item = desk.question(sitting, 1).asked.id
    desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o=desk.key(item), do="save"))
    late = desk.fill(sitting, 2, o="o1", go="3")
    desk.clock.wait(601)
    assert desk.post(f"/sittings/{sitting}/2", late).headers["location"] == f"/sittings/{sitting}/result"
    assert desk.get(f"/sittings/{sitting}/2", 303).headers["location"] == f"/sittings/{sitting}/result"
    page = text(desk.get(f"/sittings/{sitting}/result").text)
    assert "Time ran out" in page
    assert "1 of 10 questions right" in page


def test_every_kind_of_exhibit_is_shown(desk: Desk) -> None:
    sitting = desk.begin(size=60)
    pages = {n: desk.get(f"/sittings/{sitting}/{n}").text for n in range(1, 61)}
    charts = [page for page in pages.values() if "<svg" in page]
    assert charts
    assert "The same as a table" in charts[0]
    assert "<title id=" in charts[0]
    assert "Two lines over four epochs." in charts[0]
    tables = [page for page in pages.values() if "One step on rank 3" in page]
    assert '<td class="num">41</td><td>as planned</td>' in tables[0]
    codes = [page for page in pages.values() if "config.pbtxt" in page]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in codes[0]
    assert '<pre tabindex="0" role="group"' in codes[0]


def test_showing_a_question_moves_there_but_a_prefetch_does_not(desk: Desk) -> None:
    sitting = desk.begin()
    desk.get(f"/sittings/{sitting}/4", headers={"sec-purpose": "prefetch"})
    desk.get(f"/sittings/{sitting}/5", headers={"sec-fetch-site": "cross-site"})
    assert desk.view(sitting).current == 1
    desk.get(f"/sittings/{sitting}/4")
    assert desk.view(sitting).current == 4
    version = desk.view(sitting).version
    desk.get(f"/sittings/{sitting}/4")
    assert desk.view(sitting).version == version


def test_what_does_not_exist_says_so(desk: Desk) -> None:
    sitting = desk.begin()
    assert "questions 1 to 10" in desk.get(f"/sittings/{sitting}/11", 404).text
    desk.get(f"/sittings/{sitting}/0", 404)
    desk.get("/sittings/nothing/1", 404)
    desk.get("/sittings/nothing", 404)
    desk.get("/sittings/nothing/result", 404)
    desk.post("/sittings/nothing/1", {"go": "2"}, 404)
    desk.post("/sittings/nothing/submit", {}, 404)


def test_an_unknown_option_is_refused_in_words(desk: Desk) -> None:
    sitting = desk.begin()
    answer = desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="nope", do="save"), 409)
    assert "no such option" in answer.text
