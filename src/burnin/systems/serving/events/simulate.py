"""The clock: arrivals, steps that end, and replicas that begin the next one.

At one instant things happen in this order: steps end, replica by replica; caches arrive
at decode replicas, then new requests, each by its place; then free replicas begin a
step, replica by replica. Queues go by priority, then arrival, then place in the workload.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

import numpy as np

from burnin.systems.serving.arrivals import Workload
from burnin.systems.serving.policy import Fleet, Policy
from burnin.systems.serving.step_time import StepCosts

from .outcome import Outcome
from .replica import Replica
from .state import Requests


def simulate(
    work: Workload,
    costs: StepCosts,
    policy: Policy | None = None,
    fleet: Fleet | None = None,
    *,
    prefill_costs: StepCosts | None = None,
    accepted: Sequence[int] | Any = (0,),
    notes: bool = False,
    samples: bool = False,
) -> Outcome:
    """Run a workload through a fleet; return what every request saw.

    >>> from burnin.systems.serving.arrivals import workload
    >>> costs = StepCosts(fixed_s=0.0, per_request_s=0.0, per_prefill_token_s=0.001,
    ...     per_prefill_pair_s=0.0, per_decode_token_s=0.0, weights_s=0.01, per_kv_token_s=0.0)
    >>> run = simulate(workload(arrival_s=[0.0], prompt=100, output=11), costs)
    >>> round(float(run.ttft_s[0]), 6), round(float(run.itl_s[0]), 6)
    (0.1, 0.01)

    ``accepted`` gives accepted drafts (``arrivals.accepted_drafts``): a request at place i with m tokens
    made reads entry (7919 i + m) modulo its length. ``notes`` keeps every event, ``samples`` the
    memory and queue at every start of a step. A request whose prompt and output pass the
    whole KV memory is rejected.
    """
    policy, fleet = policy or Policy(), fleet or Fleet()
    drawn = [int(value) for value in accepted]
    if policy.draft_tokens and (min(drawn) < 0 or max(drawn) > policy.draft_tokens):
        raise ValueError(f"accepted drafts lie between 0 and draft_tokens, {policy.draft_tokens}")
    requests = Requests(work, drawn, notes, samples)
    clock = _Clock(work, costs, policy, fleet, prefill_costs or costs, requests)
    clock.run()
    return clock.outcome()


class _Clock:
    def __init__(
        self,
        work: Workload,
        costs: StepCosts,
        policy: Policy,
        fleet: Fleet,
        prefill_costs: StepCosts,
        requests: Requests,
    ) -> None:
        self.fleet, self.requests, self.policy = fleet, requests, policy
        fronts = fleet.prefill_replicas
        self.fronts = [Replica(i, prefill_costs, policy, requests, "prefill") for i in range(fronts)]
        role = "decode" if fronts else "both"
        self.backs = [Replica(fronts + i, costs, policy, requests, role) for i in range(fleet.replicas)]  # type: ignore[arg-type]
        self.replicas = self.fronts + self.backs
        self.turns = [0, 0]
        self.issued = 0
        self.times: list[float] = work.arrival_s.tolist()
        self.think = work.think_s
        self.closed = work.clients > 0
        self.clients: list[tuple[float, int]] = [(0.0, c) for c in range(min(work.clients, requests.count))]
        heapify(self.clients)
        self.client_of = [0] * requests.count if self.closed else []
        self.transfers: list[tuple[float, int]] = []
        self.rejected = 0

    def next_arrival(self) -> float:
        if self.issued < self.requests.count:
            if not self.closed:
                time = self.times[self.issued]
            else:
                time = self.clients[0][0] if self.clients else inf
        else:
            time = inf
        return min(time, self.transfers[0][0]) if self.transfers else time

    def run(self) -> None:
        replicas = self.replicas
        alone = replicas[0] if len(replicas) == 1 else None
        while True:
            arrival = self.next_arrival()
            if alone is not None:
                ends = alone.end if alone.end <= alone.wake else alone.wake
            else:
                ends = min(min(r.end, r.wake) for r in replicas)
            now = arrival if arrival < ends else ends
            flush = now == inf
            if flush:
                if not any(replica.waiting for replica in replicas):
                    return
                now = self.last
            self.last = now
            for replica in replicas:
                if replica.end == now:
                    replica.complete()
                    if replica.handed:
                        self._hand_over(now, replica)
                    if self.closed and replica.done:
                        for index in replica.done:
                            self._answered(now, index)
                    replica.done.clear()
            if arrival <= now or self.closed or self.transfers:
                self._deliver(now)
            self._begin(now, flush)

    def _begin(self, now: float, flush: bool) -> None:
        issued = self.issued == self.requests.count
        drained = issued and not self.transfers and not any(r.outstanding for r in self.fronts)
        horizon = -1.0
        for replica in self.replicas:
            if replica.end == inf and (replica.waiting or replica.decoding or replica.prefilling):
                if horizon < 0:
                    horizon = self.next_arrival()
                # Ends on other replicas may bring arrivals (closed loop, caches that move).
                limit = horizon
                if len(self.replicas) > 1 and (self.closed or self.fronts):
                    limit = min(limit, *(other.end for other in self.replicas))
                replica.exhausted = flush or (drained if replica.role == "decode" else issued)
                replica.begin(now, limit)

    def _deliver(self, now: float) -> None:
        requests = self.requests
        while self.transfers and self.transfers[0][0] <= now:
            _, index = heappop(self.transfers)
            replica = self._choose(self.backs, index, 1)
            requests.queued[index] = now
            requests.replica[index] = replica.number
            requests.note(now, index, "moved", replica.number)
            replica.outstanding += 1
            replica.enqueue(index)
        while self.issued < requests.count:
            if self.closed:
                if not self.clients or self.clients[0][0] > now:
                    break
                _, client = heappop(self.clients)
                self.client_of[self.issued] = client
            elif self.times[self.issued] > now:
                break
            index = self.issued
            self.issued += 1
            requests.arrival[index] = requests.queued[index] = now
            replica = self._choose(self.fronts or self.backs, index, 0)
            requests.replica[index] = replica.number
            longest = requests.prompt[index] + requests.output[index] - 1
            if replica.full() or longest > self.policy.kv_blocks * self.policy.block_tokens:
                self.rejected += 1
                requests.note(now, index, "reject", replica.number)
                if self.closed:
                    self._answered(now, index)
                continue
            replica.outstanding += 1
            replica.enqueue(index)

    def _choose(self, pool: list[Replica], index: int, turn: int) -> Replica:
        if len(pool) == 1:
            return pool[0]
        if self.fleet.routing == "round-robin":
            chosen = pool[self.turns[turn] % len(pool)]
            self.turns[turn] += 1
            return chosen
        if self.fleet.routing == "prefix-aware":
            group = self.requests.prefix[index]
            pool = [r for r in pool if r.blocks.holds(group)] or pool
        return min(pool, key=lambda r: (r.outstanding, r.number))

    def _hand_over(self, now: float, replica: Replica) -> None:
        for index in replica.handed:
            ready = (
                now + self.fleet.transfer_s + self.fleet.transfer_per_token_s * self.requests.prompt[index]
            )
            heappush(self.transfers, (ready, index))
        replica.handed.clear()

    def _answered(self, now: float, index: int) -> None:
        heappush(self.clients, (now + self.think, self.client_of[index]))

    last = 0.0

    def outcome(self) -> Outcome:
        requests = self.requests
        return Outcome(
            arrival_s=np.array(requests.arrival),
            first_s=np.array(requests.first),
            finish_s=np.array(requests.finish),
            prompt=np.array(requests.prompt),
            tokens=np.array(requests.made),
            preempted=np.array(requests.preempted),
            replica=np.array(requests.replica),
            steps=sum(r.steps for r in self.replicas),
            busy_s=tuple(r.busy_s for r in self.replicas),
            prefilled_tokens=sum(r.prefilled for r in self.replicas),
            cached_tokens=requests.hits,
            rejected=self.rejected,
            kv_blocks=self.policy.kv_blocks,
            free_blocks=tuple(r.blocks.available for r in self.replicas),
            peak_blocks=tuple(r.peak_blocks for r in self.replicas),
            notes=tuple(requests.notes or ()),
            samples=tuple(requests.samples or ()),
        )
