"""KV cache: bytes a token, a sequence and a batch, for every kind of attention."""

from __future__ import annotations

import math
from dataclasses import dataclass

from burnin.domain.model import Model
from burnin.systems.precision import bytes_of
from burnin.systems.term import Term, show


def elements_per_token(model: Model, tensor: int = 1) -> float:
    """Return cached elements of one token and one layer on one rank.

    >>> elements_per_token(llama_3_1_8b)      # keys and values of 8 heads of 128
    2048

    Multi-head, grouped and multi-query attention cache 2 x KV heads x head width;
    latent attention caches its latent and the shared rotary key (arXiv
    2405.04434, section 2.1.2), whole on every tensor-parallel rank. Where there
    are fewer KV heads than ranks, heads are stored more than once.
    """
    if tensor < 1:
        raise ValueError("tensor parallel must be at least 1")
    if model.latent is not None:
        return model.latent.kv_rank + model.latent.rope_dim
    return 2 * math.ceil(model.kv_heads / tensor) * model.head_dim


def bytes_per_token(model: Model, precision: str = "bf16", tensor: int = 1) -> float:
    """Return bytes that one more token costs while no window is full.

    >>> bytes_per_token(opt_13b, "fp16")
    819200.0
    """
    return model.attending * elements_per_token(model, tensor) * bytes_of(precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class KvCache:
    """A batch's cache on one rank. Bytes held, and of them the share that holds no token."""

    terms: tuple[Term, ...]
    bytes_per_token: float
    bytes_total: float
    bytes_used: float

    @property
    def waste(self) -> float:
        """Share of the held bytes that no token uses (paging leaves half a block a sequence on average)."""
        return 1 - self.bytes_used / self.bytes_total if self.bytes_total else 0.0


def kv_cache(
    model: Model,
    *,
    tokens: int,
    batch: int,
    precision: str = "bf16",
    tensor: int = 1,
    block: int = 16,
    reserve: int = 0,
) -> KvCache:
    """Size the cache of ``batch`` sequences of ``tokens`` tokens on one rank.

    ``block`` tokens are a page; 0 means that ``reserve`` tokens (the maximum
    length) are set aside for each sequence, as before PagedAttention (arXiv
    2309.06180). Layers with a sliding window keep at most the window. Recurrent
    layers of hybrids keep a state that does not grow, told as a term of its own.
    Raises ValueError for negative sizes or an unknown precision.
    """
    if tokens < 0 or batch < 0 or block < 0:
        raise ValueError("tokens, batch and block must not be negative")
    each = bytes_of(precision) * elements_per_token(model, tensor)
    terms = []
    used = held = 0.0
    groups = (
        ("full attention", model.attending - model.window_layers, tokens),
        ("sliding window", model.window_layers, min(tokens, model.window)),
    )
    for name, layers, length in groups:
        if not layers:
            continue
        if block:
            stored = math.ceil(length / block) * block
        else:
            stored = max(length, min(reserve, model.window) if name == "sliding window" else reserve)
        value = batch * layers * stored * each
        used += batch * layers * length * each
        held += value
        terms.append(
            Term(
                name=f"KV cache, {name}",
                value=value,
                unit="bytes",
                formula="batch x layers x tokens held x elements a token x bytes",
                filled=f"{batch} x {layers} x {stored} x {show(elements_per_token(model, tensor))} "
                f"x {show(bytes_of(precision))}",
                source="Kwon et al., arXiv 2309.06180, section 3",
            )
        )
    if model.state_space is not None:
        space = model.state_space
        inner = space.heads * space.head_dim
        state = space.state * inner + (space.conv - 1) * (inner + 2 * space.groups * space.state)
        value = batch * space.layers * state * 2 / tensor
        used += value
        held += value
        terms.append(
            Term(
                name="recurrent state",
                value=value,
                unit="bytes",
                formula="batch x layers x (state x width + convolution) x 2 / t",
                filled=f"{batch} x {space.layers} x {show(state)} x 2 / {tensor}",
                source="Dao and Gu, arXiv 2405.21060",
            )
        )
    return KvCache(
        terms=tuple(terms),
        bytes_per_token=model.attending * each,
        bytes_total=held,
        bytes_used=used,
    )
