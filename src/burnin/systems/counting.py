"""Parameters and operations of a model, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.domain.model import Model

SSD_CHUNK = 256
"""Tokens a chunk of the state-space dual form (Dao and Gu, arXiv 2405.21060, section 6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What memory and time models need to know of a model. Counts are of one layer unless named total.

    ``*_params`` are matrix elements; ``small_params`` are norms and biases of the
    whole model. Widths are elements a token.
    """

    layers: float
    hidden: float
    vocab: float
    attending: float
    dense_mlps: float
    moe_layers: float
    ssm_layers: float
    attention_params: float
    dense_params: float
    routed_params: float  # all routed experts of a layer
    routed_active: float  # what one token passes through
    shared_params: float  # shared experts, router and latent projections
    ssm_params: float
    small_params: float
    embedding_params: float
    head_params: float  # 0 where the embedding serves as the output layer
    position_params: float
    predict_params: float  # multi-token prediction modules without their experts
    predict_layers: float
    score_width: float  # heads x (query-key width + value width): multiply-adds a token pair
    heads: float
    query_width: float
    kv_width: float  # keys and values together, as attention reads them
    value_width: float
    dense_in: float  # gate and up outputs
    dense_out: float  # input of the down projection
    expert_in: float
    expert_out: float
    expert_hidden: float
    shared_in: float
    shared_out: float
    experts: float
    experts_active: float
    ssm_width: float
    ssm_scan: float  # multiply-adds a token of the scan
    window: float
    window_layers: float

    @property
    def matrices(self) -> float:
        """Elements of all layers' matrices, experts included (the 12 L h^2 of a GPT)."""
        return (
            self.attending * self.attention_params
            + self.dense_mlps * self.dense_params
            + self.moe_layers * (self.routed_params + self.shared_params)
            + self.ssm_layers * self.ssm_params
        )

    @property
    def total(self) -> float:
        """All parameters, without multi-token prediction modules."""
        return (
            self.matrices
            + self.small_params
            + self.embedding_params
            + self.head_params
            + self.position_params
        )

    @property
    def active(self) -> float:
        """Parameters that one token passes through, embedding and output layer included."""
        return self.total - self.moe_layers * (self.routed_params - self.routed_active)


def attention_matrices(model: Model) -> dict[str, tuple[int, int]]:
    """Return each projection of one attention block as (inputs, outputs).

    >>> # grouped-query attention of Llama 3.1 8B: q 4096x4096, k and v 4096x1024
    """
    hidden = model.hidden
    if model.latent is None:
        query, kv = model.heads * model.head_dim, model.kv_heads * model.head_dim
        return {"q": (hidden, query), "k": (hidden, kv), "v": (hidden, kv), "o": (query, hidden)}
    latent = model.latent
    query = model.heads * (latent.nope_dim + latent.rope_dim)
    matrices = {
        "kv_down": (hidden, latent.kv_rank + latent.rope_dim),
        "kv_up": (latent.kv_rank, model.heads * (latent.nope_dim + latent.value_dim)),
        "o": (model.heads * latent.value_dim, hidden),
    }
    if latent.q_rank:
        return {"q_down": (hidden, latent.q_rank), "q_up": (latent.q_rank, query), **matrices}
    return {"q": (hidden, query), **matrices}


def mlp_matrices(model: Model) -> dict[str, tuple[int, int]]:
    """Return the projections of one dense MLP as (inputs, outputs); none for a mixture without dense layers."""
    if not model.ffn:
        return {}
    names = ("gate", "up") if model.gated else ("up",)
    return {
        **dict.fromkeys(names, (model.hidden, model.ffn)),
        "down": (model.ffn, model.hidden),
    }


def count(model: Model) -> Counts:
    """Count a model from its shape alone.

    >>> # count(llama_3_1_8b).total == 8_030_261_248

    Source: the sums are the configurations' own; GPT totals equal Narayanan et
    al., arXiv 2104.04473, equation 2.
    """
    hidden, experts, space = model.hidden, model.experts, model.state_space
    ways = 3 if model.gated else 2
    attention = sum(a * b for a, b in attention_matrices(model).values())
    dense = sum(a * b for a, b in mlp_matrices(model).values())
    moe_layers = model.with_mlp - experts.dense_layers if experts else 0
    routed = active = shared = 0
    expert_hidden = hidden
    if experts:
        expert_hidden = experts.latent or hidden
        one = ways * expert_hidden * experts.ffn
        routed, active = experts.count * one, experts.active * one
        shared = experts.shared * ways * hidden * experts.shared_ffn + hidden * experts.count
        shared += 2 * hidden * experts.latent
    ssm = scan = inner = 0
    if space:
        inner = space.heads * space.head_dim
        grouped = space.groups * space.state
        ssm = hidden * (2 * inner + 2 * grouped + space.heads) + inner * hidden
        ssm += (inner + 2 * grouped) * space.conv
        scan = SSD_CHUNK // 2 * (grouped + inner) + 2 * space.state * inner
    dense_mlps = model.with_mlp - moe_layers
    query_key = model.head_dim if not model.latent else model.latent.nope_dim + model.latent.rope_dim
    value = model.head_dim if not model.latent else model.latent.value_dim
    kv_heads = model.heads if model.latent else model.kv_heads
    predicted = model.predict_layers * (2 * hidden * hidden + attention + shared)
    return Counts(
        layers=model.layers,
        hidden=hidden,
        vocab=model.vocab,
        attending=model.attending,
        dense_mlps=dense_mlps,
        moe_layers=moe_layers,
        ssm_layers=space.layers if space else 0,
        attention_params=attention,
        dense_params=dense,
        routed_params=routed,
        routed_active=active,
        shared_params=shared,
        ssm_params=ssm,
        small_params=_small(model, dense_mlps, moe_layers, inner),
        embedding_params=model.vocab * hidden,
        head_params=0 if model.tied else model.vocab * hidden,
        position_params=model.learned_positions * hidden,
        predict_params=predicted,
        predict_layers=model.predict_layers,
        score_width=model.heads * (query_key + value),
        heads=model.heads,
        query_width=model.heads * query_key,
        kv_width=kv_heads * (query_key + value),
        value_width=model.heads * value,
        dense_in=(ways - 1) * model.ffn,
        dense_out=model.ffn,
        expert_in=(ways - 1) * experts.ffn if experts else 0,
        expert_out=experts.ffn if experts else 0,
        expert_hidden=expert_hidden,
        shared_in=(ways - 1) * experts.shared * experts.shared_ffn if experts else 0,
        shared_out=experts.shared * experts.shared_ffn if experts else 0,
        experts=experts.count if experts else 0,
        experts_active=experts.active if experts else 0,
        ssm_width=inner,
        ssm_scan=scan,
        window=model.window,
        window_layers=model.window_layers,
    )


def _small(model: Model, dense_mlps: int, moe_layers: int, inner: int) -> int:
    """Norms, and biases where the model has them."""
    hidden = model.hidden
    mixers = model.attending + (model.state_space.layers if model.state_space else 0)
    norms = mixers + dense_mlps + moe_layers + 1
    small = norms * hidden
    if model.state_space:
        small += model.state_space.layers * (inner + 3 * model.state_space.heads)
    if model.latent:
        small += model.attending * (model.latent.q_rank + model.latent.kv_rank)
    if not model.biases:
        return small
    attention = sum(outputs for _, outputs in attention_matrices(model).values())
    mlp = sum(outputs for _, outputs in mlp_matrices(model).values())
    small += model.attending * attention + dense_mlps * mlp
    if model.experts:
        one = (2 if model.gated else 1) * model.experts.ffn + hidden
        return small + moe_layers * model.experts.count * one
    return small + norms * hidden  # layer norms carry a bias of their own


def mean_context(sequence: float, window: float, causal: bool = True) -> float:
    """Return how many tokens a query looks at on average.

    >>> mean_context(4096, 0), mean_context(4096, 0, causal=False)
    (2048.0, 4096.0)
    """
    if window and window < sequence:
        return window - window * window / (2 * sequence) if causal else window
    return sequence / 2 if causal else float(sequence)


def forward_flops(counts: Counts, sequence: float, *, causal: bool = True) -> float:
    """Return operations a token of one forward pass, output layer included, embedding look-up not.

    A multiply-add counts two. With ``causal`` False every query looks at the whole
    sequence, as Megatron's formula counts (arXiv 2104.04473, equation 3).
    """
    local = counts.window_layers * mean_context(sequence, counts.window, causal)
    everywhere = (counts.attending - counts.window_layers) * mean_context(sequence, 0, causal)
    multiply_adds = (
        counts.matrices
        - counts.moe_layers * (counts.routed_params - counts.routed_active)
        + counts.score_width * (local + everywhere)
        + counts.ssm_layers * counts.ssm_scan
        + counts.vocab * counts.hidden
    )
    if counts.predict_layers:
        multiply_adds += counts.predict_params + counts.predict_layers * (
            counts.routed_active
            + counts.vocab * counts.hidden
            + counts.score_width * mean_context(sequence, 0, causal)
        )
    return 2 * multiply_adds


def mean_context_of(span: Any, window: Any) -> Any:
    """Return ``mean_context`` of causal attention for arrays of spans and windows."""
    span = np.asarray(span, dtype=float)
    bounded = (np.asarray(window) > 0) & (window < span)
    return np.where(bounded, window - window * window / (2 * span), span / 2)
