"""The rates of a cluster as a plan sees them: peaks times fitted shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from burnin.domain.hardware import Cluster, Gpu
from burnin.systems.coefficients import Coefficients
from burnin.systems.precision import RECIPES

_WIDTH = {"fp16": 0, "bf16": 0, "fp8": 1, "fp4": 2}


class NoSuchPeak(ValueError):
    """The card does not compute in that precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What data sheets say: operations and bytes a second, seconds of latency. Fields may be arrays."""

    peak: Any  # of the plan's precision
    width: Any  # 0, 1 or 2 for 16, 8 or 4 bits
    passes: Any
    half: Any
    memory: Any
    nvlink: Any
    network: Any
    nvlink_latency: Any
    network_latency: Any
    domain: Any
    memory_bytes: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """Effective rates in operations and bytes a second, times in seconds. Fields may be arrays."""

    linear: Any  # matrix products of the plan's precision
    half: Any  # matrix products in 16 bits
    attention: Any
    grouped: Any  # a factor on ``linear``
    memory: Any
    nvlink: Any
    network: Any
    nvlink_latency: Any
    network_latency: Any
    hidden: Any
    launch: Any
    quantise: Any  # quantisation traffic: trips of a product's inputs
    spread: Any
    domain: Any


def rates(gpu: Gpu, cluster: Cluster, precision: str) -> Rates:
    """Return the sheet's rates of one card in its cluster for a training precision.

    Raises NoSuchPeak where the card lacks it. Without NVLink, ranks of a node talk over PCIe.
    """
    recipe = RECIPES[precision]
    half = gpu.dense_tflops.get("bf16", gpu.dense_tflops.get("fp16"))
    peak = half if recipe.peak == "fp16" else gpu.dense_tflops.get(recipe.peak)
    if peak is None or half is None:
        raise NoSuchPeak(f"{gpu.name} does not compute in {precision}")
    inside = gpu.nvlink_gb_s if cluster.nvlink_domain > 1 and gpu.nvlink_gb_s else gpu.pcie_gb_s
    return Rates(
        peak=peak * 1e12,
        width=_WIDTH[recipe.peak],
        passes=recipe.passes,
        half=half * 1e12,
        memory=gpu.memory_gb_s * 1e9,
        nvlink=inside * 1e9,
        network=cluster.network_gb_s * 1e9,
        nvlink_latency=cluster.nvlink_latency_us * 1e-6,
        network_latency=cluster.network_latency_us * 1e-6,
        domain=float(max(cluster.nvlink_domain, cluster.gpus_per_node)),
        memory_bytes=gpu.memory_bytes,
    )


def speeds(r: Rates, fitted: Coefficients) -> Speeds:
    """Return what is reached: each rate times its coefficient."""
    width = np.asarray(r.width)
    share = np.where(width == 0, fitted.gemm_16bit, np.where(width == 1, fitted.gemm_8bit, fitted.gemm_4bit))
    return Speeds(
        linear=r.peak * share,
        half=r.half * fitted.gemm_16bit,
        attention=r.half * fitted.attention,
        grouped=fitted.grouped,
        memory=r.memory * fitted.memory,
        nvlink=r.nvlink * fitted.nvlink,
        network=r.network * fitted.network,
        nvlink_latency=r.nvlink_latency,
        network_latency=r.network_latency,
        hidden=fitted.hidden,
        launch=fitted.launch_us * 1e-6,
        quantise=fitted.quantise * r.passes,
        spread=fitted.spread,
        domain=r.domain,
    )
