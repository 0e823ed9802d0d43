"""What a replica holds and may give back: KV blocks with cached prefixes, and LoRA adapters."""

from __future__ import annotations


class Blocks:
    """KV blocks of one replica. A cached prefix that nobody uses is given back, oldest use first.

    ``free`` counts empty blocks; a caller that takes blocks from it calls ``settle``.
    """

    def __init__(self, total: int, size: int) -> None:
        self.total, self.size, self.free = total, size, total
        self._cached: dict[int, int] = {}
        self._users: dict[int, int] = {}
        self._idle: dict[int, None] = {}
        self._idle_blocks = 0

    @property
    def available(self) -> int:
        return self.free + self._idle_blocks

    @property
    def used(self) -> int:
        """Blocks that requests hold, cached prefixes without a user left out."""
        return self.total - self.free - self._idle_blocks

    def holds(self, group: int) -> bool:
        return group in self._cached

    def hit(self, group: int, tokens: int) -> int:
        """Return whole blocks of the group's prefix that are cached, of at most ``tokens``."""
        return min(self._cached.get(group, 0), tokens // self.size)

    def take(self, group: int, hit: int, needed: int, spare: int) -> bool:
        """Take ``needed`` blocks, ``hit`` of them from the cache; return False and change nothing without room."""
        room = self.free + self._idle_blocks - spare
        if hit and group in self._idle:
            room -= self._cached[group]
        if needed - hit > room:
            return False
        if hit:
            if group in self._idle:
                del self._idle[group]
                self._idle_blocks -= self._cached[group]
            self._users[group] += 1
        self.free -= needed - hit
        self.settle()
        return True

    def keep(self, group: int, tokens: int) -> int:
        """Cache the prefix that a request has just filled; return its blocks, 0 where it is cached already."""
        count = tokens // self.size
        if not count or group in self._cached:
            return 0
        self._cached[group], self._users[group] = count, 1
        return count

    def drop(self, group: int) -> None:
        """One user of the group's prefix leaves."""
        self._users[group] -= 1
        if not self._users[group]:
            self._idle[group] = None
            self._idle_blocks += self._cached[group]

    def settle(self) -> None:
        """Give idle prefixes back until no block is owed."""
        while self.free < 0:
            group = next(iter(self._idle))
            del self._idle[group], self._users[group]
            count = self._cached.pop(group)
            self._idle_blocks -= count
            self.free += count


class Adapters:
    """Resident LoRA adapters; one that no running request uses makes place, oldest use first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._users: dict[int, int] = {}
        self._idle: dict[int, None] = {}

    def possible(self, adapter: int) -> bool:
        return adapter in self._users or len(self._users) < self._most or bool(self._idle)

    def use(self, adapter: int) -> bool:
        """Count a user; return whether the adapter had to be loaded."""
        loaded = adapter not in self._users
        if loaded:
            if len(self._users) >= self._most:
                oldest = next(iter(self._idle))
                del self._idle[oldest], self._users[oldest]
            self._users[adapter] = 0
        self._users[adapter] += 1
        self._idle.pop(adapter, None)
        return loaded

    def drop(self, adapter: int) -> None:
        self._users[adapter] -= 1
        if not self._users[adapter]:
            self._idle[adapter] = None
