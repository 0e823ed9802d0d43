"""Work out what computed questions are drawn from before a first form asks for it.

``python -m burnin.app.warming [GENERATOR...]`` in a process of its own: some twenty seconds of
CPU on the first day, next to none afterwards, since everything is kept in the cache folder.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from threading import Timer

from burnin.app.home import find
from burnin.catalog import load

AFTER_S = 8.0
"""How long a server waits: the first page comes first."""


def warm(names: Sequence[str] = ()) -> int:
    """Work out the generators named, or all, and return how many give questions."""
    from burnin.app.computing import candidates
    from burnin.itemgen import usable

    wanted = [w for w in usable(load(find()).generators.values()) if not names or w.id in names]
    return sum(bool(candidates(words)) for words in wanted)


@contextlib.contextmanager
def warming(after_s: float = AFTER_S) -> Iterator[None]:
    """Warm up in a process beside this one, gently, and end it with the block."""
    children: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        with contextlib.suppress(OSError):
            children.append(
                subprocess.Popen(
                    [sys.executable, "-m", "burnin.app.warming"],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )

    timer = Timer(after_s, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        for child in children:
            child.kill()
            child.wait()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(15)
    warm(sys.argv[1:])
