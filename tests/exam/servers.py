"""Two processes over one store, as far as the state machine can tell."""

from __future__ import annotations

from burnin.domain.sitting import SittingEvent, SittingSpec, Tick
from burnin.exam.sitting import Command, Duplicate, State, apply, decide, fold

from .builders import freeze, thaw


class Store:
    """What survives everything: lines on disk."""

    def __init__(self, spec: SittingSpec) -> None:
        self.spec = spec
        self.lines: list[bytes] = []

    def load(self) -> State:
        return fold(self.spec, map(thaw, self.lines))

    def append(self, event: SittingEvent) -> bool:
        """False when another server has taken the place."""
        if event.seq != len(self.lines) + 1:
            return False
        assert event.client_id not in {thaw(line).client_id for line in self.lines}
        self.lines.append(freeze(event))
        return True


class Server:
    """A process with a state of its own, which may lag behind the store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.state = store.load()

    def handle(self, command: Command, tick: Tick) -> object:
        while True:
            decision = decide(self.state, command, tick)
            events = getattr(decision, "events", ())
            if events:
                if self.store.append(events[0]):
                    self.state = apply(self.state, events[0])
                    return decision
            elif isinstance(decision, Duplicate) or self.state.version == len(self.store.lines):
                return decision
            self.state = self.store.load()
