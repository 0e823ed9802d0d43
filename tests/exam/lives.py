"""A sitting that lives through anything, each step checked against the oracle.

Two servers over one store of JSON lines, two tabs, clocks set both ways, sleep,
reboots and kill -9: nothing acknowledged is lost, no time is won, and no option
changes its meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from burnin.domain.canonical import canonical_bytes
from burnin.domain.form import asked
from burnin.domain.sitting import Conditions, EventKind, SittingSpec, Tick
from burnin.exam.report import report
from burnin.exam.sitting import (
    EXPIRY_ID,
    HEARTBEAT_MS,
    Accepted,
    Command,
    Duplicate,
    Rejected,
    State,
    decide,
    elapsed_ms,
    heartbeat_due,
    remaining_ms,
)

from .builders import blueprint, freeze, item, shelf, thaw, thaw_form, thaw_item, whole_form
from .oracle import Fact, Oracle, World
from .servers import Server, Store

K = EventKind
ITEMS = 3
MIXED = [K.ANSWERED] * 5 + [
    K.STARTED,
    K.FLAGGED,
    K.STRUCK,
    K.RATED,
    K.RATED,
    K.MOVED,
    K.MOVED,
    K.PAUSED,
    K.RESUMED,
    K.RESUMED,
    K.REVEALED,
    K.HEARTBEAT,
    K.HEARTBEAT,
]
STEPS = st.one_of(st.integers(0, 3_000), st.integers(0, 60_000), st.integers(0, 600_000))
LATEST = 700
LATE = st.one_of(st.just(0), st.just(0), st.integers(0, LATEST))


class Life(RuleBasedStateMachine):
    @initialize(
        conditions=st.sampled_from([Conditions.EXAM, Conditions.EXAM, Conditions.TIMED, Conditions.TUTOR]),
        limit_ms=st.integers(1_000, 900_000),
        chooses=st.lists(st.integers(1, 3), min_size=ITEMS, max_size=ITEMS),
        seed=st.integers(0, 1_000_000),
        start=st.sampled_from([True] * 7 + [False]),
    )
    def open(self, conditions: Conditions, limit_ms: int, chooses: list[int], seed: int, start: bool) -> None:
        self.world = World()
        self.catalogue = [item(f"q{n}", choose=choose) for n, choose in enumerate(chooses)]
        form, items = self.assemble(seed)
        self.form_bytes = canonical_bytes(form)
        self.item_bytes = {rendered.id: canonical_bytes(rendered) for rendered in items}
        self.read_form()
        self.first_screens = {i: self.screen(i) for i in self.items}
        self.right_texts = {i.id: frozenset(o.text for o in i.options if o.correct) for i in self.catalogue}
        limit = None if conditions is Conditions.TUTOR else limit_ms
        self.spec = SittingSpec(
            id="s",
            form=form.id,
            conditions=conditions,
            limit_ms=limit,
            items=tuple(entry.item for entry in form.entries),
            created=self.world.tick(self.world.now()),
        )
        self.store = Store(self.spec)
        self.servers = [Server(self.store), Server(self.store)]
        self.folded = self.store.load()
        self.oracle = Oracle(conditions, limit, self.spec.items)
        self.sent: list[tuple[Command, frozenset[str]]] = []
        self.acked: dict[str, bytes] = {}
        self.ran_ms = 0  # true time in phase running, added up as it passes
        self.clock_set = self.set_back = self.read_late = False
        self.most_shown = 0
        if start:
            self.send(0, self.command(K.STARTED, 0, set(), None, None), frozenset(), 0)

    # What the learner sees, and the words that her clicks mean.

    def assemble(self, seed: int) -> tuple:  # type: ignore[type-arg]
        return whole_form(blueprint({"a": 1}), self.catalogue, shelf(), seed=seed)

    def read_form(self) -> None:
        self.form = thaw_form(self.form_bytes)
        self.items = {i: thaw_item(raw) for i, raw in self.item_bytes.items()}

    def screen(self, item_id: str) -> tuple[tuple[str, str], ...]:
        entry = next(e for e in self.form.entries if e.item == item_id)
        return tuple((o.id, o.text) for o in asked(self.items[item_id], entry.options).options)

    def texts(self, item_id: str, options: tuple[str, ...]) -> frozenset[str]:
        return frozenset(text for option, text in self.screen(item_id) if option in options)

    # Sending

    def command(
        self, kind: EventKind, place: int, clicks: set[int], on: bool | None, seen: int | None
    ) -> Command:
        item_id = self.spec.items[place]
        screen = self.screen(item_id)
        with_item = kind in {K.ANSWERED, K.FLAGGED, K.STRUCK, K.RATED, K.MOVED, K.REVEALED}
        return Command(
            client_id=f"c{len(self.sent)}",
            kind=kind,
            item=item_id if with_item else None,
            options=tuple(screen[n % len(screen)][0] for n in sorted(clicks))
            if kind in {K.ANSWERED, K.STRUCK}
            else (),
            on=on if kind is K.FLAGGED else None,
            seen=seen,
            value=("sure", "unsure", "guess")[len(clicks) % 3] if kind is K.RATED else None,
        )

    def meaning(self, command: Command) -> frozenset[str]:
        return self.texts(command.item, command.options) if command.item else frozenset()

    def send(self, server: int, command: Command, meant: frozenset[str], late_ms: int) -> object:
        moment = self.world.now(late_ms)
        self.read_late |= late_ms > 0
        fact = Fact(command.client_id, command.kind, moment, command.item, meant, command.on, command.value)
        expected = self.oracle.verdict(fact, command.seen)
        closes = expected == "expired" and self.oracle.phase() != "expired"
        before = self.store.load()
        decision = self.servers[server].handle(command, self.world.tick(moment))
        self.sent.append((command, meant))
        if self.store.lines and thaw(self.store.lines[-1]).kind is K.EXPIRED and not before.over:
            self.closed_at_the_deadline(before, thaw(self.store.lines[-1]).at)

        if isinstance(decision, Accepted):
            assert expected == "ok"
            self.oracle.facts.append(
                Fact(EXPIRY_ID, K.EXPIRED, moment, None, frozenset(), None)
                if command.kind is K.EXPIRED
                else fact
            )
            self.acked[decision.events[0].client_id] = freeze(decision.events[0])
        elif isinstance(decision, Duplicate):
            assert expected == "duplicate"
            assert self.store.lines[decision.seq - 1] == self.acked[command.client_id]
        else:
            assert isinstance(decision, Rejected)
            assert decision.code == expected
            assert bool(decision.events) == closes
            if closes:
                self.oracle.facts.append(Fact(EXPIRY_ID, K.EXPIRED, moment, None, frozenset(), None))
                self.acked[EXPIRY_ID] = freeze(decision.events[0])
        return decision

    def closed_at_the_deadline(self, before: State, at: Tick) -> None:
        assert remaining_ms(before, at) == 0
        a_little_before = Tick(boot=at.boot, boottime_ms=at.boottime_ms - 1, wall_ms=at.wall_ms - 1)
        assert remaining_ms(before, a_little_before) == 1

    @rule(
        server=st.integers(0, 1),
        kind=st.sampled_from(MIXED),
        place=st.integers(0, ITEMS - 1),
        clicks=st.sets(st.integers(0, 5), max_size=4),
        on=st.booleans(),
        view=st.sampled_from(["none", "fresh", "first"]),
        late_ms=LATE,
    )
    def act(
        self, server: int, kind: EventKind, place: int, clicks: set[int], on: bool, view: str, late_ms: int
    ) -> None:
        fresh = self.store.load().item(self.spec.items[place]).seen
        seen = {"none": None, "fresh": fresh, "first": 0}[view]
        command = self.command(kind, place, clicks, on, seen)
        self.send(server, command, self.meaning(command), late_ms)

    @rule(
        server=st.integers(0, 1),
        place=st.integers(0, ITEMS - 1),
        clicks=st.sets(st.integers(0, 5), max_size=3),
    )
    def double_click(self, server: int, place: int, clicks: set[int]) -> None:
        command = self.command(K.ANSWERED, place, clicks, None, None)
        first = self.send(server, command, self.meaning(command), 0)
        before = list(self.store.lines)
        second = self.send(1 - server, command, self.meaning(command), 0)
        assert self.store.lines == before
        assert isinstance(second, Duplicate if isinstance(first, Accepted) else Rejected)

    @precondition(lambda self: self.sent)
    @rule(server=st.integers(0, 1), which=st.integers(0, 10_000))
    def send_again(self, server: int, which: int) -> None:
        command, meant = self.sent[which % len(self.sent)]
        self.send(server, command, meant, 0)

    @precondition(lambda self: self.sent)
    @rule(server=st.integers(0, 1), which=st.integers(0, 10_000), place=st.integers(0, ITEMS - 1))
    def send_other_content_under_an_old_id(self, server: int, which: int, place: int) -> None:
        old = self.sent[which % len(self.sent)][0]
        command = Command(old.client_id, K.MOVED, self.spec.items[place])
        if old.client_id != EXPIRY_ID:
            self.send(server, command, frozenset(), 0)

    @rule(server=st.integers(0, 1), times=st.sampled_from([1, 1, 2]), chance=st.integers(0, 9))
    def submit(self, server: int, times: int, chance: int) -> None:
        if chance == 0:  # most lives should be longer than a few steps
            for n in range(times):
                command = self.command(K.SUBMITTED, 0, set(), None, None)
                self.send((server + n) % 2, command, frozenset(), 0)

    @rule(server=st.integers(0, 1))
    def sweep(self, server: int) -> None:
        self.send(server, Command(EXPIRY_ID, K.EXPIRED), frozenset(), 0)

    @rule(server=st.integers(0, 1))
    def look(self, server: int) -> None:
        """A page asks how much time is left; what it was shown once never comes back.

        Only who reboots and sets the clock back sees again what no heartbeat had recorded.
        """
        tick = self.world.tick(self.world.now())
        if heartbeat_due(self.store.load(), tick):
            self.send(server, self.command(K.HEARTBEAT, 0, set(), None, None), frozenset(), 0)
        used = elapsed_ms(self.store.load(), tick)
        slack = HEARTBEAT_MS if self.world.boot > 1 and self.set_back else 0
        slack += LATEST if self.read_late else 0  # a pause counts from its reading
        assert used >= self.most_shown - slack
        self.most_shown = max(used, self.most_shown)

    # Misfortunes

    def pass_time(self, ms: int) -> None:
        if self.oracle.phase() == "running":
            self.ran_ms += ms

    @rule(ms=STEPS)
    def wait_or_sleep(self, ms: int) -> None:
        """Suspended or awake, CLOCK_BOOTTIME runs on."""
        self.world.true_ms += ms
        self.pass_time(ms)

    @rule(ms=st.one_of(st.integers(-90_000_000, 90_000_000), st.integers(-5_000, 5_000)))
    def set_wall_clock(self, ms: int) -> None:
        self.world.offset += ms
        self.clock_set |= ms != 0
        self.set_back |= ms < 0

    @rule(down_ms=STEPS)
    def reboot(self, down_ms: int) -> None:
        self.world.reboot(down_ms)
        self.pass_time(down_ms)
        self.kill()

    @rule()
    def kill(self) -> None:
        """All that was in memory is gone; the store is read again."""
        self.read_form()
        self.servers = [Server(self.store), Server(self.store)]

    @rule(
        kind=st.sampled_from(MIXED),
        place=st.integers(0, ITEMS - 1),
        clicks=st.sets(st.integers(0, 5), max_size=3),
    )
    def kill_between_decision_and_disk(self, kind: EventKind, place: int, clicks: set[int]) -> None:
        """The client was told nothing, so nothing may remain; it sends again later."""
        command = self.command(kind, place, clicks, True, None)
        decide(self.servers[0].state, command, self.world.tick(self.world.now()))
        self.sent.append((command, self.meaning(command)))
        self.kill()

    @rule(seed=st.integers(0, 1000))
    def upgrade(self, seed: int) -> None:
        """Items are reworded and their options swap ids; the stored form stays what it was."""
        self.catalogue = [
            item(i.id, choose=i.choose, version=i.version + 1, options=rewritten(i.options))  # type: ignore[arg-type]
            for i in self.catalogue
        ]
        newer, _ = self.assemble(seed)
        assert newer.id != self.form.id

    # What must hold at every step

    def stored(self) -> State:
        """The state as the lines on disk tell it, folded again whenever they grow."""
        if self.folded.version != len(self.store.lines):
            self.folded = self.store.load()
        return self.folded

    @invariant()
    def memory_is_what_the_store_says(self) -> None:
        stored = self.stored()
        for server in self.servers:
            if server.state.version == stored.version:
                assert server.state == stored

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        lines = {thaw(line).client_id: line for line in self.store.lines}
        assert len(lines) == len(self.store.lines) == len(self.oracle.facts)
        for client_id, line in self.acked.items():
            assert lines[client_id] == line
        state = self.stored()
        assert state.phase.value == self.oracle.phase()
        assert state.current == self.oracle.current(len(self.oracle.facts))
        for item_id in self.spec.items:
            known = state.item(item_id)
            assert known.flagged == self.oracle.flagged(item_id)
            assert known.revealed == (self.oracle.last(K.REVEALED, item_id) is not None)
            assert known.rating == self.oracle.rating(item_id)
            assert known.changed == self.oracle.answer_changed(item_id)

    @invariant()
    def no_option_changes_its_meaning(self) -> None:
        state = self.stored()
        for item_id in self.spec.items:
            assert self.screen(item_id) == self.first_screens[item_id]
            assert self.texts(item_id, state.answer(item_id)) == self.oracle.chosen(item_id)
            assert self.texts(item_id, state.item(item_id).struck) == self.oracle.struck(item_id)

    @invariant()
    def no_time_is_won_or_taken(self) -> None:
        state, moment = self.stored(), self.world.now()
        tick = self.world.tick(moment)
        used = elapsed_ms(state, tick)
        assert used == self.oracle.used(moment)
        assert used >= state.used_ms
        limit = self.spec.limit_ms
        assert remaining_ms(state, tick) == (None if limit is None else limit - used)
        assert state.interrupted == self.oracle.interrupted()

        # Without help from the stored events: what truly passed while the sitting ran.
        ran = self.ran_ms if limit is None else min(self.ran_ms, limit)
        if self.read_late or state.over:
            return
        if self.world.boot == 1 or not self.clock_set:
            assert used == ran
        elif not self.set_back:
            assert used >= ran

    @invariant()
    def seconds_add_up(self) -> None:
        state = self.stored()
        by_item = {i: state.item(i).ms for i in self.spec.items}
        assert sum(by_item.values()) + state.away_ms == state.used_ms
        if not state.over:
            assert by_item == self.oracle.seconds_by_item()

    @invariant()
    def a_finished_sitting_scores_what_was_saved(self) -> None:
        state = self.stored()
        if not state.over:
            return
        result = report(self.form, list(self.items.values()), state, pass_mark_percent=70)
        right = [i for i in self.spec.items if self.oracle.chosen(i) == self.right_texts[i]]
        assert result.earned == Fraction(len(right))
        assert {line.item for line in result.items if line.outcome == "right"} == set(right)
        assert set(result.unanswered) == {i for i in self.spec.items if not self.oracle.chosen(i)}
        assert result.exam_evidence == (
            self.spec.conditions is Conditions.EXAM and not self.oracle.interrupted()
        )


def rewritten(options: tuple) -> tuple:  # type: ignore[type-arg]
    texts: Callable[[int], str] = lambda n: options[(n + 1) % len(options)].text + " (reworded)"  # noqa: E731
    return tuple(
        type(o)(id=o.id, text=texts(n), reason=o.reason, correct=o.correct) for n, o in enumerate(options)
    )
