"""Cards and the machines they stand in, as data files state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where the named fields of an entry were read; no fields means all that no other entry names."""

    source: str
    locator: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One accelerator.

    Peaks are dense (without 2:4 sparsity), in 10^12 operations a second, by
    precision. ``memory_gb`` is the sheet's figure; ``memory_gib`` is what the
    driver reports as the total, in 2^30 bytes. ``nvlink_gb_s_total`` adds both
    directions, as sheets do; ``pcie_gb_s`` is one direction. Fields named in
    ``assumptions`` are editable guesses, not facts.
    """

    id: str
    name: str
    architecture: str
    memory_gb: float
    memory_gib: float
    memory_gb_s: float
    dense_tflops: Mapping[str, float]
    nvlink_gb_s_total: float
    pcie_gb_s: float
    tdp_w: float
    price_usd_hour: float
    aliases: tuple[str, ...] = ()
    sources: tuple[Provenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""

    @property
    def nvlink_gb_s(self) -> float:
        """NVLink bandwidth of one direction."""
        return self.nvlink_gb_s_total / 2

    @property
    def memory_bytes(self) -> float:
        """The driver's total, in bytes."""
        return self.memory_gib * 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """How cards of one kind are joined: an NVLink domain, then a network.

    ``network_gbit_s`` is per card and direction. ``nvlink_domain`` counts the
    cards that reach each other over NVLink; 1 means that they talk over PCIe.
    """

    id: str
    name: str
    gpu: str
    gpus_per_node: int
    nvlink_domain: int
    network_gbit_s: float
    nvlink_latency_us: float
    network_latency_us: float
    host_memory_gb: float
    nvme_gb_s: float
    overhead_w_per_gpu: float
    aliases: tuple[str, ...] = ()
    sources: tuple[Provenance, ...] = ()
    assumptions: tuple[str, ...] = ()
    note: str = ""

    @property
    def network_gb_s(self) -> float:
        """Network bandwidth of one card and direction in 10^9 bytes a second."""
        return self.network_gbit_s / 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Fitted coefficients of a performance model for one card, with what they were fitted on.

    A ``pooled`` one was fitted on all cards' rows and serves those that have none of their own.
    """

    id: str
    model: str  # which performance model reads them, such as training/1
    gpu: str
    coefficients: Mapping[str, float]
    fitted_on: str
    error: str
    as_of: str
    sources: tuple[Provenance, ...] = ()
    pooled: bool = False
    engine: str = ""
    note: str = ""
    bounds_hit: tuple[str, ...] = ()
