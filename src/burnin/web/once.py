"""Forms that make something: sent twice, they make it once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

KEPT = 512


class Once:
    """Remembers what the last forms made, by the nonce that each was rendered with."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, asyncio.Task[str]] = OrderedDict()

    async def make(self, nonce: str, maker: Callable[[], Awaitable[str]]) -> str:
        """Return what ``maker`` made for this nonce; a failure is not remembered."""
        if not nonce:
            return await maker()
        task = self._made.get(nonce)
        if task is None:
            task = asyncio.ensure_future(_run(maker))
            self._made[nonce] = task
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():
                self._made.pop(nonce, None)
            raise


async def _run(maker: Callable[[], Awaitable[str]]) -> str:
    return await maker()
