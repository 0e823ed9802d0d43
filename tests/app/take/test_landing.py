from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future

import pytest

from burnin.app.take.landing import Landing


def test_each_waiter_gets_its_own_result_or_error_and_the_loop_is_woken_once() -> None:
    landing, futures = Landing(), [Future() for _ in range(50)]  # type: ignore[var-annotated]
    wakes = 0

    async def main() -> list[object]:
        loop = asyncio.get_running_loop()
        original = loop.call_soon_threadsafe

        def counted(*args, **kwargs):  # type: ignore[no-untyped-def]
            nonlocal wakes
            wakes += 1
            return original(*args, **kwargs)

        loop.call_soon_threadsafe = counted  # type: ignore[method-assign]
        waiting = [asyncio.ensure_future(landing.wait(future)) for future in futures]
        await asyncio.sleep(0)

        def resolve() -> None:
            for n, future in enumerate(futures):
                if n % 10 == 3:
                    future.set_exception(KeyError(n))
                else:
                    future.set_result(n)

        # The loop stands still while the other thread finishes the group.
        thread = threading.Thread(target=resolve)
        thread.start()
        thread.join()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        return list(done)

    results = asyncio.run(main())
    assert wakes == 1
    assert [n for n, result in enumerate(results) if isinstance(result, KeyError)] == [3, 13, 23, 33, 43]
    assert results.count(None) == 45


def test_a_future_that_is_done_already_is_told() -> None:
    done: Future[int] = Future()
    done.set_result(1)
    asyncio.run(Landing().wait(done))


def test_giving_up_leaves_the_write_alone_and_a_later_loop_is_served() -> None:
    landing, slow, quick = Landing(), Future(), Future()  # type: ignore[var-annotated]

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(landing.wait(slow), 0.01)

    asyncio.run(give_up())
    assert not slow.cancelled()
    slow.set_result(None)  # lands for a loop that is closed

    async def again() -> None:
        threading.Timer(0.01, quick.set_result, [None]).start()
        await asyncio.wait_for(landing.wait(quick), 30)

    asyncio.run(again())
