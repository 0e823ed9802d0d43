import pytest

from burnin.web.guard import Guard, _name
from tests.web.desk import Desk

REQUIRED = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/healthz", 200), ("/exams", 200), ("/nowhere", 404), ("/static/x/burnin.css", 200)],
)
def test_every_response_carries_the_headers(desk: Desk, path: str, status: int) -> None:
    headers = desk.get(path, status).headers
    for name in REQUIRED:
        assert name in headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


def test_pages_are_never_stored(desk: Desk) -> None:
    sitting = desk.begin()
    for path in ("/", f"/sittings/{sitting}/1", f"/sittings/{sitting}/review"):
        assert desk.get(path).headers["cache-control"] == "no-store"


def test_a_crash_shows_no_trace_and_keeps_the_headers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("the inside of the machine")

    monkeypatch.setattr(desk.services.exams, "all", broken)
    answer = desk.get("/exams", 500)
    assert "inside of the machine" not in answer.text
    assert "Traceback" not in answer.text
    assert "Something broke" in answer.text
    for name in REQUIRED:
        assert name in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:8765", "127.0.0.1"])
def test_own_names_are_answered_on_any_port(desk: Desk, host: str) -> None:
    desk.get("/healthz", headers={"host": host})


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::2]"],
)
def test_other_names_are_refused_against_rebinding(desk: Desk, host: str) -> None:
    assert "own address" in desk.get("/", 421, headers={"host": host}).text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize(
    "path", ["/settings", "/sittings", "/faults", "/api/sittings/x/events", "/sittings/x/1"]
)
def test_a_post_from_elsewhere_changes_nothing(desk: Desk, headers: dict[str, str], path: str) -> None:
    desk.post(path, {"exam": "NCP-GENL"}, 403, headers=headers)
    assert desk.run(desk.services.profile.get).exam is None


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "same-origin"},
        {"origin": "http://127.0.0.1:8765"},
        {},
    ],
)
def test_own_posts_pass(desk: Desk, headers: dict[str, str]) -> None:
    desk.post("/settings", {"exam": "NCP-GENL", "back": "/"}, headers=headers)
    assert desk.run(desk.services.profile.get).exam == "NCP-GENL"


def test_reading_from_elsewhere_is_no_cors(desk: Desk) -> None:
    answer = desk.client.request(
        "OPTIONS",
        "/api/sittings/x/events",
        headers={"origin": "https://evil.example", "access-control-request-method": "POST"},
    )
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


def test_a_large_body_is_refused_with_and_without_its_length(desk: Desk) -> None:
    body = b"text=" + b"x" * 70_000
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = desk.client.post("/faults", content=body, headers=form)
    assert answer.status_code == 413
    assert "64 KiB" in answer.text

    async def pieces():
        for _ in range(70):
            yield b"x" * 1000

    assert desk.client.post("/faults", content=pieces(), headers=form).status_code == 413


def test_a_garbled_length_is_refused(desk: Desk) -> None:
    assert desk.client.post("/faults", headers={"content-length": "-1"}).status_code == 413


def test_name_of_a_host() -> None:
    assert [_name(h) for h in ("[::1]:80", "[::1]", "LocalHost:80", "a")] == [
        "[::1]",
        "[::1]",
        "localhost",
        "a",
    ]
    assert Guard is not None
