"""Low-rank adapters: what trains, and what it saves."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.model import Model
from burnin.systems.counting import attention_matrices, count, mlp_matrices
from burnin.systems.states import OPTIMIZERS, Optimizer
from burnin.systems.term import Term, show, total

BASES = {
    "bf16": (2.0, "16-bit weights"),
    "fp8": (1.0, "8-bit weights"),
    "int8": (1.0 + 4 / 64, "LLM.int8-style: a byte and an fp32 scale every 64"),
    "nf4": ((4 + 32 / 64) / 8, "NF4, fp32 constant every 64: 4.5 bits"),
    "nf4-double": (
        (4 + 8 / 64 + 32 / (64 * 256)) / 8,
        "NF4 with double quantization: 4 + 8/64 + 32/(64 x 256) = 4.127 bits",
    ),
}
"""Bytes a frozen base parameter (Dettmers et al., QLoRA, arXiv 2305.14314, section 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """Trainable parameters of adapters and the memory of training them on one rank."""

    trainable: float
    share: float
    terms: tuple[Term, ...]

    @property
    def bytes_total(self) -> float:
        """Frozen base, adapters and their states, without activations."""
        return total(self.terms)


def adapter_params(model: Model, rank: int, targets: tuple[str, ...]) -> int:
    """Return rank x (inputs + outputs) over the named projections of every layer.

    >>> adapter_params(llama_2_7b, 8, ("q", "v"))      # 32 x 2 x 8 x (4096 + 4096)
    4194304

    Raises ValueError for a target that the model does not have. Experts carry no
    adapters. Source: Hu et al., LoRA, arXiv 2106.09685, section 4.1.
    """
    if rank < 1:
        raise ValueError("rank must be at least 1")
    attention, mlp = attention_matrices(model), mlp_matrices(model)
    unknown = [name for name in targets if name not in attention and name not in mlp]
    if unknown:
        known = ", ".join([*attention, *mlp])
        raise ValueError(f"{model.id} has no projection {unknown[0]!r}; known: {known}")
    dense = int(count(model).dense_mlps)
    layers = {name: model.attending if name in attention else dense for name in targets}
    shapes = {**attention, **mlp}
    return sum(layers[name] * rank * sum(shapes[name]) for name in targets)


def adapters(
    model: Model,
    *,
    rank: int,
    targets: tuple[str, ...] = ("q", "v"),
    base: str = "bf16",
    optimizer: Optimizer = OPTIMIZERS["adam-mixed"],
) -> Adapters:
    """Size LoRA (16-bit base) or QLoRA (``nf4``, ``nf4-double``) training without activations.

    Quantised bases keep embedding, output layer and norms in 16 bits, as the
    usual implementation does. Raises ValueError for an unknown base.
    """
    if base not in BASES:
        raise ValueError(f"no base {base!r}; known: {', '.join(BASES)}")
    each, words = BASES[base]
    trained = adapter_params(model, rank, targets)
    counts = count(model)
    matrices, rest = counts.matrices, counts.total - counts.matrices
    terms = (
        Term(
            name=f"frozen base ({words})",
            value=matrices * each,
            unit="bytes",
            formula="matrix parameters x bytes",
            filled=f"{show(matrices)} x {show(each)}",
            source="Dettmers et al., arXiv 2305.14314, section 3",
        ),
        Term(
            name="embedding, output layer, norms (16 bits)",
            value=2 * rest,
            unit="bytes",
            formula="2 x the other parameters",
            filled=f"2 x {show(rest)}",
        ),
        Term(
            name="adapters with gradients and optimizer",
            value=trained * optimizer.total,
            unit="bytes",
            formula="r (inputs + outputs) summed x bytes a trained parameter",
            filled=f"{show(trained)} x {show(optimizer.total)}",
            source="Hu et al., arXiv 2106.09685, section 4.1",
        ),
    )
    return Adapters(trainable=trained, share=trained / (counts.total + trained), terms=terms)
