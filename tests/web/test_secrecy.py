"""In exam conditions the key and the reasons never leave the server before submission."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Route

from burnin.app.wiring import open_services
from burnin.catalog import Catalog, load
from burnin.web import assets
from burnin.web.app import create_app
from burnin.web.markdown import block, inline
from tests.app.desk import HandClock
from tests.web.bank import SECRETS, catalog
from tests.web.desk import Client, Desk

VARYING = re.compile(r'(name="nonce" value=)"[^"]*"|/static/[0-9a-f]+/')
QUERIES = (
    "",
    "?show=missed",
    "?mark=70",
    "?saved",
    "?key=1",
    "?reveal=1",
    "?conditions=tutor",
    "?exam=NCP-GENL",
)


def open_desk(home: Path, bank: Catalog) -> Iterator[Desk]:
    clock = HandClock()
    services = open_services(home, clock=clock, catalog=bank)
    with Client(create_app(services)) as client:
        yield Desk(client, services, clock)
    services.close()


def paths(desk: Desk, sitting: str, size: int) -> list[str]:
    """Every address that any route answers, filled in for this sitting, and every asset."""
    found = []
    for route in desk.client._app.routes:
        assert isinstance(route, Route)
        if route.path == "/static/{version}/{name}":
            found += [assets.url(name) for name in assets.assets()]
            continue
        path = route.path.replace("{id}", sitting).replace("{code}", "NCP-GENL").replace("{option}", "o1")
        numbered = "{n:int}" in path
        found += [path.replace("{n:int}", str(n)) for n in range(1, size + 1)] if numbered else [path]
    found += [f"/faults/new?sitting={sitting}&n={n}" for n in range(1, size + 1)]
    return list(dict.fromkeys(found))


def everything(desk: Desk, sitting: str, size: int) -> Iterator[tuple[str, str]]:
    """Every response to reading and to writing, in the middle of the sitting."""
    for path in paths(desk, sitting, size):
        few = QUERIES if "?" not in path and not path.startswith("/static") else ("",)
        for query in few:
            yield f"GET {path}{query}", desk.client.get(path + query).text
    for number in range(1, size + 1):
        item = desk.question(sitting, number).asked
        for kind in ("answered", "flagged", "struck", "rated", "revealed", "paused", "resumed"):
            event = {
                "id": f"{kind}-{number}",
                "kind": kind,
                "item": item.id,
                "options": [o.id for o in item.options[: item.choose]],
                "on": True,
                "value": "sure",
            }
            yield f"API {kind} {number}", desk.client.post(f"/api/sittings/{sitting}/events", json=event).text
        for fields in (
            {"do": "check"},
            {"do": "pause"},
            {"do": "save", "o": "o1"},
            {"strike": "o1"},
            {"rate": "sure"},
            {"do": "note", "note": "x"},
            {"go": "1"},
        ):
            path = f"/sittings/{sitting}/{number}"
            yield f"POST {path} {fields}", desk.client.post(path, data={"nonce": str(fields), **fields}).text
        note = {"item": item.id, "text": "x"}
        yield f"API note {number}", desk.client.post(f"/api/sittings/{sitting}/notes", json=note).text
        report = {"sitting": sitting, "n": str(number), "kind": "other", "text": "x", "nonce": str(number)}
        yield f"POST /faults {number}", desk.client.post("/faults", data=report).text
    yield "clock", desk.client.post(f"/api/sittings/{sitting}/clock").text
    yield "export", desk.client.get("/faults.jsonl").text
    for fields in ({}, {"conditions": "timed"}):
        path = f"/sittings/{sitting}/redo"
        refused = desk.client.post(path, data={"nonce": "twin", **fields})
        assert refused.status_code == 409
        yield f"POST {path} {fields}", refused.text
    yield "POST /sittings garbled", desk.client.post("/sittings", data={"exam": "NCP-GENL"}).text


LIBRARY = ("/practice", "/misconceptions", "/ready")


def test_no_route_and_no_asset_gives_a_reason_or_a_flip_point_away(tmp_path: Path) -> None:
    for desk in open_desk(tmp_path, catalog()):
        size = 30
        sitting = desk.begin("exam", size=size)
        walked = 0
        for what, body in everything(desk, sitting, size):
            walked += 1
            for secret in SECRETS:
                # The library of mistakes is open to all; it names no item and no option.
                if secret.startswith(("MISTAKE", "REMEDY")) and any(f" {page}" in what for page in LIBRARY):
                    continue
                assert secret not in body, f"{what} holds {secret}"
            assert "correct" not in body or "/static/" in what, what
        assert walked > 500
        # The same words are there after submission: the search above could have found them.
        desk.post(f"/sittings/{sitting}/submit", {"nonce": "end"})
        result = desk.get(f"/sittings/{sitting}/result").text
        for secret in SECRETS:
            assert secret in result


def test_what_is_sent_does_not_depend_on_the_key(tmp_path: Path) -> None:
    """Two banks that differ in nothing but the key, the reasons and the flip points look the same."""
    seen = []
    for turn in (0, 1):
        for desk in open_desk(tmp_path / str(turn), catalog(turn=turn)):
            desk.services.take._new_id = lambda: "the-sitting"
            sitting = desk.begin("exam", size=30)
            asked = [desk.question(sitting, n).asked for n in range(1, 31)]
            keys = [desk.key(a.id) for a in asked]
            bodies = {
                what: VARYING.sub(r"\1", body)
                for what, body in everything(desk, sitting, 30)
                if what != "export" and "/faults" not in what and "/healthz" not in what
            }
            seen.append((asked, keys, bodies))
    (asked, keys, bodies), (other_asked, other_keys, other_bodies) = seen
    assert asked == other_asked
    assert all(a != b for a, b in zip(keys, other_keys, strict=True))
    assert bodies.keys() == other_bodies.keys()
    for what, body in bodies.items():
        assert body == other_bodies[what], what


@pytest.mark.parametrize("exam", ["NCP-GENL", "NCA-GENM"])
def test_the_built_in_bank_keeps_its_reasons_too(tmp_path: Path, exam: str) -> None:
    for desk in open_desk(tmp_path, load(None)):
        size = 40
        sitting = desk.begin("exam", exam=exam, size=size)
        bodies = [(path, desk.client.get(path).text) for path in paths(desk, sitting, size)]
        store = desk.services.store
        _, items = store.forms.get(store.sittings.get(sitting).form)
        for item in items:
            for option in item.options:
                for words in filter(None, (option.reason, option.flip)):
                    forms = {words, html.escape(words), str(block(words)).strip(), str(inline(words))}
                    for path, body in bodies:
                        assert not any(form in body for form in forms), (path, item.id, option.id)
