"""A real Chromium and a real server for the tests marked ``browser``."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from burnin.app.wiring import Services, open_services
from burnin.catalog import Catalog
from burnin.web.app import create_app
from tests.app.desk import HandClock

T = TypeVar("T")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Where Chromium is: ``CHROMIUM``, or what Debian and others call it."""
    named = os.environ.get("CHROMIUM")
    return named or next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class WalkingClock(HandClock):
    """The machine's time, which a test can push forward."""

    def __init__(self) -> None:
        super().__init__()
        self._began = time.monotonic()

    def now(self):  # type: ignore[no-untyped-def]
        past = time.monotonic() - self._began
        self._began += past
        self.wait(past)
        return super().now()


class Live:
    """The application on a port, in a thread of this process, with services a test can ask."""

    def __init__(self, home: Path, catalog: Catalog) -> None:
        self.clock = WalkingClock()
        self.services: Services = open_services(home, clock=self.clock, catalog=catalog)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            create_app(self.services),
            host="127.0.0.1",
            port=self.port,
            log_level="warning",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self._loop.run_until_complete(self._server.serve())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def __enter__(self) -> Live:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self.services.close()

    def ask(self, work: Coroutine[Any, Any, T]) -> T:
        """Await a service's answer in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


class Process:
    """burnin as a process of its own on a fixed port, to be killed and started again."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "burnin.cli.main", "serve", "--no-browser", "--port", str(self.port)],
            env={**os.environ, "BURNIN_HOME": str(self.home)},
            stdout=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(self.base + "/healthz", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """kill -9."""
        assert self._child is not None
        self._child.send_signal(signal.SIGKILL)
        self._child.wait()

    def stop(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
            self._child.wait(10)
