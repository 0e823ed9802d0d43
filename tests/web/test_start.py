import re

import pytest

from tests.web.desk import Desk, text


def test_the_rules_are_told_before_the_clock_starts(desk: Desk) -> None:
    page = text(desk.get("/sittings/new?exam=NCP-GENL&conditions=exam").text)
    for rule in (
        "never stops",
        "no pause",
        "submitted with the last saved answers",
        "exactly the right ones",
        "the vendor publishes none",
        "not count as evidence",
    ):
        assert rule in page, rule
    assert "65, a full form in 2 hours" in page


def test_conditions_size_and_extra_time_are_taken(desk: Desk) -> None:
    fields = {"exam": "NCP-GENL", "conditions": "timed", "size": "20", "extra": "50", "nonce": "n"}
    sitting = desk.post("/sittings", fields).headers["location"].split("/")[2]
    view = desk.view(sitting)
    assert (view.conditions, view.size) == ("timed", 20)
    plain = desk.view(desk.begin("timed", size=20))
    assert view.limit_ms == plain.limit_ms * 1.5  # type: ignore[operator]


def test_a_form_sent_twice_makes_one_sitting(desk: Desk) -> None:
    fields = {"exam": "NCP-GENL", "conditions": "tutor", "size": "10", "nonce": "once"}
    first = desk.post("/sittings", fields).headers["location"]
    assert desk.post("/sittings", fields).headers["location"] == first
    assert desk.post("/sittings", {**fields, "nonce": "twice"}).headers["location"] != first


def test_a_form_that_cannot_be_assembled_says_which_domain_is_short(desk: Desk) -> None:
    answer = desk.post(
        "/sittings", {"exam": "TST-NEW", "conditions": "exam", "size": "65", "nonce": "n"}, 409
    )
    assert "No form can be made" in answer.text
    assert "domain-1" in answer.text
    assert "Start the clock" in answer.text  # another size can be tried at once


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"exam": "NOPE", "conditions": "exam"}, 404),
        ({"exam": "NCP-GENL", "conditions": "party"}, 400),
        ({"exam": "NCP-GENL", "conditions": "exam", "size": "many"}, 400),
        ({"exam": "NCP-GENL", "conditions": "exam", "size": "9999"}, 400),
        ({}, 400),
    ],
)
def test_bad_wishes_get_one_clear_message(desk: Desk, fields: dict[str, str], status: int) -> None:
    answer = desk.post("/sittings", fields, status)
    assert 'role="alert"' in answer.text or "<h1>" in answer.text


def test_a_body_that_is_no_form_is_refused(desk: Desk) -> None:
    headers = {"content-type": "application/json"}
    assert desk.client.post("/sittings", content=b"{}", headers=headers).status_code == 400


def test_the_time_that_is_promised_is_the_time_that_runs(desk: Desk) -> None:
    page = desk.get("/sittings/new?exam=NCP-GENL&conditions=timed").text
    promised = dict(re.findall(r'<option value="(\d+)"[^>]*>[^<]* in (\d+) minutes<', page))
    assert "10" in promised
    for size, minutes in promised.items():
        sitting = desk.begin("timed", size=int(size))
        assert desk.view(sitting).limit_ms == int(minutes) * 60_000


def test_the_address_of_all_sittings_leads_to_their_list(desk: Desk) -> None:
    assert desk.get("/sittings", 303).headers["location"] == "/#recent"
