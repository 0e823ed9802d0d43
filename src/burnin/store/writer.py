"""One thread that writes, and commits whatever is queued in one transaction.

A write's future resolves only after its transaction is on disk. One fsync serves all
writes that queued up during the one before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from burnin.store.engine import describe
from burnin.store.errors import StoreError, Unavailable
from burnin.store.savepoint import ends_transaction, savepoint

GROUP = 512


class Bulk(Protocol):
    """Carries out many writes of one kind at once; all of them or, raising, none."""

    def __call__(self, connection: Connection, arguments: Sequence[Any]) -> None: ...


@dataclass(slots=True)
class _Write:
    one: Callable[[Connection], Any]
    bulk: Bulk | None = None
    argument: Any = None
    future: Future[Any] = field(default_factory=Future)


class Writer:
    """The queue and its thread. ``committed`` and ``rolled_back`` run in the thread."""

    def __init__(
        self,
        engine: Engine,
        *,
        committed: Callable[[], None] = lambda: None,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> None:
        self._engine = engine
        self._committed = committed
        self._rolled_back = rolled_back
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="burnin-writer", daemon=True)
        self._thread.start()

    def submit(
        self, one: Callable[[Connection], Any], *, bulk: Bulk | None = None, argument: Any = None
    ) -> Future[Any]:
        """Queue a write; the future holds its result, or a ``StoreError``.

        Neighbours in the queue with the same ``bulk`` are first tried in one go with
        their arguments; if that raises, each runs by itself. A future that is cancelled
        in time is not written.
        """
        write = _Write(one, bulk, argument)
        with self._gate:
            if self._closed:
                write.future.set_exception(Unavailable("The store is closed."))
            else:
                self._queue.put(write)
        return write.future

    def close(self) -> None:
        """Commit what is queued, then stop."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        open_ = True
        while open_:
            group: list[_Write] = []
            for write in self._queued():
                if write is None:
                    open_ = False
                elif write.future.set_running_or_notify_cancel():
                    group.append(write)
            if group:
                self._commit(group)
        self._drop_connection()

    def _queued(self) -> Iterator[_Write | None]:
        yield self._queue.get()
        for _ in range(GROUP - 1):
            try:
                yield self._queue.get_nowait()
            except Empty:
                return

    def _commit(self, group: list[_Write]) -> None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect().execution_options(burnin_write=True)
            with self._connection.begin():
                outcomes = self._carry_out(self._connection, group)
        except Exception as error:
            # Nothing of this group is known to be on disk, so nothing of it is acknowledged.
            self._rolled_back()
            self._drop_connection()
            failure = Unavailable(f"The data could not be saved: {describe(error)}")
            failure.__cause__ = error
            for write in group:
                write.future.set_exception(failure)
            return
        self._committed()
        for write, outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Exception):
                write.future.set_exception(outcome)
            else:
                write.future.set_result(outcome)

    def _carry_out(self, connection: Connection, group: list[_Write]) -> list[Any]:
        outcomes: list[Any] = []
        for bulk, run in groupby(group, key=lambda write: write.bulk):
            writes = list(run)
            if bulk is not None and len(writes) > 1:
                try:
                    with savepoint(connection):
                        bulk(connection, [write.argument for write in writes])
                except Exception as error:
                    if ends_transaction(error):
                        raise
                else:
                    outcomes.extend([None] * len(writes))
                    continue
            outcomes.extend(self._by_itself(connection, write) for write in writes)
        return outcomes

    @staticmethod
    def _by_itself(connection: Connection, write: _Write) -> Any:
        try:
            with savepoint(connection):
                return write.one(connection)
        except StoreError as error:
            return error
        except Exception as error:
            if ends_transaction(error):
                raise
            failure = StoreError(f"The data could not be stored: {describe(error)}")
            failure.__cause__ = error
            return failure

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.invalidate()
            connection.close()
        except SQLAlchemyError:
            return
