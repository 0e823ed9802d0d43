"""The peer: the smallest Starlette application on the same server, one page and one save."""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

PAGE = "<!doctype html><html lang=en><title>bare</title><h1>bare</h1>"


async def page(request: Request) -> Response:
    return HTMLResponse(PAGE)


async def save(request: Request) -> Response:
    await request.body()
    return JSONResponse({"ok": True})


def main() -> None:
    app = Starlette(routes=[Route("/", page), Route("/save", save, methods=["POST"])])
    listening = socket.socket()
    listening.bind(("127.0.0.1", int(sys.argv[1])))
    listening.listen(128)
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
