"""A language model's shape, as its public configuration states it."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.hardware import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).

    Cached per token and layer: ``kv_rank + rope_dim`` elements. ``q_rank`` 0
    means that queries are not compressed.
    """

    q_rank: int
    kv_rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A mixture of experts in every layer but the first ``dense_layers``.

    ``latent`` is the width in which routed experts work where they do not work
    in the model's own.
    """

    count: int
    active: int
    ffn: int
    shared: int = 0
    shared_ffn: int = 0
    dense_layers: int = 0
    latent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StateSpace:
    """Mamba-2 mixers that stand in for attention in ``layers`` layers (arXiv 2405.21060)."""

    layers: int
    heads: int
    head_dim: int
    state: int
    groups: int
    conv: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedPlan:
    """The parallel plan that a paper trained this model with."""

    tensor: int
    pipeline: int
    interleave: int = 1
    micro_batch: int = 1
    sequence: int = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A decoder-only transformer.

    ``ffn`` is the width of dense MLPs. ``window`` tokens are all that the
    ``window_layers`` layers with sliding-window attention look back on. Hybrids
    name how many of their layers attend (``attention_layers``) and how many
    hold an MLP (``mlp_layers``); in other models every layer does both.
    ``published_params`` is the publisher's count where there is one.
    """

    id: str
    name: str
    family: str
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    gated: bool = True
    tied: bool = False
    biases: bool = False
    learned_positions: int = 0
    latent: LatentAttention | None = None
    window: int = 0
    window_layers: int = 0
    experts: Experts | None = None
    state_space: StateSpace | None = None
    attention_layers: int | None = None
    mlp_layers: int | None = None
    predict_layers: int = 0  # multi-token prediction modules, trained beside the model
    published_params: float | None = None
    published_active: float | None = None
    published_plan: PublishedPlan | None = None
    aliases: tuple[str, ...] = ()
    sources: tuple[Provenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""

    @property
    def attention(self) -> str:
        """``mla``, ``mha``, ``mqa`` or ``gqa``."""
        if self.latent is not None:
            return "mla"
        if self.kv_heads == self.heads:
            return "mha"
        return "mqa" if self.kv_heads == 1 else "gqa"

    @property
    def attending(self) -> int:
        """How many layers hold attention."""
        return self.layers if self.attention_layers is None else self.attention_layers

    @property
    def with_mlp(self) -> int:
        """How many layers hold an MLP, dense or of experts."""
        return self.layers if self.mlp_layers is None else self.mlp_layers
