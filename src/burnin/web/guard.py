"""What stands before every route: host, origin and size checks, and the security headers."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from burnin.web import errors
from burnin.web.headers import add

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
BODY_LIMIT = 64 * 1024
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Wraps an application; ``hosts`` are the names it answers to, whatever the port."""

    def __init__(
        self, app: ASGIApp, *, hosts: Iterable[str] = LOOPBACK, body_limit: int = BODY_LIMIT
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            status, message = refusal
            response = await errors.response(Request(scope), status, message)
            await response(scope, receive, _with_headers(send))
            return
        await self._app(scope, _limited(receive, self._limit), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        # A page elsewhere can point its own name at 127.0.0.1; only our names are answered.
        if _name(host) not in self._hosts:
            return 421, "burnin answers only on this machine’s own address, such as http://127.0.0.1:8000."
        if scope["method"] not in SAFE_METHODS and not _same_origin(headers, host):
            return 403, "This request came from another site, so nothing was changed."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit:
            return 413, f"That is more than burnin takes at once ({self._limit // 1024} KiB)."
        return None


def _name(host: str) -> str:
    bracket = host.find("]")
    if bracket >= 0:
        return host[: bracket + 1].lower()
    return host.partition(":")[0].lower()


def _same_origin(headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        # No browser sends an unsafe request with neither header; a script on this machine may.
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _limited(receive: Receive, limit: int) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > limit:
                raise HTTPException(413, f"That is more than burnin takes at once ({limit // 1024} KiB).")
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = list(message.get("headers", ()))
            add(message["headers"])
        await send(message)

    return sending
