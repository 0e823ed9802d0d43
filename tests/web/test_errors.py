import pytest

from burnin.app.errors import CannotSave, Damaged
from tests.web.desk import Desk


def test_not_found_looks_like_the_rest(desk: Desk) -> None:
    page = desk.get("/nowhere", 404).text
    assert "Nothing here" in page
    assert "Back to the desk" in page
    assert "burnin.css" in page


def test_the_wrong_method_says_so_and_names_the_right_ones(desk: Desk) -> None:
    answer = desk.client.request("DELETE", "/exams")
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    assert "Not in that way" in answer.text


def test_scripts_get_json(desk: Desk) -> None:
    answer = desk.client.request("GET", "/api/sittings/x/events")
    assert answer.status_code == 405
    assert answer.json()["ok"] is False
    assert desk.client.post("/api/sittings/x/events", json={"id": "a", "kind": "paused"}).status_code == 404


def test_a_full_disk_is_told_and_nothing_is_acknowledged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = desk.begin()

    async def full(*_: object, **__: object) -> None:
        raise CannotSave("The disk is full.")

    monkeypatch.setattr(type(desk.services.take), "act", full)
    item = desk.question(sitting, 1).asked.id
    ack = desk.send(sitting, 503, id="a", kind="answered", item=item, options=["o1"])
    assert ack == {"ok": False, "code": "http-503", "message": "The disk is full."}
    page = desk.post(f"/sittings/{sitting}/1", desk.fill(sitting, 1, o="o1", do="save"), 503).text
    assert "The disk is full." in page


def test_a_sitting_that_cannot_be_read_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def damaged(*_: object) -> None:
        raise Damaged("Sitting x cannot be read: no form.")

    monkeypatch.setattr(type(desk.services.take), "view", damaged)
    assert "cannot be read: no form" in desk.get("/sittings/x/1", 500).text
