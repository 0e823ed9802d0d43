"""The rates of a cluster as a plan sees them: peaks times fitted shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from burnin.domain.hardware import Cluster, Gpu
from burnin.systems.coefficients import Coefficients
from burnin.systems.precision import RECIPES

_SHARE = {"fp16": "gemm_16bit", "bf16": "gemm_16bit", "fp8": "gemm_8bit", "fp4": "gemm_4bit"}


class NoSuchPeak(ValueError):
    """The card does not compute in that precision."""


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
    peak_half: Any
    peak_linear: Any
    memory_bytes: Any


def speeds(gpu: Gpu, cluster: Cluster, fitted: Coefficients, precision: str) -> Speeds:
    """Return the rates of one card in its cluster for a training precision.

    Raises NoSuchPeak where the card lacks it. Without NVLink, ranks of a node talk over PCIe.
    """
    recipe = RECIPES[precision]
    peak = gpu.dense_tflops.get(recipe.peak)
    half = gpu.dense_tflops.get("bf16", gpu.dense_tflops.get("fp16"))
    if peak is None or half is None:
        raise NoSuchPeak(f"{gpu.name} does not compute in {precision}")
    inside = gpu.nvlink_gb_s if cluster.nvlink_domain > 1 and gpu.nvlink_gb_s else gpu.pcie_gb_s
    return Speeds(
        linear=peak * 1e12 * getattr(fitted, _SHARE[recipe.peak]),
        half=half * 1e12 * fitted.gemm_16bit,
        attention=half * 1e12 * fitted.attention,
        grouped=fitted.grouped,
        memory=gpu.memory_gb_s * 1e9 * fitted.memory,
        nvlink=inside * 1e9 * fitted.nvlink,
        network=cluster.network_gb_s * 1e9 * fitted.network,
        nvlink_latency=cluster.nvlink_latency_us * 1e-6,
        network_latency=cluster.network_latency_us * 1e-6,
        hidden=fitted.hidden,
        launch=fitted.launch_us * 1e-6,
        quantise=fitted.quantise * recipe.passes,
        spread=fitted.spread,
        domain=float(max(cluster.nvlink_domain, cluster.gpus_per_node)),
        peak_half=half * 1e12,
        peak_linear=peak * 1e12,
        memory_bytes=gpu.memory_bytes,
    )
