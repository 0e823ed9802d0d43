"""What an engine and its fleet are allowed: batches, memory, caches, queues, routing."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

Batching = Literal["in-flight", "dynamic", "static"]
Routing = Literal["round-robin", "least-outstanding", "prefix-aware"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How one replica forms its steps.

    >>> Policy(max_requests=64, token_budget=2048, kv_blocks=4000).chunked
    True

    ``in-flight`` admits at every step (Orca, Yu et al., OSDI 2022, section 4.1).
    ``dynamic`` admits only to an empty batch, once ``preferred`` requests wait or the
    oldest has waited ``max_delay_s`` (Triton's dynamic batcher); ``static`` is the same
    without a delay: it waits for a full batch, or for the last request.

    ``chunked`` puts decoding requests and pieces of prompts into one step of at most
    ``token_budget`` tokens (Agrawal et al., Sarathi-Serve, OSDI 2024, section 4);
    without it a step holds whole prompts, up to the budget and at least one, and
    decoding requests wait for it.

    ``kv_blocks`` blocks of ``block_tokens`` hold the KV cache (Kwon et al., SOSP 2023,
    section 4). Admission leaves ``spare_blocks`` free where anything runs.

    With ``draft_tokens`` every decoding request also checks so many drafted tokens, and
    the step costs ``draft_s`` more (Leviathan et al., ICML 2023). ``max_adapters`` LoRA
    adapters are resident; another costs ``adapter_load_s`` of the step that admits it.
    ``queue_limit`` requests may wait; the next is rejected.
    """

    batching: Batching = "in-flight"
    max_requests: int = 256
    token_budget: int = 8192
    chunked: bool = True
    kv_blocks: int = 10_000
    block_tokens: int = 16
    spare_blocks: int = 0
    prefix_cache: bool = False
    preferred: int = 1
    max_delay_s: float = 0.0
    queue_limit: int | None = None
    draft_tokens: int = 0
    draft_s: float = 0.0
    max_adapters: int = 1
    adapter_load_s: float = 0.0

    def __post_init__(self) -> None:
        if min(self.max_requests, self.kv_blocks, self.block_tokens, self.preferred, self.max_adapters) < 1:
            raise ValueError(
                "max_requests, kv_blocks, block_tokens, preferred and max_adapters are at least 1"
            )
        if min(self.spare_blocks, self.draft_tokens, self.draft_s, self.max_delay_s, self.adapter_load_s) < 0:
            raise ValueError("spare blocks, drafts, delays and loads are not negative")
        if self.chunked and self.token_budget <= self.max_requests * (1 + self.draft_tokens):
            raise ValueError(
                f"token_budget {self.token_budget} leaves nothing for prompts beside {self.max_requests} "
                f"decoding requests of {1 + self.draft_tokens} tokens"
            )
        if self.preferred > self.max_requests:
            raise ValueError(f"preferred {self.preferred} is above max_requests {self.max_requests}")

    @property
    def gathers(self) -> float:
        """Seconds the oldest request of an empty batch waits for ``preferred``; 0 in flight."""
        return {"in-flight": 0.0, "dynamic": self.max_delay_s, "static": inf}[self.batching]

    @property
    def least(self) -> int:
        """Requests that start an empty batch before the delay is over."""
        return {"in-flight": 1, "dynamic": self.preferred, "static": self.max_requests}[self.batching]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Replicas and the way to them.

    >>> Fleet(replicas=2, prefill_replicas=1).disaggregated
    True

    Requests go to replicas in turn, to the one with the fewest unfinished requests, or
    (``prefix-aware``) to the least busy of those that hold their prefix; ties go to the
    lower number. With ``prefill_replicas`` prompts run on replicas of their own, and
    the cache moves to one of ``replicas`` in ``transfer_s`` plus
    ``transfer_per_token_s`` a token (Zhong et al., DistServe, OSDI 2024).
    """

    replicas: int = 1
    routing: Routing = "least-outstanding"
    prefill_replicas: int = 0
    transfer_s: float = 0.0
    transfer_per_token_s: float = 0.0

    def __post_init__(self) -> None:
        if self.replicas < 1 or self.prefill_replicas < 0:
            raise ValueError("replicas are at least 1, prefill_replicas at least 0")

    @property
    def disaggregated(self) -> bool:
        return self.prefill_replicas > 0
