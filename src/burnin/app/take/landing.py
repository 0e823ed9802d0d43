"""Brings finished writes back to the event loop, a whole group with one wake-up.

``asyncio.wrap_future`` wakes the loop once a write: a system call each, after which
writer and loop contend for the interpreter lock. A commit finishes many writes at once.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any


class Landing:
    """Awaits futures that another thread resolves. For one event loop at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._landed: list[tuple[asyncio.Future[None], Future[Any]]] = []

    async def wait(self, future: Future[Any]) -> None:
        """Return when the future has a result, or raise its error.

        Giving up waiting does not take the write back.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        future.add_done_callback(partial(self._land, loop, waiter))
        await waiter

    def _land(
        self, loop: asyncio.AbstractEventLoop, waiter: asyncio.Future[None], future: Future[Any]
    ) -> None:
        with self._lock:
            if loop is not self._loop:
                # What landed for an earlier loop and was never told, nobody waits for.
                self._loop, self._landed = loop, []
            first = not self._landed
            self._landed.append((waiter, future))
        if first:
            # A loop that was closed meanwhile has nobody waiting any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        with self._lock:
            landed, self._landed = self._landed, []
        for waiter, future in landed:
            if waiter.done():
                continue
            error = future.exception()
            if error is None:
                waiter.set_result(None)
            else:
                waiter.set_exception(error)
