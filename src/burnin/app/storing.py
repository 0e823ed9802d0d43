"""Reads and writes of the store, awaited, with errors in the services' words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from burnin.app.errors import CannotRead, CannotSave
from burnin.store import StoreError, Unavailable

P = ParamSpec("P")
T = TypeVar("T")


async def read(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a reading call in a thread. ``CannotRead`` if the database does not answer."""
    try:
        return await asyncio.to_thread(call, *args, **kwargs)
    except Unavailable as error:
        raise CannotRead(str(error)) from error


async def written(future: Future[Any]) -> None:
    """Return when a write is on disk. ``CannotSave`` if it is not."""
    try:
        await asyncio.wrap_future(future)
    except StoreError as error:
        raise CannotSave(str(error)) from error
