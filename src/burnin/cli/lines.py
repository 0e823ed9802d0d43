"""Lines typed at a terminal, awaited without stopping the clock."""

from __future__ import annotations

import asyncio
import os
import threading

MAX_LINE = 4096


class LineReader:
    """Reads standard input in a thread of its own; ``None`` is its end.

    The thread reads the file descriptor, not ``sys.stdin``: a daemon thread inside a
    buffered reader's lock would abort the interpreter on exit.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                chunk = os.read(self._descriptor, 1024)
            except OSError:
                chunk = b""
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > MAX_LINE:
                rest = b""
            for line in lines:
                self._put(line.decode(errors="replace").strip())
            if not chunk:
                if rest.strip():
                    self._put(rest.decode(errors="replace").strip())
                self._put(None)
                return

    def _put(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    async def line(self, seconds: float | None) -> str | None:
        """Return the next line; ``TimeoutError`` when none comes within ``seconds``."""
        return await asyncio.wait_for(self._queue.get(), seconds)
