from tests.web.desk import Desk, text


def test_every_exam_in_the_data_has_its_page(desk: Desk) -> None:
    page = desk.get("/exams").text
    for code in ("NCP-GENL", "TST-NEW"):
        assert f'href="/exams/{code}"' in page
        assert f"Title of {code}" in desk.get(f"/exams/{code}").text


def test_the_page_shows_the_facts_of_the_file(desk: Desk) -> None:
    page = text(desk.get("/exams/NCP-GENL").text)
    for fact in (
        "60 to 70",
        "2 hours",
        "US$200",
        "not published",
        "as of 19 August 2026",
        "17 %",
        "Do the first thing",
        "Where it concentrates",
        "about 25 %",
        "guess 70 %; nobody has verified that",
        "Photo ID",
        "24 hours",
        "A course",
        "US$90",
    ):
        assert fact in page, fact


def test_a_fact_that_no_template_knows_is_shown_all_the_same(desk: Desk) -> None:
    assert "Some fact: that no template knows" in text(desk.get("/exams/NCP-GENL").text)


def test_weights_that_do_not_sum_to_100_are_told(desk: Desk) -> None:
    assert "add up to 31 %" in text(desk.get("/exams/TST-NEW").text)
    assert "add up" not in text(desk.get("/exams/NCP-GENL").text)


def test_other_letter_case_leads_to_the_page_and_an_unknown_code_says_so(desk: Desk) -> None:
    assert desk.get("/exams/ncp-genl", 308).headers["location"] == "/exams/NCP-GENL"
    page = desk.get("/exams/NOPE", 404).text
    assert "Known: NCP-GENL, TST-NEW" in page


def test_a_blueprint_without_any_facts_still_has_a_page(desk: Desk) -> None:
    from tests.web.bank import blueprint

    bare = blueprint("BARE", 2, facts={}, minutes=45, questions_min=20, questions_max=20)
    desk.services.exams._blueprints["BARE"] = bare  # type: ignore[index]
    page = text(desk.get("/exams/BARE").text)
    assert "45 minutes" in page
    assert "not published" in page
