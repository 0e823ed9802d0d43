"""Small blueprints, items, libraries and sittings for the tests of this room."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from burnin.domain.blueprint import Blueprint, Domain, OfficialObjective
from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import Form, FormDomain, FormEntry, RenderedItem, RenderedOption, RenderedSource
from burnin.domain.item import Citation, Exhibit, Item, Misconception, Option, Source
from burnin.domain.sitting import Conditions, EventKind, SittingEvent, SittingSpec, Tick
from burnin.exam.forms import compose, minutes_for
from burnin.exam.sitting import Accepted, Command, Rejected, State, apply, decide, fold

GENL = {
    "model-optimization": 17,
    "gpu-acceleration": 14,
    "prompt-engineering": 13,
    "fine-tuning": 13,
    "data-preparation": 9,
    "model-deployment": 9,
    "evaluation": 7,
    "production-monitoring": 7,
    "llm-architecture": 6,
    "safety-compliance": 5,
}
GENM = {
    "experimentation": 25,
    "core-ml": 20,
    "multimodal-data": 15,
    "software-development": 15,
    "data-analysis": 10,
    "performance-optimization": 10,
    "trustworthy-ai": 5,
}


@dataclass
class Shelf:
    """A library made of plain dictionaries."""

    misconceptions: Mapping[str, Misconception] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    exhibits: Mapping[str, Exhibit] = field(default_factory=dict)


def blueprint(weights: Mapping[str, int] = GENL, *, multiple: float = 0.25, **changes: object) -> Blueprint:
    facts: dict[str, object] = {
        "code": "NCP-GENL",
        "as_of": "2026-08-19",
        "title": "Generative AI LLMs",
        "level": "professional",
        "minutes": 120,
        "questions_min": 60,
        "questions_max": 70,
        "multiple_share": multiple,
        "domains": tuple(
            Domain(
                id=domain,
                title=domain.replace("-", " ").title(),
                weight=weight,
                official=(OfficialObjective(number="1.1", text="the vendor's words"),),
                objectives={f"o{n}": f"objective {n}" for n in range(4)},
                focus={},
                traps=(),
            )
            for domain, weight in weights.items()
        ),
    }
    return Blueprint(**{**facts, **changes})  # type: ignore[arg-type]


def item(id: str, domain: str = "a", *, choose: int = 1, objective: str = "o0", **changes: object) -> Item:
    facts: dict[str, object] = {
        "id": id,
        "version": 1,
        "exam": "NCP-GENL",
        "objective": f"{domain}/{objective}",
        "official": "1.1",
        "choose": choose,
        "stem": f"What holds for {id}?",
        "options": tuple(
            Option(id=word, text=f"{word} of {id}", reason=f"why {word}", correct=n < choose)
            for n, word in enumerate(("ash", "birch", "cedar", "elm", "fir", "hazel")[: 3 + choose])
        ),
        "sources": (Citation(source="paper", locator="section 1"),),
        "as_of": "2026-11-30",
    }
    return Item(**{**facts, **changes})  # type: ignore[arg-type]


PAPER = Source(
    id="paper", kind="paper", title="A paper", publisher="arXiv", url="https://x.test", seen="2026-11-30"
)


def shelf(**changes: object) -> Shelf:
    return Shelf(**{"sources": {"paper": PAPER}, **changes})  # type: ignore[arg-type]


def pool(weights: Mapping[str, int] = GENL, each: int = 16, *, multiple_every: int = 3) -> list[Item]:
    return [
        item(
            f"{domain}-{n:02}",
            domain,
            choose=2 if n % multiple_every == 0 else 1,
            objective=f"o{n % 4}",
        )
        for domain in weights
        for n in range(each)
    ]


def whole_form(
    exam: Blueprint, items: Sequence[Item], library: Shelf, *, seed: int = 1, bank_version: str = "b"
) -> tuple[Form, tuple[RenderedItem, ...]]:
    """A form that holds exactly the given items."""
    held = Counter(item.domain for item in items)
    return compose(
        exam,
        items,
        library,
        quota={domain.id: held[domain.id] for domain in exam.domains},
        minutes=minutes_for(exam, len(items)),
        rng=Random(seed),
        seed=seed,
        bank_version=bank_version,
        rule="test/1",
    )


def small_form(items: Sequence[Item], *, seed: int = 1) -> tuple[Form, tuple[RenderedItem, ...]]:
    """A form that holds exactly the given items of domain ``a``."""
    return whole_form(blueprint({"a": 1}), items, shelf(), seed=seed, bank_version="b1")


BOOT = "boot-1"


def tick(seconds: float, *, boot: str = BOOT, wall: float | None = None) -> Tick:
    wall = seconds if wall is None else wall
    return Tick(boot=boot, boottime_ms=round(seconds * 1000), wall_ms=round(wall * 1000) + 1_700_000_000_000)


def spec(
    conditions: Conditions = Conditions.EXAM,
    *,
    limit: float | None = 3600,
    items: Sequence[str] = ("q1", "q2", "q3"),
    form: str = "form",
) -> SittingSpec:
    return SittingSpec(
        id="sitting",
        form=form,
        conditions=conditions,
        limit_ms=None if limit is None else round(limit * 1000),
        items=tuple(items),
        created=tick(0),
    )


def thaw(line: bytes) -> SittingEvent:
    """An event from its stored JSON."""
    raw = json.loads(line)
    return SittingEvent(
        seq=raw["seq"],
        client_id=raw["client_id"],
        kind=EventKind(raw["kind"]),
        at=Tick(**raw["at"]),
        item=raw["item"],
        options=tuple(raw["options"]),
        on=raw["on"],
        value=raw["value"],
    )


def freeze(event: SittingEvent) -> bytes:
    return canonical_bytes(event)


class Desk:
    """A sitting with a store of JSON lines and nothing else: accept, keep, fold again."""

    def __init__(self, terms: SittingSpec) -> None:
        self.spec = terms
        self.lines: list[bytes] = []
        self.ids = iter(range(1, 10_000))

    @property
    def state(self) -> State:
        return fold(self.spec, map(thaw, self.lines))

    def send(self, command: Command, now: Tick) -> object:
        """Decide on a state fresh from the store, and keep whatever has to be kept."""
        decision = decide(self.state, command, now)
        self.keep(getattr(decision, "events", ()))
        return decision

    def keep(self, events: Iterable[SittingEvent]) -> None:
        for event in events:
            apply(self.state, event)  # a log that does not fold is never stored
            self.lines.append(freeze(event))

    def do(
        self, kind: EventKind, now: Tick, item: str | None = None, *options: str, **more: object
    ) -> Accepted:
        """Send a fresh command that has to be accepted."""
        command = Command(f"c{next(self.ids)}", kind, item, options, **more)  # type: ignore[arg-type]
        decision = self.send(command, now)
        assert isinstance(decision, Accepted), decision
        return decision


def refusal(decision: object) -> str:
    """The code of a decision that has to be a refusal, with words for people."""
    assert isinstance(decision, Rejected), decision
    assert decision.message.endswith(".")
    return decision.code


def started(conditions: Conditions = Conditions.EXAM, **terms: object) -> Desk:
    desk = Desk(spec(conditions, **terms))  # type: ignore[arg-type]
    desk.do(EventKind.STARTED, tick(0))
    return desk


def thaw_form(raw: bytes) -> Form:
    """A form from its stored JSON."""
    facts = json.loads(raw)
    facts["domains"] = tuple(FormDomain(**d) for d in facts["domains"])
    facts["entries"] = tuple(FormEntry(**{**e, "options": tuple(e["options"])}) for e in facts["entries"])
    return Form(**facts)


def thaw_item(raw: bytes) -> RenderedItem:
    """A rendered item without misconceptions or exhibit from its stored JSON."""
    facts = json.loads(raw)
    facts["options"] = tuple(RenderedOption(**o) for o in facts["options"])
    facts["sources"] = tuple(RenderedSource(**s) for s in facts["sources"])
    return RenderedItem(**facts)
