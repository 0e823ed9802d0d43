"""What the tests of this room share."""

from __future__ import annotations

import itertools
from pathlib import Path

from burnin.app.take import Ack, Command, Conditions, EventKind
from burnin.app.wiring import Services, open_services
from burnin.catalog import Catalog
from burnin.domain.item import Item, Misconception, Option
from burnin.domain.sitting import Tick
from tests.exam.builders import PAPER, blueprint, pool

NAMES = itertools.count(1)


class HandClock:
    """Clocks that stand still until a test turns them."""

    def __init__(
        self, *, boot: str = "boot-1", boottime_s: float = 1_000, wall_s: float = 1_800_000_000
    ) -> None:
        self.boot = boot
        self.boottime_s = boottime_s
        self.wall_s = wall_s

    def now(self) -> Tick:
        return Tick(
            boot=self.boot, boottime_ms=round(self.boottime_s * 1000), wall_ms=round(self.wall_s * 1000)
        )

    def wait(self, seconds: float) -> None:
        """Time passes, awake or asleep."""
        self.boottime_s += seconds
        self.wall_s += seconds

    def reboot(self, *, after_s: float = 0, wall_jump_s: float = 0) -> None:
        """The machine was off for ``after_s``, and its wall clock may have been set."""
        self.boot = f"boot-{next(NAMES)}-later"
        self.boottime_s = 5
        self.wall_s += after_s + wall_jump_s


def bank_items() -> list[Item]:
    """Items whose keys and reasons can be found again wherever they leak to."""
    return [
        Item(
            **{
                **{f: getattr(item, f) for f in Item.__dataclass_fields__},
                "options": tuple(
                    Option(
                        id=option.id,
                        text=option.text,
                        correct=option.correct,
                        reason=f"REASON of {option.id} in {item.id}",
                        misconception=None if option.correct else "zero-is-free",
                        flip=None if option.correct else f"FLIP of {option.id} in {item.id}",
                    )
                    for option in item.options
                ),
            }
        )
        for item in pool(each=14)
    ]


def catalog(items: list[Item] | None = None, *, version: str = "bank-1", **changes: object) -> Catalog:
    plan = blueprint(**changes)  # type: ignore[arg-type]
    return Catalog(
        blueprints={plan.code: plan},
        revisions=(plan,),
        items={item.id: item for item in (bank_items() if items is None else items)},
        misconceptions={
            "zero-is-free": Misconception(
                id="zero-is-free", name="MISCONCEPTION", belief="…", why="…", remedy="REMEDY"
            )
        },
        sources={"paper": PAPER},
        exhibits={},
        version=version,
    )


def open_at(home: Path, clock: HandClock | None = None, bank: Catalog | None = None) -> Services:
    return open_services(
        home, clock=HandClock() if clock is None else clock, catalog=catalog() if bank is None else bank
    )


async def begin(services: Services, conditions: Conditions = Conditions.EXAM, **wishes: object) -> str:
    wishes = {"size": 10, "minutes": 20, "seed": 7, **wishes}
    return await services.take.create("NCP-GENL", conditions=conditions, **wishes)  # type: ignore[arg-type]


async def send(
    services: Services,
    sitting: str,
    kind: EventKind,
    item: str | None = None,
    *options: str,
    id: str | None = None,
    **more: object,
) -> Ack:
    command = Command(id or f"c{next(NAMES)}", kind, item, options, **more)  # type: ignore[arg-type]
    return await services.take.act(sitting, command)


async def answer(services: Services, sitting: str, number: int, *, right: bool = True) -> str:
    """Answer a question rightly or wrongly; return its item's id."""
    question = await services.take.question(sitting, number)
    key = services.catalog.items[question.asked.id].key
    wrong = [option.id for option in question.asked.options if option.id not in key]
    chosen = tuple(key) if right else tuple(wrong[: question.asked.choose])
    ack = await send(services, sitting, EventKind.ANSWERED, question.asked.id, *chosen)
    assert ack.ok, ack
    return question.asked.id
