"""Forecasts of simulated people against how they then sit: ``python -m benchmarks.backtest [LEARNERS]``.

The people live in ``tests/learner/people.py``: they know facets, hold misconceptions and
forget, and share nothing with the learner model. They practise on forms of one half of
the bank and sit a form of the other half. Prints Brier score, expected calibration error,
coverage of the 90 % interval of the score and a reliability table, for the plain
population and for kinds of people that the model does not expect.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

from tests.learner.backtest import Bank, Case, Verdict, bank, run, verdict
from tests.learner.people import Kind

from burnin.catalog import load

PLAIN = Kind(start=(0.3, 1.0))
OTHERS: Mapping[str, tuple[Kind, Mapping[str, bool]]] = {
    "everybody with one blind domain": (Kind(start=(0.5, 1.0), blind=1.0), {}),
    "guessers": (Kind(guesser=True), {}),
    "crammers, forgetting in days": (Kind(start=(0.3, 1.0), crammer=True), {}),
    "forgetful (half-lives of 8 to 60 days)": (Kind(start=(0.3, 1.0), half_life=(8.0, 60.0)), {}),
    "full of misconceptions": (Kind(start=(0.3, 1.0), holds=0.8), {}),
    "authors' grades shuffled": (PLAIN, {"wrong_grades": True}),
}


def main(arguments: list[str]) -> None:
    """Run everything and print it."""
    n = int(arguments[0]) if arguments else 10_000
    catalog = load()
    banks = {code: bank(catalog, code) for code in sorted(catalog.blueprints)}
    for code, made in banks.items():
        began = time.process_time()
        cases = run(made, PLAIN, n // len(banks), 90_001)
        spent = time.process_time() - began
        print(
            f"\n{code}: sits {len(made.full[0][1])} items; {1000 * spent / len(cases):.1f} ms CPU a learner"
        )
        _print("plain", verdict(cases))
        for told, came, count in verdict(cases).bins:
            print(f"    forecast {told:.2f}  passed {came:.2f}  {'#' * round(40 * came):40}  {count}")
        print(f"    {_told_blind(cases)}")
        for name, (kind, terms) in OTHERS.items():
            _print(name, verdict(_some(made, kind, n // 20, terms)))


def _some(made: Bank, kind: Kind, n: int, terms: Mapping[str, bool]) -> list[Case]:
    return run(made, kind, n, 90_002, wrong_grades=terms.get("wrong_grades", False))


def _print(name: str, found: Verdict) -> None:
    print(
        f"  {name}: {found.n} learners, Brier {found.brier:.3f} (base rate {found.base:.3f}), "
        f"ECE {found.ece:.3f}, coverage {found.coverage:.1%}, bias {found.bias:+.1f} points"
    )


def _told_blind(cases: list[Case]) -> str:
    told = sum(any(domain.lagging for domain in case.forecast.domains) for case in cases)
    return f"{told / len(cases):.1%} were told of a lagging domain ({PLAIN.blind:.0%} have a blind one)"


if __name__ == "__main__":
    main(sys.argv[1:])
