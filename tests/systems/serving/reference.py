"""A plain, slow simulator of the same rules: every step, every token, in exact fractions.

Written apart from ``burnin.systems.serving.events``: one list of requests as
dictionaries, blocks counted anew from the requests at each look, no jumps, no heaps.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def ceil(a: int, b: int) -> int:
    return (a + b - 1) // b


class Engine:
    def __init__(self, number: int, costs: Any, policy: Any, accepted: list[int], role: str) -> None:
        self.number, self.costs, self.policy, self.accepted, self.role = number, costs, policy, accepted, role
        self.queue: list[dict] = []
        self.running: list[dict] = []  # in order of admission
        self.cache: dict[int, int] = {}
        self.last_use: dict[int, int] = {}
        self.loaded: list[int] = []  # least recently idle first
        self.end: Fraction | None = None
        self.wake: Fraction | None = None
        self.unfinished = 0
        self.uses = 0

    def users(self, group: int) -> int:
        return sum(1 for r in self.running if r["shared"] and r["group"] == group)

    def idle(self) -> list[int]:
        return sorted((g for g in self.cache if not self.users(g)), key=self.last_use.__getitem__)

    def free(self) -> int:
        own = sum(ceil(r["held"], self.policy.block_tokens) - r["shared"] for r in self.running)
        return self.policy.kv_blocks - own - sum(self.cache.values())

    def room(self) -> int:
        return self.free() + sum(self.cache[g] for g in self.idle())

    def reclaim(self) -> None:
        while self.free() < 0:
            del self.cache[self.idle()[0]]

    def emitted(self, r: dict) -> int:
        if not self.policy.draft_tokens:
            return 1
        drawn = self.accepted[(7919 * r["index"] + r["made"]) % len(self.accepted)]
        return min(1 + drawn, r["output"] - r["made"])

    def growth(self) -> int:
        size = self.policy.block_tokens
        return sum(ceil(r["held"] + self.emitted(r), size) - ceil(r["held"], size) for r in self.decoders())

    def decoders(self) -> list[dict]:
        return [r for r in self.running if not r["filling"]]

    def leave(self, r: dict) -> None:
        self.running.remove(r)
        self.uses += 1
        if r["shared"]:
            self.last_use[r["group"]] = self.uses
        r["shared"] = 0
        if r["adapter"] >= 0 and all(o["adapter"] != r["adapter"] for o in self.running):
            self.loaded.remove(r["adapter"])
            self.loaded.append(r["adapter"])

    def evict(self) -> bool:
        any_out = False
        while self.decoders() and self.growth() > self.room():
            victim = max(self.running, key=lambda r: r["rank"])
            self.leave(victim)
            victim["evictions"] += 1
            victim["filling"] = False
            self.queue.append(victim)
            any_out = True
        return any_out

    def admit(self, r: dict, reserved: int) -> Fraction | None:
        p = self.policy
        total = r["prompt"] + (r["made"] - 1 if r["moved"] else r["made"])
        hit = 0
        if p.prefix_cache and r["group"] in self.cache and not r["moved"]:
            hit = min(self.cache[r["group"]], min(r["common"], total - 1) // p.block_tokens)
        needed = ceil(total, p.block_tokens) - hit
        room = self.room() - reserved - (p.spare_blocks if self.running else 0)
        if hit and r["group"] in self.idle():
            room -= self.cache[r["group"]]
        busy = {o["adapter"] for o in self.running}
        load = Fraction(0)
        new = r["adapter"] >= 0 and r["adapter"] not in self.loaded
        spares = [a for a in self.loaded if a not in busy]
        if needed > room or (new and len(self.loaded) >= p.max_adapters and not spares):
            return None
        if new:
            if len(self.loaded) >= p.max_adapters:
                self.loaded.remove(spares[0])
            self.loaded.append(r["adapter"])
            load = Fraction(p.adapter_load_s)
        r.update(held=total, shared=hit, filling=True, todo=0 if r["moved"] else total - hit * p.block_tokens)
        self.queue.remove(r)
        self.running.append(r)
        self.reclaim()
        return load

    def gate(self, now: Fraction, over: bool) -> bool:
        p = self.policy
        if p.batching == "in-flight":
            return True
        if self.running:
            return False
        least = p.preferred if p.batching == "dynamic" else p.max_requests
        if len(self.queue) >= least or over:
            return True
        if p.batching == "static":
            return False
        due = min(r["queued"] for r in self.queue) + Fraction(p.max_delay_s)
        self.wake = due if due > now else None
        return self.wake is None

    def begin(self, now: Fraction, over: bool, notes: list) -> None:
        p, c = self.policy, self.costs
        self.wake = None
        out = self.evict() if p.chunked else False
        reserved = self.growth() if p.chunked else 0
        decoders = self.decoders()
        budget = p.token_budget - (len(decoders) * (1 + p.draft_tokens) if p.chunked else 0)
        chunks: list[tuple[dict, int]] = []
        for r in [r for r in self.running if r["filling"]]:
            if p.chunked:
                size = min(r["todo"], budget)
            else:
                size = r["todo"] if r["todo"] <= budget or not chunks else 0
            if size <= 0:
                break
            chunks.append((r, size))
            budget -= size
        load = Fraction(0)
        if self.queue and not out and self.gate(now, over):
            rolling = p.batching == "in-flight"
            while self.queue and len(self.running) < p.max_requests and not (rolling and budget <= 0):
                r = min(self.queue, key=lambda r: r["rank"])
                whole = r["prompt"] + (r["made"] - 1 if r["moved"] else r["made"])
                if rolling and not p.chunked and chunks and whole > budget:
                    break
                seconds = self.admit(r, reserved)
                if seconds is None:
                    break
                load += seconds
                notes.append((now, r["index"], "admit", self.number))
                if p.chunked:
                    size = min(r["todo"], max(budget, 0))
                else:
                    size = r["todo"] if r["todo"] <= budget or not chunks else 0
                if size or not r["todo"]:
                    chunks.append((r, size))
                    budget -= size
        if not p.chunked:
            if chunks:
                decoders = []
            else:
                self.evict()
                decoders = self.decoders()
        if not chunks and not decoders:
            self.end = None
            return
        pairs = sum(n * (r["held"] - r["todo"] + Fraction(n, 2)) for r, n in chunks)
        tokens = sum(n for _, n in chunks)
        linear = Fraction(c.per_prefill_token_s) * tokens
        linear += Fraction(c.per_decode_token_s) * len(decoders) * (1 + p.draft_tokens)
        streamed = Fraction(c.weights_s)
        seconds = Fraction(c.fixed_s) + Fraction(c.per_request_s) * (len(chunks) + len(decoders))
        seconds += linear + streamed if c.overlap == "sum" else max(linear, streamed)
        seconds += Fraction(c.per_prefill_pair_s) * pairs
        seconds += Fraction(c.per_kv_token_s) * sum(r["held"] for r in decoders)
        if decoders and p.draft_tokens:
            seconds += Fraction(p.draft_s)
        self.plan = (chunks, [(r, self.emitted(r)) for r in decoders])
        for r, n in self.plan[1]:
            r["held"] += n
        self.reclaim()
        self.end = now + seconds + load

    def complete(self, notes: list) -> tuple[list[dict], list[dict]]:
        now, done, handed = self.end, [], []
        self.end = None
        chunks, emits = self.plan
        for r, n in emits:
            r["made"] += n
            if r["made"] == r["output"]:
                self.leave(r)
                done.append(r)
        for r, n in chunks:
            r["todo"] -= n
            if r["todo"]:
                continue
            r["filling"] = False
            if r["moved"]:
                r["moved"] = False
                continue
            whole = min(r["common"], r["prompt"]) // self.policy.block_tokens
            fresh = r["group"] >= 0 and r["group"] not in self.cache and not r["shared"]
            if self.policy.prefix_cache and fresh and whole:
                self.cache[r["group"]] = whole
                r["shared"] = whole
            r["made"] += 1
            if r["made"] == 1:
                r["first"] = now
                notes.append((now, r["index"], "first", self.number))
            if r["made"] == r["output"]:
                self.leave(r)
                done.append(r)
            elif self.role == "prefill":
                self.leave(r)
                r["moved"] = True
                handed.append(r)
        for r in done:
            r["finish"] = now
            notes.append((now, r["index"], "finish", self.number))
        self.unfinished -= len(done) + len(handed)
        return done, handed


def run(work: Any, costs: Any, policy: Any, fleet: Any, accepted: list[int]) -> tuple[list[dict], list]:
    """Return the requests, and all events."""
    requests = [
        {
            "index": i,
            "rank": (int(work.priority[i]), i),
            "prompt": int(work.prompt[i]),
            "output": int(work.output[i]),
            "group": int(work.prefix[i]),
            "common": int(work.prefix_tokens[i]),
            "adapter": int(work.adapter[i]),
            "moved": False,
            "filling": False,
            **dict.fromkeys(("made", "shared", "held", "todo", "evictions"), 0),
        }
        for i in range(len(work))
    ]
    p, fronts = policy, fleet.prefill_replicas
    engines = [
        Engine(i, costs, p, accepted, "prefill" if i < fronts else "decode" if fronts else "both")
        for i in range(fronts + fleet.replicas)
    ]
    heads, tails = engines[:fronts] or engines, engines[fronts:]
    notes: list = []
    sent, now = 0, Fraction(0)
    clients = [(Fraction(0), c) for c in range(work.clients)]
    moving: list[tuple[Fraction, int]] = []
    turns = {0: 0, 1: 0}

    def choose(pool: list[Engine], r: dict, turn: int) -> Engine:
        if len(pool) > 1 and fleet.routing == "round-robin":
            turns[turn] += 1
            return pool[(turns[turn] - 1) % len(pool)]
        if fleet.routing == "prefix-aware":
            pool = [e for e in pool if r["group"] in e.cache] or pool
        return min(pool, key=lambda e: (e.unfinished, e.number))

    while True:
        times = [t for e in engines for t in (e.end, e.wake) if t is not None] + [t for t, _ in moving]
        if sent < len(requests):
            times += [t for t, _ in clients] if work.clients else [Fraction(work.arrival_s[sent])]
        stuck = not times
        if stuck and not any(e.queue for e in engines):
            return requests, notes
        now = min(times, default=now)
        for e in engines:
            if e.end == now:
                done, handed = e.complete(notes)
                clients += [(now + Fraction(work.think_s), r["client"]) for r in done if work.clients]
                for r in handed:
                    wait = Fraction(fleet.transfer_s) + Fraction(fleet.transfer_per_token_s) * r["prompt"]
                    moving.append((now + wait, r["index"]))
        for when, i in sorted(moving):
            if when <= now:
                moving.remove((when, i))
                e = choose(tails, requests[i], 1)
                requests[i]["queued"] = now
                notes.append((now, i, "moved", e.number))
                e.unfinished += 1
                e.queue.append(requests[i])
        while sent < len(requests):
            if work.clients:
                if not clients or min(clients)[0] > now:
                    break
                client = min(clients)
                clients.remove(client)
                requests[sent]["client"] = client[1]
            elif Fraction(work.arrival_s[sent]) > now:
                break
            r = requests[sent]
            sent += 1
            r["queued"] = now
            e = choose(heads, r, 0)
            longest = r["prompt"] + r["output"] - 1
            if longest > p.kv_blocks * p.block_tokens or (
                p.queue_limit is not None and len(e.queue) >= p.queue_limit
            ):
                notes.append((now, r["index"], "reject", e.number))
                if work.clients:
                    clients.append((now + Fraction(work.think_s), r["client"]))
                continue
            e.unfinished += 1
            e.queue.append(r)
        issued = sent == len(requests)
        drained = issued and not moving and not any(e.unfinished for e in engines[:fronts])
        for e in engines:
            if e.end is None and (e.queue or e.running):
                e.begin(now, stuck or (drained if e.role == "decode" else issued), notes)
