"""Form assembly: `python -m benchmarks.assembly`.

Synthetic banks of 1,000 and 2,000 items on the real blueprints. Every figure of the model
stands beside a random draw stratified by domain from the same bank in the same run: the
draw has the same quotas and keeps families and enemies apart by drawing again.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from burnin.assembly import Infeasible, Terms, assemble, assemble_parallel
from burnin.catalog import load
from burnin.domain.blueprint import Blueprint
from burnin.domain.item import Citation, Exhibit, Item, Option, Source
from burnin.exam.apart import conflicts
from burnin.exam.forms import quotas

BANKS = (1_000, 2_000)
SEEDS = 20
FORMS = 5


@dataclass
class Shelf:
    misconceptions: dict[str, Any]
    sources: dict[str, Source]
    exhibits: dict[str, Exhibit]


SHELF = Shelf(
    {},
    {"s": Source(id="s", kind="paper", title="t", publisher="p", url="https://x.test", seen="2026-11-30")},
    {f"x{n}": Exhibit(id=f"x{n}", title="x", kind="code", text="x") for n in range(1000)},
)


def bank(blueprint: Blueprint, size: int, seed: int) -> list[Item]:
    """Items as a grown bank has them: uneven officials, families, chains of enemies, shared exhibits."""
    rng = Random(seed)
    items = []
    for domain, count in quotas({d.id: d.weight for d in blueprint.domains}, size).items():
        facts = blueprint.domain(domain)
        uneven = [rng.uniform(0.3, 2.0) for _ in facts.official]
        objectives = list(facts.objectives)
        for n in range(count):
            several = rng.random() < blueprint.multiple_share
            options = 5 if several else 4
            items.append(
                Item(
                    id=f"{domain}-{n:04}",
                    version=1,
                    exam=blueprint.code,
                    objective=f"{domain}/{rng.choice(objectives)}",
                    official=rng.choices([o.number for o in facts.official], uneven)[0],
                    choose=2 if several else 1,
                    stem="?",
                    options=tuple(
                        Option(id=f"o{k}", text=f"{k}", reason="r", correct=k < 1 + several)
                        for k in range(options)
                    ),
                    sources=(Citation(source="s", locator="1"),),
                    as_of="2026-11-30",
                    difficulty=rng.choices([1, 2, 3, 4, 5], [5, 25, 40, 22, 8])[0],
                    seconds=max(30, round(rng.gauss(blueprint.minutes * 55 / blueprint.questions_usual, 20))),
                    family=f"{domain}-f{n // 4}" if n % 40 < 8 else None,
                    enemies=(f"{domain}-{n + 1:04}",) if n % 25 == 20 else (),
                    exhibit=f"x{len(items) // 3 % 1000}" if n % 10 < 2 else None,
                )
            )
    return items


def parameters(items: Sequence[Item], seed: int) -> dict[str, tuple[float, float, float]]:
    """Slope, difficulty and lower asymptote of each item, as a calibrated bank would hold them."""
    rng = Random(f"parameters {seed}")
    return {
        i.id: (
            math.exp(rng.gauss(0.0, 0.35)),
            0.6 * (i.difficulty - 3) + 0.4 * (i.choose > 1) + rng.gauss(0.0, 0.8),
            1 / math.comb(len(i.options), i.choose),
        )
        for i in items
    }


def information(parameter: tuple[float, float, float], theta: float) -> float:
    """Fisher information of the 3PL (Lord 1980, equation 5-9)."""
    a, b, c = parameter
    curve = 1 / (1 + math.exp(-a * (theta - b)))
    right = c + (1 - c) * curve
    return (1 - c) * a * a * curve * curve * (1 - curve) / right


def stratified(blueprint: Blueprint, items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Quotas by domain, items in random order, those that may not meet the ones before left out."""
    rng = Random(seed)
    apart = conflicts(items)
    quota = quotas({d.id: d.weight for d in blueprint.domains}, size)
    drawn: list[Item] = []
    barred: set[str] = set()
    for domain, need in quota.items():
        mine = [i for i in items if i.domain == domain]
        rng.shuffle(mine)
        for item in mine:
            if need and item.id not in barred:
                drawn.append(item)
                barred |= apart[item.id]
                need -= 1
    return drawn


def balance(blueprint: Blueprint, items: Sequence[Item], form: Sequence[Item]) -> dict[str, float]:
    """How far a form is from what it should be; smaller is better."""
    quota = Counter(i.domain for i in form)
    objectives: dict[str, Counter[str]] = defaultdict(Counter)
    for item in form:
        objectives[item.domain][item.official] += 1
    # Officials of a domain may differ by one item at most; what lies beyond is uneven.
    beyond = 0
    for domain in blueprint.domains:
        counts = [objectives[domain.id][o.number] for o in domain.official]
        low = quota[domain.id] // len(counts)
        beyond += sum(max(0, low - n) for n in counts)
    return {
        "official_missing": beyond,
        "choose_n_off": abs(sum(i.choose > 1 for i in form) - blueprint.multiple_share * len(form)),
        "difficulty_mean": statistics.fmean(i.difficulty for i in form),
        "minutes": sum(i.seconds for i in form) / 60,
    }


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = call()
    return result, time.process_time() - began


def one_bank(blueprint: Blueprint, size: int) -> dict[str, Any]:
    items = bank(blueprint, size, seed=size)
    by_id = {i.id: i for i in items}
    known = parameters(items, size)
    info = {i: information(p, 0.0) for i, p in known.items()}
    count = blueprint.questions_usual

    def forms_of(made: Sequence[Any]) -> list[list[Item]]:
        return [[by_id[e.item] for e in form.entries] for form, _ in made]

    model, model_s, drawn, drawn_s = [], [], [], []
    for seed in range(SEEDS):
        made, s = timed(
            lambda seed=seed: assemble(blueprint, items, SHELF, size=count, seed=seed, bank_version="b")
        )
        model += forms_of([made])
        model_s.append(s)
        found, s = timed(lambda seed=seed: stratified(blueprint, items, count, seed))
        drawn.append(found)
        drawn_s.append(s)
    parallel_s, parallel, informed = [], [], []
    for seed in range(3):
        made, s = timed(
            lambda seed=seed: assemble_parallel(
                blueprint, items, SHELF, terms=Terms(size=count, forms=FORMS), seed=seed, bank_version="b"
            )
        )
        parallel.append(forms_of(made))
        parallel_s.append(s)
    for seed in range(3):
        informed += forms_of(
            assemble_parallel(
                blueprint, items, SHELF, terms=Terms(size=count), seed=seed, bank_version="b", worth=info
            )
        )

    def summary(forms: Sequence[Sequence[Item]]) -> dict[str, Any]:
        lines = [balance(blueprint, items, form) for form in forms]
        at_zero = [sum(info[i.id] for i in form) for form in forms]
        return {
            "official_missing": round(statistics.fmean(n["official_missing"] for n in lines), 2),
            "choose_n_off": round(statistics.fmean(n["choose_n_off"] for n in lines), 2),
            "difficulty_sd_between_forms": round(statistics.pstdev(n["difficulty_mean"] for n in lines), 4),
            "minutes_worst": round(max(n["minutes"] for n in lines), 1),
            "information_mean": round(statistics.fmean(at_zero), 2),
            "information_cv_percent": round(100 * statistics.pstdev(at_zero) / statistics.fmean(at_zero), 2),
        }

    return {
        "exam": blueprint.code,
        "bank": size,
        "form": count,
        "cpu_s_one_form": {"median": round(statistics.median(model_s), 3), "worst": round(max(model_s), 3)},
        "cpu_s_stratified_draw": round(statistics.median(drawn_s), 4),
        "cpu_s_five_parallel": {
            "median": round(statistics.median(parallel_s), 2),
            "worst": round(max(parallel_s), 2),
        },
        "model": summary(model),
        "model_parallel": summary(parallel[0]),
        "model_informed": summary(informed),
        "stratified_draw": summary(drawn),
    }


def smallest_banks(seeds: int) -> dict[str, Any]:
    """Every allowed length, many seeds, banks shrunk until no form is left: quotas and enemies checked."""
    checked = refused = 0
    for blueprint in load(None).blueprints.values():
        whole = bank(blueprint, 400, seed=9)
        for seed in range(seeds):
            rng = Random(seed)
            size = rng.randint(10, blueprint.questions_max)
            part = rng.sample(whole, round(len(whole) * rng.uniform(0.15, 1.0)))
            apart = conflicts(part)
            quota = quotas({d.id: d.weight for d in blueprint.domains}, size)
            try:
                form, _ = assemble(blueprint, part, SHELF, size=size, seed=seed, bank_version="b")
            except Infeasible as refusal:
                refused += bool(refusal.conflicts)
                continue
            drawn = {e.item for e in form.entries}
            assert Counter(e.domain for e in form.entries) == Counter({d: n for d, n in quota.items() if n})
            assert not any(apart[i] & drawn for i in drawn)
            checked += 1
    return {"forms_checked": checked, "refusals_explained": refused}


def main() -> None:
    import highspy  # noqa: F401  # its import is measured apart from assembly

    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    results = {
        "banks": [one_bank(b, size) for size in BANKS for b in load(None).blueprints.values()],
        "sizes": smallest_banks(seeds),
    }
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
