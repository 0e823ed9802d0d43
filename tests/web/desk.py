"""What the tests of the pages share: a client, its services, and reading of forms."""

from __future__ import annotations

import asyncio
import html
import re
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, TypeVar

import httpx
from httpx import Response
from starlette.applications import Starlette

from burnin.app.take import Conditions, QuestionView, SittingView
from burnin.app.wiring import Services
from burnin.web.tokens import Tokens
from tests.app.desk import HandClock

BASE = "http://127.0.0.1:8765"


T = TypeVar("T")


class Client:
    """Calls an application in-process from plain tests; the application's loop runs in a thread."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Client:
        self._thread.start()
        self.wait(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _open(self) -> None:
        self._lifespan = self._app.router.lifespan_context(self._app)
        await self._lifespan.__aenter__()
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        self._http = httpx.AsyncClient(transport=transport, base_url=BASE)

    async def _close(self) -> None:
        await self._http.aclose()
        await self._lifespan.__aexit__(None, None, None)

    def request(self, method: str, path: str, **more: Any) -> Response:
        return self.wait(self._http.request(method, path, **more))

    def get(self, path: str, **more: Any) -> Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> Response:
        return self.request("POST", path, **more)


@dataclass
class Desk:
    client: Client
    services: Services
    clock: HandClock

    def run(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call an async service in the application's own loop."""
        return self.client.wait(function(*args, **kwargs))

    def begin(self, conditions: str = "exam", **wishes: Any) -> str:
        wishes = {"size": 10, "seed": 7, **wishes}
        exam = wishes.pop("exam", "NCP-GENL")
        sitting: str = self.run(self.services.take.create, exam, conditions=Conditions(conditions), **wishes)
        return sitting

    def view(self, sitting: str) -> SittingView:
        view: SittingView = self.run(self.services.take.view, sitting)
        return view

    def question(self, sitting: str, number: int) -> QuestionView:
        question: QuestionView = self.run(self.services.take.question, sitting, number)
        return question

    def key(self, item: str) -> list[str]:
        return sorted(self.services.catalog.items[item].key)

    def number_with(self, sitting: str, choose: int) -> int:
        """The first question of a sitting that asks for so many options."""
        return next(entry.number for entry in self.view(sitting).entries if entry.choose == choose)

    def get(self, path: str, status: int = 200, **more: Any) -> Response:
        response = self.client.get(path, **more)
        assert response.status_code == status, (path, response.status_code, response.text[:2000])
        return response

    def post(self, path: str, data: dict[str, Any] | None = None, status: int = 303, **more: Any) -> Response:
        response = self.client.post(path, data=data, **more)
        assert response.status_code == status, (path, response.status_code, response.text[:2000])
        return response

    def send(self, sitting: str, status: int = 200, **event: Any) -> dict[str, Any]:
        """Send an event as the page does, with tokens; the answer's are turned into option ids."""
        if "options" in event:
            known = self.run(self.services.take.options, sitting, event.get("item"))
            tokens = self.tokens(sitting, event.get("item"))
            event["options"] = [tokens.of(o) if o in known else o for o in event["options"]]
        response = self.client.post(f"/api/sittings/{sitting}/events", json=event)
        assert response.status_code == status, response.text
        ack: dict[str, Any] = response.json()
        tokens = self.tokens(sitting, event.get("item"))
        for name in ("options", "struck"):
            if name in ack:
                ack[name] = list(tokens.ids(ack[name]))
        return ack

    def tokens(self, sitting: str, item: str | None) -> Tokens:
        return Tokens(sitting, item or "", self.run(self.services.take.options, sitting, item))

    def fill(self, sitting: str, number: int, **fields: Any) -> dict[str, Any]:
        """The fields that a browser would send from the question page, and ``fields`` on top."""
        page = self.get(f"/sittings/{sitting}/{number}").text
        return {**form_fields(page, "answer"), **fields}


class _Fields(HTMLParser):
    def __init__(self, form: str) -> None:
        super().__init__()
        self.form, self.inside, self.fields = form, False, {}
        self.fields: dict[str, list[str]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = given.get("id") == self.form
        mine = given["form"] == self.form if "form" in given else self.inside
        if tag == "input" and mine and given.get("name"):
            if given.get("type") in ("radio", "checkbox") and "checked" not in given:
                return
            self.fields.setdefault(str(given["name"]), []).append(str(given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False


def form_fields(page: str, form: str) -> dict[str, list[str]]:
    """What a form would send if it were submitted as it stands."""
    parser = _Fields(form)
    parser.feed(page)
    return parser.fields


def text(page: str) -> str:
    """A page's words without its markup."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page))).strip()
