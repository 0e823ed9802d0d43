"""Starts the web application on this machine's own address and keeps it running."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from burnin.app.errors import AppError

if TYPE_CHECKING:
    from starlette.applications import Starlette

STOP_S = 3


class CannotListen(AppError):
    """The address cannot be listened on; says why and what to do."""


def serve(
    host: str = "127.0.0.1", port: int = 8765, open_browser: bool = True, home: Path | None = None
) -> None:
    """Serve until interrupted; print the address once it listens. Port 0 takes any free one.

    ``home`` None means ``BURNIN_HOME`` or the platform's data folder. Errors:
    ``CannotListen``, ``BadHome``.
    """
    listening = _listen(host, port)
    try:
        from burnin.app import home as homes
        from burnin.app.wiring import open_services
        from burnin.web.app import create_app

        services = open_services(homes.find() if home is None else home)
        try:
            _run(create_app(services), listening, host, open_browser)
        finally:
            services.close()
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    if not _loopback(host):
        raise CannotListen(
            f"burnin serves only this machine, so it does not listen on {host}. Use 127.0.0.1, and a tunnel "
            "such as ssh -L for another machine."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":
        # A restart must not wait for the old connections to fade. On Windows this would share the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno in (errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)):
            raise CannotListen(
                f"Port {port} is in use, perhaps by a burnin that already runs. Open http://{host}:{port}/, "
                "or choose another port with --port (0 takes any free one)."
            ) from None
        raise CannotListen(f"burnin cannot listen on {host}:{port}: {error.strerror}.") from None
    return listening


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _run(app: Starlette, listening: socket.socket, host: str, open_browser: bool) -> None:
    import uvicorn

    from burnin.app.warming import warming

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_S,
    )
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{listening.getsockname()[1]}/"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"burnin is at {url}  (Ctrl+C stops it)", flush=True)
                if open_browser:
                    threading.Thread(target=_open, args=(url,), daemon=True).start()

    with contextlib.suppress(KeyboardInterrupt), _terminate_gracefully(), warming():
        Server(config).run(sockets=[listening])


@contextlib.contextmanager
def _terminate_gracefully() -> Iterator[None]:
    # The server raises a caught signal again when it has stopped; SIGTERM must then not
    # kill the process before the store is closed.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _open(url: str) -> None:
    """Open a browser where there is a screen; say nothing where there is none."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)
