"""A small bank for pages: every kind of exhibit and item, and words that may not leak."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from burnin.catalog import Catalog
from burnin.domain.blueprint import Blueprint, Domain, OfficialObjective
from burnin.domain.item import Citation, Exhibit, Item, Misconception, Option, Series, Source

SECRETS = ("REASON-", "FLIP-", "REMEDY-", "MISTAKE-", "GUIDE-", "LOCATOR-")

EXHIBITS = {
    "loss": Exhibit(
        id="loss",
        title="Training and validation loss",
        kind="chart",
        chart="line",
        x_label="Epoch",
        x_values=("1", "2", "3", "4"),
        y_label="Loss",
        series=(
            Series(name="train", values=(2.1, 1.4, 1.0, 0.8)),
            Series(name="validation", values=(2.2, 1.6, 1.5, 1.7)),
        ),
        summary="Two lines over four epochs.",
    ),
    "steps": Exhibit(
        id="steps",
        title="One step on rank 3",
        kind="table",
        columns=("Row", "Time (ms)", "Note"),
        rows=(("Forward", "41", "as planned"), ("AllReduce", "120", "waits for `rank 0`")),
    ),
    "config": Exhibit(
        id="config",
        title="config.pbtxt of the ranker",
        kind="code",
        language="protobuf",
        text="instance_group [ { count: 2 kind: KIND_GPU } ]  # "
        + "a long line " * 20
        + "\n<script>alert(1)</script>\n",
    ),
}


def blueprint(code: str = "NCP-GENL", domains: int = 10, **changes: Any) -> Blueprint:
    weights = [17, 14, 13, 13, 9, 9, 7, 7, 6, 5][:domains]
    fields: dict[str, Any] = {
        "code": code,
        "as_of": "2026-08-19",
        "title": f"Title of {code}",
        "level": "professional",
        "minutes": 120,
        "questions_min": 60,
        "questions_max": 70,
        "multiple_share": 0.25,
        "domains": tuple(
            Domain(
                id=f"domain-{n}",
                title=f"Domain {n}",
                weight=weight,
                official=(OfficialObjective(number=f"{n}.1", text="the vendor's words"),),
                objectives={"first": "do the first thing", "second": "do the second"},
                focus={"sharp": "where it concentrates"},
                traps=(),
            )
            for n, weight in enumerate(weights, 1)
        ),
        "facts": {
            "price_usd": 200,
            "passing_score": {"published": False, "community_estimate_percent": 70},
            "formats": {"multiple": 0.25},
            "booking": {"portal": "a portal", "needs": ["photo ID", "webcam"], "late_cancel_hours": 24},
            "official_courses": [{"name": "A course", "usd": 90, "hours": 8, "domains": ["domain-1"]}],
            "unheard_of": {"some_fact": "that no template knows"},
        },
    }
    return Blueprint(**{**fields, **changes})


def item(number: int, domain: int, exam: str = "NCP-GENL", *, turn: int = 0) -> Item:
    """``turn`` moves the key to other options and changes nothing else that is asked."""
    rng = random.Random(f"{exam}-{number}")
    choose = (1, 1, 1, 2, 1, 1, 1, 3)[number % 8]
    count = {1: 4, 2: 5, 3: 6}[choose]
    first = rng.randrange(count) + turn
    right = {(first + k) % count for k in range(choose)}
    name = f"{exam.lower()}-{domain}-{number}"
    kinds = (None, None, "loss", None, "steps", None, "config", None, None)
    return Item(
        id=name,
        version=1,
        exam=exam,
        objective=f"domain-{domain}/{('first', 'second')[number % 2]}",
        official=f"{domain}.1",
        choose=choose,
        stem=(
            f"Question {number} about `domain {domain}` with **weight**.\n\n"
            + ("```\n" + "x = 1  # " + "long " * 40 + "\n```\n\n" if number % 5 == 0 else "")
            + "<img src=x onerror=alert(1)> Which holds?"
        ),
        options=tuple(
            Option(
                id=f"o{n}",
                text=f"Option text {n} of `{name}`",
                correct=n in right,
                reason=f"REASON-{name}-{n} because.",
                misconception=None if n in right else "mistake",
                flip=None if n in right else f"FLIP-{name}-{n} if.",
            )
            for n in range(count)
        ),
        sources=(Citation(source="paper", locator=f"LOCATOR-{name}"),),
        as_of="2026-11-30",
        scenario=True,
        exhibit=kinds[number % len(kinds)],
        guide_says=f"GUIDE-{name} says otherwise." if number % 3 == 0 else None,
    )


def catalog(*, exams: Mapping[str, int] | None = None, turn: int = 0, each: int = 14) -> Catalog:
    """A bank with ``each`` items in every domain of each exam (code to number of domains)."""
    plans = {code: blueprint(code, domains) for code, domains in (exams or {"NCP-GENL": 10}).items()}
    items = [
        item(each * d + n, d, code, turn=turn)
        for code, plan in plans.items()
        for d in range(1, len(plan.domains) + 1)
        for n in range(each)
    ]
    return Catalog(
        blueprints=plans,
        revisions=tuple(plans.values()),
        items={i.id: i for i in items},
        misconceptions={
            "mistake": Misconception(
                id="mistake", name="MISTAKE-name", belief="b", why="w", remedy="REMEDY-text is true."
            )
        },
        sources={
            "paper": Source(
                id="paper",
                kind="paper",
                title="A paper",
                publisher="arXiv",
                url="https://arxiv.org/abs/1",
                seen="2026-11-30",
            )
        },
        exhibits=EXHIBITS,
        version=f"bank-{turn}",
    )
