"""Ways to quantize a model, and what was published about the accuracy they keep."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.hardware import Provenance

_BITS = {"fp16": 16, "bf16": 16, "fp8": 8, "int8": 8, "fp4": 4, "int4": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantMethod:
    """One way to store and compute the linear layers of a model.

    ``weights`` and ``activations`` are number formats; ``group`` is how many weights share
    one scale of ``scale_bits`` (0: a scale a channel, too few to count). ``peak`` is the
    precision in which the card must have a peak; empty where the products run in 16 bits
    and the weights are expanded on the way.
    """

    id: str
    name: str
    weights: str
    activations: str
    peak: str
    group: int
    scale_bits: int
    calibration: str
    needs: str
    risk: str
    sources: tuple[Provenance, ...] = ()

    @property
    def bits(self) -> float:
        """Bits a weight takes, its share of the scale included."""
        return _BITS[self.weights] + (self.scale_bits / self.group if self.group else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAccuracy:
    """A published pair of scores: before and after a method was applied to a model."""

    id: str
    method: str
    model: str
    params_b: float
    benchmark: str
    before: float
    after: float
    sources: tuple[Provenance, ...] = ()

    @property
    def kept_percent(self) -> float:
        """The score afterwards as a share of the score before, in percent."""
        return 100 * self.after / self.before
