"""One engine replica: which requests share a step, and what becomes of them at its end.

A pure decode phase is one entry here, not one a step. All decoding requests advance
together, so the replica counts steps (``tick``) and a request knows the tick at which
it is done. Requests that need a new KV block at a tick share a residue of context minus
tick; a histogram over residues tells how many blocks the next steps take.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from math import inf, sqrt
from typing import Literal

from burnin.systems.serving.policy import Policy
from burnin.systems.serving.step_time import StepCosts

from .pools import Adapters, Blocks
from .state import Requests

Role = Literal["both", "prefill", "decode"]


class Replica:
    """A replica's queue, batch and memory. ``end`` is when its step ends; infinite while it idles."""

    def __init__(
        self, number: int, costs: StepCosts, policy: Policy, requests: Requests, role: Role = "both"
    ) -> None:
        self.number, self.policy, self.requests, self.role = number, policy, requests, role
        self.blocks = Blocks(policy.kv_blocks, policy.block_tokens)
        self.adapters = Adapters(policy.max_adapters)
        self.waiting: list[int] = []
        self.prefilling: deque[int] = deque()
        self.decoding: dict[int, None] = {}
        self.end = inf
        self.wake = inf
        self.outstanding = 0
        self.steps = 0
        self.busy_s = 0.0
        self.prefilled = 0
        self.peak_blocks = 0
        self.exhausted = False
        self.handed: list[int] = []
        self.done: list[int] = []
        self._tick = 0
        self._kv = 0
        self._phase = [0] * policy.block_tokens
        self._due: dict[int, list[int]] = {}
        self._dues: list[int] = []
        self._run = 0
        self._work: list[tuple[int, int]] = []
        self._emits: list[tuple[int, int]] = []
        self._fixed, self._per_request = float(costs.fixed_s), float(costs.per_request_s)
        self._prefill, self._decode = float(costs.per_prefill_token_s), float(costs.per_decode_token_s)
        self._pair, self._per_kv = float(costs.per_prefill_pair_s), float(costs.per_kv_token_s)
        self._weights, self._sum = float(costs.weights_s), costs.overlap == "sum"

    # -- queue

    def enqueue(self, index: int) -> None:
        heappush(self.waiting, self.requests.key[index])

    def full(self) -> bool:
        limit = self.policy.queue_limit
        return limit is not None and len(self.waiting) >= limit

    # -- a step begins

    def begin(self, now: float, horizon: float) -> None:
        """Start the next step, or a run of decode steps that lasts until ``horizon`` at most."""
        policy = self.policy
        evicted = False
        mixed = policy.chunked
        if mixed:
            evicted = self._make_room()
        # What the decoding requests of this step will take is not for others.
        reserved = self._needed() if mixed else 0
        load = 0.0
        requests = self.requests
        # Without chunks a prompt pauses the others, so only what is in the step counts.
        count = len(self.decoding)
        budget = policy.token_budget - (count * (1 + policy.draft_tokens) if mixed else 0)
        work: list[tuple[int, int]] = []
        left = requests.left
        for index in self.prefilling:
            if budget <= 0:
                break
            chunk = left[index]
            if chunk > budget and (mixed or work):
                if not mixed:
                    break
                chunk = budget
            work.append((index, chunk))
            budget -= chunk
        blocked = evicted
        if self.waiting and not evicted and self._gate(now):
            in_flight = policy.batching == "in-flight"
            limit = policy.max_requests
            while self.waiting:
                running = len(self.decoding) + len(self.prefilling)
                if running >= limit or (in_flight and budget <= 0):
                    break
                index = self.waiting[0] % requests.count
                need = requests.context_at_start(index)
                if in_flight and not mixed and work and need > budget:
                    break
                seconds = self._admit(index, running, reserved)
                if seconds < 0:
                    blocked = True
                    break
                load += seconds
                heappop(self.waiting)
                requests.note(now, index, "admit", self.number)
                self.prefilling.append(index)
                chunk = left[index]
                if chunk > budget and (mixed or work):
                    chunk = max(budget, 0) if mixed else 0
                if chunk or not left[index]:
                    work.append((index, chunk))
                    budget -= chunk
        if work:
            if not mixed:
                count = 0
            self._begin_mixed(now, count, work, load)
        elif count:
            if not mixed:
                evicted = self._make_room()
                count = len(self.decoding)
                blocked = blocked or evicted
            closed = (
                count >= policy.max_requests
                or policy.batching != "in-flight"
                or (blocked and not evicted and bool(self.waiting) and not requests.ranked)
            )
            self._begin_run(now, count, inf if closed else horizon, evicted)
        else:
            self.end = inf
            return
        self.wake = inf
        used = self.blocks.used
        if used > self.peak_blocks:
            self.peak_blocks = used
        if requests.samples is not None:
            requests.samples.append(
                (now, self.number, used, len(self.decoding) + len(self.prefilling), len(self.waiting))
            )

    def _gate(self, now: float) -> bool:
        policy = self.policy
        if policy.batching == "in-flight":
            return True
        if self.decoding or self.prefilling:
            return False
        if len(self.waiting) >= policy.least or self.exhausted:
            return True
        self.wake = (
            min(self.requests.queued[key % self.requests.count] for key in self.waiting) + policy.gathers
        )
        return now >= self.wake

    def _admit(self, index: int, running: int, reserved: int) -> float:
        """Take blocks and adapter for the request; return seconds of loading, or -1 where there is no room."""
        policy, requests, blocks = self.policy, self.requests, self.blocks
        total = requests.context_at_start(index)
        group = requests.prefix[index] if policy.prefix_cache else -1
        hit = 0
        if group >= 0 and not requests.moved[index]:
            hit = blocks.hit(group, min(requests.prefix_tokens[index], total - 1))
        spare = reserved + (policy.spare_blocks if running else 0)
        adapter = requests.adapter[index]
        if adapter >= 0 and not self.adapters.possible(adapter):
            return -1.0
        if not blocks.take(group, hit, -(-total // blocks.size), spare):
            return -1.0
        requests.shared[index] = hit
        requests.start[index] = total
        if requests.moved[index]:
            requests.left[index] = 0
        else:
            requests.left[index] = total - hit * blocks.size
            requests.hits += hit * blocks.size
        if adapter >= 0 and self.adapters.use(adapter):
            return policy.adapter_load_s
        return 0.0

    def _begin_mixed(self, now: float, count: int, work: list[tuple[int, int]], load: float) -> None:
        policy = self.policy
        tokens, pairs = 0, 0.0
        start, left = self.requests.start, self.requests.left
        for index, chunk in work:
            tokens += chunk
            pairs += chunk * (start[index] - left[index] + chunk / 2)
        linear = self._prefill * tokens + self._decode * count * (1 + policy.draft_tokens)
        bound = linear + self._weights if self._sum else max(linear, self._weights)
        seconds = (
            self._fixed
            + self._per_request * (len(work) + count)
            + bound
            + self._pair * pairs
            + (self._per_kv * self._kv if count else 0.0)
            + load
        )
        if count:
            if policy.draft_tokens:
                seconds += policy.draft_s
                self._draw()
            else:
                self.blocks.free -= self._phase[-self._tick % policy.block_tokens]
                self.blocks.settle()
            self._run = 1
        else:
            self._run = 0
        self._work = work
        self.prefilled += tokens
        self.steps += 1
        self.busy_s += seconds
        self.end = now + seconds

    def _begin_run(self, now: float, count: int, horizon: float, single: bool) -> None:
        policy, size = self.policy, self.policy.block_tokens
        if policy.draft_tokens:
            self._begin_mixed(now, count, [], 0.0)
            return
        while not self._due[self._dues[0]]:
            del self._due[heappop(self._dues)]
        steps = self._dues[0] - self._tick
        linear = self._decode * count
        bound = linear + self._weights if self._sum else max(linear, self._weights)
        first = self._fixed + self._per_request * count + bound + self._per_kv * self._kv
        grow = self._per_kv * count
        if single:
            steps = 1
        room = self.blocks.available
        if room < count * (steps // size + 1):
            steps = min(steps, self._steps_in(room, count))
        if horizon < inf and now + steps * first + grow * (steps * (steps - 1) / 2) > horizon:
            steps = _cut(now, first, grow, horizon, steps)
        whole, rest = divmod(steps, size)
        taken = whole * count
        phase, tick = self._phase, self._tick
        for ahead in range(rest):
            taken += phase[-(tick + ahead) % size]
        self.blocks.free -= taken
        self.blocks.settle()
        seconds = steps * first + grow * (steps * (steps - 1) / 2)
        self._run, self._work = steps, []
        self.steps += steps
        self.busy_s += seconds
        self.end = now + seconds

    def _steps_in(self, room: int, count: int) -> int:
        size = self.policy.block_tokens
        whole, rest = divmod(room, count)
        steps = whole * size
        while True:
            rest -= self._phase[-(self._tick + steps) % size]
            if rest < 0:
                return steps
            steps += 1

    def _make_room(self) -> bool:
        """Evict from the end of the order until the next decode step finds its blocks."""
        evicted = False
        while self.decoding and self._needed() > self.blocks.available:
            self._evict(max((*self.decoding, *self.prefilling), key=self.requests.key.__getitem__))
            evicted = True
        return evicted

    def _needed(self) -> int:
        if not self.policy.draft_tokens:
            return self._phase[-self._tick % self.policy.block_tokens]
        size, context = self.policy.block_tokens, self.requests.context
        return sum(-(-(context[i] + self._emitted(i)) // size) + -context[i] // size for i in self.decoding)

    def _emitted(self, index: int) -> int:
        requests = self.requests
        drawn = requests.accepted[(index * 7919 + requests.made[index]) % len(requests.accepted)]
        return min(1 + drawn, requests.output[index] - requests.made[index])

    def _draw(self) -> None:
        size, context = self.policy.block_tokens, self.requests.context
        self._emits = [(index, self._emitted(index)) for index in self.decoding]
        self.blocks.free -= sum(-(-(context[i] + n) // size) + -context[i] // size for i, n in self._emits)
        self.blocks.settle()

    # -- a step ends

    def complete(self) -> None:
        """Hand out the tokens of the step that ends now."""
        now, run, requests = self.end, self._run, self.requests
        self.end = inf
        if self.policy.draft_tokens:
            for index, emitted in self._emits:
                requests.made[index] += emitted
                requests.context[index] += emitted
                self._kv += emitted
                if requests.made[index] == requests.output[index]:
                    self._leave(index)
                    self._finish(now, index)
            self._emits = []
        elif run:
            self._tick += run
            self._kv += run * len(self.decoding)
            if self._dues[0] == self._tick:
                heappop(self._dues)
                for index in self._due.pop(self._tick):
                    self._leave(index)
                    self._finish(now, index)
        for index, chunk in self._work:
            requests.left[index] -= chunk
            if not requests.left[index]:
                self._prefilled(now, index)
        self._run = 0

    def _prefilled(self, now: float, index: int) -> None:
        requests = self.requests
        self.prefilling.remove(index)
        if requests.moved[index]:
            requests.moved[index] = False
            self._join(index)
            return
        group = requests.prefix[index]
        if group >= 0 and self.policy.prefix_cache and not requests.shared[index]:
            requests.shared[index] = self.blocks.keep(
                group, min(requests.prefix_tokens[index], requests.prompt[index])
            )
        requests.made[index] += 1
        if requests.made[index] == 1:
            requests.first[index] = now
            requests.note(now, index, "first", self.number)
        if requests.made[index] == requests.output[index]:
            self._release(index, requests.start[index])
            self._finish(now, index)
        elif self.role == "prefill":
            self._release(index, requests.start[index])
            self.outstanding -= 1
            requests.moved[index] = True
            self.handed.append(index)
        else:
            self._join(index)

    def _join(self, index: int) -> None:
        requests, tick = self.requests, self._tick
        context = requests.start[index]
        self.decoding[index] = None
        self._kv += context
        if self.policy.draft_tokens:
            requests.context[index] = context
            return
        requests.joined[index] = tick
        self._phase[(context - tick) % self.policy.block_tokens] += 1
        due = tick + requests.output[index] - requests.made[index]
        bucket = self._due.get(due)
        if bucket is None:
            self._due[due] = [index]
            heappush(self._dues, due)
        else:
            bucket.append(index)

    def _leave(self, index: int) -> None:
        """Take a decoding request out of the batch, and give its blocks back."""
        requests = self.requests
        del self.decoding[index]
        if self.policy.draft_tokens:
            context = requests.context[index]
        else:
            joined = requests.joined[index]
            context = requests.start[index] + self._tick - joined
            requests.made[index] += self._tick - joined
            self._phase[(requests.start[index] - joined) % self.policy.block_tokens] -= 1
        self._kv -= context
        self._release(index, context)

    def _release(self, index: int, context: int) -> None:
        requests, blocks = self.requests, self.blocks
        shared = requests.shared[index]
        blocks.free += -(-context // blocks.size) - shared
        if shared:
            blocks.drop(requests.prefix[index])
            requests.shared[index] = 0
        adapter = requests.adapter[index]
        if adapter >= 0:
            self.adapters.drop(adapter)

    def _finish(self, now: float, index: int) -> None:
        self.requests.finish[index] = now
        self.requests.note(now, index, "finish", self.number)
        self.outstanding -= 1
        self.done.append(index)

    def _evict(self, index: int) -> None:
        requests = self.requests
        if index in self.decoding:
            if not self.policy.draft_tokens:
                due = requests.joined[index] + requests.output[index] - requests.made[index]
                self._due[due].remove(index)
            self._leave(index)
        else:
            self.prefilling.remove(index)
            self._release(index, requests.start[index])
        requests.preempted[index] += 1
        heappush(self.waiting, requests.key[index])


def _cut(now: float, first: float, grow: float, horizon: float, most: int) -> int:
    """Return the fewest steps after which ``horizon`` is reached, at most ``most``."""
    span = horizon - now
    if grow > 0:
        linear = first - grow / 2
        guess = (sqrt(linear * linear + 2 * grow * span) - linear) / grow
    else:
        guess = span / first if first else 1
    steps = min(max(int(guess), 1), most)
    while steps < most and now + steps * first + grow * (steps * (steps - 1) / 2) < horizon:
        steps += 1
    while steps > 1 and now + (steps - 1) * first + grow * ((steps - 1) * (steps - 2) / 2) >= horizon:
        steps -= 1
    return steps
