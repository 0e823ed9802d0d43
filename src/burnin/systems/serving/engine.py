"""What an engine does unless told otherwise: batch limits, memory share, KV format, CUDA graphs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One engine and the family of its versions.

    >>> engine("TensorRT-LLM", "1.0.0rc3").id
    'trtllm-1.0'

    ``memory_share`` of a card's memory may hold weights, activations and cache;
    ``reserve_gib`` of it is workspace. ``eager_kernels`` is how many times the launch
    time counts where CUDA graphs are off.
    """

    id: str
    backend: str
    max_requests: int
    token_budget: int
    memory_share: float
    reserve_gib: float
    narrow_kv: bool  # 8-bit checkpoints keep the KV cache in 8 bits
    reserves: bool  # a request is admitted only with room for all of its output
    eager_kernels: float = 4.0


_BACKENDS = {
    # Limits are the engines' documented defaults: trtllm-build's max_batch_size and max_num_tokens,
    # vLLM's gpu_memory_utilization, SGLang's mem_fraction_static.
    "trtllm": Engine(
        id="trtllm",
        backend="trtllm",
        max_requests=2048,
        token_budget=8192,
        memory_share=0.95,
        reserve_gib=1.5,
        narrow_kv=True,
        reserves=True,
    ),
    "vllm": Engine(
        id="vllm",
        backend="vllm",
        max_requests=1024,
        token_budget=8192,
        memory_share=0.9,
        reserve_gib=2.0,
        narrow_kv=False,
        reserves=False,
    ),
    "sglang": Engine(
        id="sglang",
        backend="sglang",
        max_requests=1024,
        token_budget=8192,
        memory_share=0.88,
        reserve_gib=1.0,
        narrow_kv=False,
        reserves=False,
    ),
    "nim": Engine(
        id="nim",
        backend="nim",
        max_requests=256,
        token_budget=8192,
        memory_share=0.9,
        reserve_gib=2.0,
        narrow_kv=True,
        reserves=True,
    ),
}
_ALIASES = {"tensorrtllm": "trtllm", "tensorrt": "trtllm", "trtllm": "trtllm"}


def engine(name: str, version: str = "") -> Engine:
    """Return an engine by any common spelling; a version narrows it to its family, major and minor.

    ValueError names the known engines.
    """
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    backend = _ALIASES.get(plain, plain)
    if backend not in _BACKENDS:
        raise ValueError(f"no engine {name!r}; known: {', '.join(_BACKENDS)}")
    base = _BACKENDS[backend]
    found = re.match(r"(\d+)\.(\d+)", version or "")
    if found is None:
        return base
    return replace(base, id=f"{backend}-{found[1]}.{found[2]}")


ENGINES = tuple(_BACKENDS)
