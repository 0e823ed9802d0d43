"""Who is told of a lagging domain within 40 questions: ``python -m benchmarks.placement [LEARNERS] [SEED]``.

Simulated people (``tests/learner/people.py``), who share nothing with the learner model,
answer an adaptive placement. Prints, an exam and kind of people, how many were told of
the domain that they never worked in and how many of a domain that is not weak, each with
its 95 % interval (Wilson). A domain is told when its chance to lag reaches the bound that
the forecast uses.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

from tests.learner.people import Kind
from tests.learner.placing import Placed, place

from burnin.catalog import load
from burnin.learner.forecast import SURE

KINDS: Mapping[str, Kind] = {
    "strong everywhere but in one domain": Kind(start=(0.85, 0.95), uneven=0.02, blind=1.0),
    "even": Kind(start=(0.5, 0.9), uneven=0.02, blind=0.0),
    "even and strong": Kind(start=(0.85, 0.95), uneven=0.02, blind=0.0),
    "uneven, no domain blind": Kind(start=(0.5, 0.9), uneven=0.12, blind=0.0),
}


def main(arguments: list[str]) -> None:
    """Run everything and print it."""
    n = int(arguments[0]) if arguments else 200
    seed = int(arguments[1]) if len(arguments) > 1 else 61_207
    catalog = load()
    for code in sorted(catalog.blueprints):
        print(f"\n{code}: {len(catalog.candidates(catalog.blueprints[code]))} items, told from {SURE}")
        for number, (name, kind) in enumerate(KINDS.items()):
            began = time.process_time()
            found = place(catalog, code, kind, n, seed + number)
            spent = time.process_time() - began
            print(
                f"  {name}: {_told(found)}; falsely told {_share([_false(one) for one in found])}; "
                f"{1000 * spent / n:.0f} ms CPU a learner",
                flush=True,
            )


def _told(found: list[Placed]) -> str:
    blind = [one for one in found if one.weak is not None]
    if not blind:
        return "nobody has a blind domain"
    return f"told {_share([one.weak in _named(one) for one in blind])}"


def _false(one: Placed) -> bool:
    return any(name != one.weak for name in _named(one))


def _named(one: Placed) -> list[str]:
    return [name for name, lags in zip(one.belief.domains, one.lags, strict=True) if lags >= SURE]


def _share(hits: list[bool]) -> str:
    n, p, z = len(hits), sum(hits) / len(hits), 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    return f"{p:.1%} ({middle - half:.1%} to {middle + half:.1%}, {n} people)"


if __name__ == "__main__":
    main(sys.argv[1:])
