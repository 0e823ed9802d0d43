import pytest

from burnin.app.take import Conditions
from tests.web.desk import Desk


def test_an_answer_is_acknowledged_with_what_is_stored(desk: Desk) -> None:
    sitting = desk.begin(minutes=20)
    item = desk.question(sitting, 1).asked.id
    ack = desk.send(sitting, id="a", kind="answered", item=item, options=["o1"], seen=0)
    assert ack["ok"]
    assert ack["options"] == ["o1"]
    assert ack["remaining_ms"] == 20 * 60_000
    assert ack["seen"] == ack["version"]
    assert desk.question(sitting, 1).selected == ("o1",)
    again = desk.send(sitting, id="a", kind="answered", item=item, options=["o1"], seen=0)
    assert again["duplicate"]
    assert again["version"] == ack["version"]


def test_a_write_from_an_older_tab_is_409_and_carries_the_truth(desk: Desk) -> None:
    sitting = desk.begin()
    question = desk.question(sitting, 1)
    item, seen = question.asked.id, question.seen
    desk.send(sitting, id="tab-2", kind="answered", item=item, options=["o2"], seen=seen)
    ack = desk.send(sitting, 409, id="tab-1", kind="answered", item=item, options=["o1"], seen=seen)
    assert ack["code"] == "stale"
    assert ack["options"] == ["o2"]
    taken = desk.send(sitting, id="tab-1b", kind="answered", item=item, options=["o1"], seen=ack["seen"])
    assert taken["options"] == ["o1"]


def test_one_id_with_other_content_is_409(desk: Desk) -> None:
    sitting = desk.begin()
    item = desk.question(sitting, 1).asked.id
    desk.send(sitting, id="a", kind="flagged", item=item, on=True)
    assert desk.send(sitting, 409, id="a", kind="flagged", item=item, on=False)["code"] == "conflict"


def test_after_time_is_up_it_is_410(desk: Desk) -> None:
    sitting = desk.begin(minutes=10)
    item = desk.question(sitting, 1).asked.id
    desk.clock.wait(601)
    ack = desk.send(sitting, 410, id="late", kind="answered", item=item, options=["o1"])
    assert ack["phase"] == "expired"
    assert ack["options"] == []


def test_too_many_options_are_refused(desk: Desk) -> None:
    sitting = desk.begin(size=20)
    number = desk.number_with(sitting, 2)
    item = desk.question(sitting, number).asked.id
    refused = desk.send(sitting, 422, id="a", kind="answered", item=item, options=["o0", "o1", "o2"])
    assert refused["code"] == "too-many"
    assert desk.question(sitting, number).selected == ()
    desk.send(sitting, id="b", kind="answered", item=item, options=["o0", "o1"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"id": 5, "kind": "answered"}',
        b'{"id": "a", "kind": "submitted"}',
        b'{"id": "a", "kind": "answered", "more": 1}',
        b"\xff\xfe",
    ],
)
def test_a_garbled_event_is_400_as_json(desk: Desk, body: bytes) -> None:
    sitting = desk.begin()
    answer = desk.client.post(f"/api/sittings/{sitting}/events", content=body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "http-400"


@pytest.mark.parametrize(
    "event", [{"kind": "answered", "item": "nope"}, {"kind": "flagged"}, {"kind": "resumed"}]
)
def test_what_cannot_be_done_is_422(desk: Desk, event: dict[str, str]) -> None:
    sitting = desk.begin()
    assert desk.send(sitting, 422, id="a", **event)["ok"] is False


def test_the_clock_tells_the_servers_time(desk: Desk) -> None:
    sitting = desk.begin(minutes=10)
    desk.clock.wait(60)
    now = desk.client.post(f"/api/sittings/{sitting}/clock").json()
    assert now["remaining_ms"] == 9 * 60_000
    assert now["phase"] == "running"
    desk.clock.wait(541)
    assert desk.client.post(f"/api/sittings/{sitting}/clock").json()["phase"] == "expired"
    assert desk.client.post("/api/sittings/nothing/clock").status_code == 404


def test_health(desk: Desk) -> None:
    assert desk.get("/healthz").json()["status"] == "ok"


def test_a_confidence_tap_is_kept_in_practice_and_refused_in_an_exam(desk: Desk) -> None:
    sitting = desk.begin(conditions=Conditions.TIMED)
    item = desk.question(sitting, 1).asked.id
    assert desk.send(sitting, id="r1", kind="rated", item=item, value="unsure")["rating"] == "unsure"
    assert desk.question(sitting, 1).rating == "unsure"
    assert desk.send(sitting, 422, id="r2", kind="rated", item=item, value="dunno")["code"] == "malformed"
    strict = desk.begin()
    item = desk.question(strict, 1).asked.id
    assert desk.send(strict, 422, id="r3", kind="rated", item=item, value="sure")["code"] == "no-rating"
