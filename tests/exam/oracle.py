"""A brute-force account of a sitting: nothing is carried over from step to step.

Every question is answered by walking through all that was ever stored, against a
timeline that only the test knows. It shares no code and no shape with the sitting.
"""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.sitting import Conditions, EventKind, Tick

K = EventKind


@dataclass(frozen=True)
class Moment:
    """A point of the true timeline, and what the clocks made of it."""

    true_ms: int
    boot: int
    wall_ms: int


class World:
    """True time, in which machines sleep, reboot and have their clocks set."""

    def __init__(self) -> None:
        self.true_ms = self.opened = 5_000  # no reading of a sitting is older than the sitting
        self.boot = 1
        self.boot_started = 0
        self.offset = 1_700_000_000_000

    def now(self, late_ms: int = 0) -> Moment:
        """The present, or a reading that was taken a little before it in this boot."""
        true = max(self.boot_started, self.opened, self.true_ms - late_ms)
        return Moment(true, self.boot, true + self.offset)

    def tick(self, moment: Moment) -> Tick:
        """What the server's clocks show at a moment of the present boot."""
        assert moment.boot == self.boot
        return Tick(
            boot=f"boot-{moment.boot}",
            boottime_ms=moment.true_ms - self.boot_started,
            wall_ms=moment.wall_ms,
        )

    def reboot(self, down_ms: int) -> None:
        self.true_ms += down_ms
        self.boot += 1
        self.boot_started = self.true_ms


@dataclass(frozen=True)
class Fact:
    """A stored event as the oracle understands it. ``chosen`` holds texts, not ids."""

    client_id: str
    kind: EventKind
    moment: Moment
    item: str | None
    chosen: frozenset[str]
    on: bool | None
    value: str | None = None

    @property
    def content(self) -> tuple[object, ...]:
        return (self.kind, self.item, self.chosen, self.on, self.value)


class Oracle:
    def __init__(self, conditions: Conditions, limit_ms: int | None, items: tuple[str, ...]) -> None:
        self.conditions = conditions
        self.limit_ms = limit_ms
        self.items = items
        self.facts: list[Fact] = []

    def phase(self, upto: int | None = None) -> str:
        names = {
            K.STARTED: "running",
            K.RESUMED: "running",
            K.PAUSED: "paused",
            K.SUBMITTED: "submitted",
            K.EXPIRED: "expired",
        }
        turns = [names[f.kind] for f in self.facts[:upto] if f.kind in names]
        return turns[-1] if turns else "ready"

    def current(self, upto: int) -> str:
        moves = [f.item for f in self.facts[:upto] if f.kind is K.MOVED]
        return (moves and moves[-1]) or self.items[0]

    def spans(self, now: Moment | None = None) -> list[tuple[str, int, bool]]:
        """All running stretches as (item in view, ms, across a reboot)."""
        moments = [f.moment for f in self.facts] + ([now] if now is not None else [])
        result = []
        for after in range(1, len(moments)):
            if self.phase(after) != "running":
                continue
            here = moments[after]
            # Where readings of one boot were stored out of order, the latest so far counts.
            same_boot = [m for m in moments[:after] if m.boot == moments[after - 1].boot]
            before = max(reversed(same_boot), key=lambda m: m.true_ms)
            if here.boot == before.boot:
                result.append((self.current(after), max(0, here.true_ms - before.true_ms), False))
            else:
                result.append((self.current(after), max(0, here.wall_ms - before.wall_ms), True))
        return result

    def used(self, now: Moment | None = None) -> int:
        total = sum(ms for _, ms, _ in self.spans(now))
        if self.phase() == "expired":
            assert self.limit_ms is not None
            return self.limit_ms
        return total if self.limit_ms is None else min(total, self.limit_ms)

    def overdue(self, now: Moment) -> bool:
        return (
            self.limit_ms is not None
            and self.phase() in {"running", "paused"}
            and self.used(now) >= self.limit_ms
        )

    def seconds_by_item(self) -> dict[str, int]:
        return {i: sum(ms for item, ms, away in self.spans() if item == i and not away) for i in self.items}

    def interrupted(self) -> bool:
        return any(
            self.phase(n) in {"running", "paused"}
            and self.facts[n - 1].moment.boot != self.facts[n].moment.boot
            for n in range(1, len(self.facts))
        )

    def last(self, kind: EventKind, item: str) -> Fact | None:
        found = [f for f in self.facts if f.kind is kind and f.item == item]
        return found[-1] if found else None

    def chosen(self, item: str) -> frozenset[str]:
        fact = self.last(K.ANSWERED, item)
        return fact.chosen if fact else frozenset()

    def struck(self, item: str) -> frozenset[str]:
        fact = self.last(K.STRUCK, item)
        return fact.chosen if fact else frozenset()

    def flagged(self, item: str) -> bool:
        fact = self.last(K.FLAGGED, item)
        return bool(fact and fact.on)

    def rating(self, item: str) -> str | None:
        fact = self.last(K.RATED, item)
        return fact.value if fact else None

    def answer_changed(self, item: str) -> int:
        """Number of the last stored event that changed the item's answer; 0 if none did."""
        numbered = [(n, f) for n, f in enumerate(self.facts, 1) if f.kind is K.ANSWERED and f.item == item]
        changes = [
            n
            for place, (n, f) in enumerate(numbered)
            if f.chosen != (numbered[place - 1][1].chosen if place else frozenset())
        ]
        return max(changes, default=0)

    def verdict(self, command: Fact, seen: int | None) -> str:
        """What a command deserves at its moment: "ok", "duplicate" or the code of its refusal."""
        same_id = [f for f in self.facts if f.client_id == command.client_id]
        if same_id:
            return "duplicate" if same_id[0].content == command.content else "conflict"
        phase = self.phase()
        if phase == "expired" or (self.overdue(command.moment) and command.kind is not K.EXPIRED):
            return "expired"
        if phase == "submitted":
            return "over"
        if command.kind is K.EXPIRED:
            return "ok" if self.overdue(command.moment) else "not-due"
        if phase == "ready":
            return "ok" if command.kind is K.STARTED else "not-started"
        if command.kind is K.STARTED:
            return "started"
        if phase == "paused" and command.kind not in {K.RESUMED, K.HEARTBEAT, K.SUBMITTED}:
            return "paused"
        if phase == "running" and command.kind is K.RESUMED:
            return "not-paused"
        if command.kind is K.PAUSED and self.conditions is Conditions.EXAM:
            return "no-pause"
        if command.kind is K.REVEALED and self.conditions is not Conditions.TUTOR:
            return "not-tutor"
        if command.kind is K.RATED and self.conditions is Conditions.EXAM:
            return "no-rating"
        if command.kind is K.RATED:
            assert command.item is not None
            return "revealed" if self.last(K.REVEALED, command.item) else "ok"
        if command.kind in {K.ANSWERED, K.REVEALED}:
            assert command.item is not None
            if self.last(K.REVEALED, command.item):
                return "revealed"
            differs = command.kind is K.REVEALED or command.chosen != self.chosen(command.item)
            if seen is not None and differs and self.answer_changed(command.item) > seen:
                return "stale"
        return "ok"
