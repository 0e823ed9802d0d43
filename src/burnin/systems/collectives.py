"""What collectives cost: latency and bandwidth terms for ring, tree and hierarchy."""

from __future__ import annotations

from typing import Any

import numpy as np

SOURCE = "Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005, section 4; NCCL's bus-bandwidth definitions"


def ring_all_gather(size_bytes: Any, ranks: Any, bytes_s: Any, latency_s: Any) -> Any:
    """Return seconds; ``size_bytes`` is the gathered whole: (n - 1)/n of it crosses each link, in n - 1 steps."""
    return (ranks - 1) / ranks * size_bytes / bytes_s + (ranks - 1) * latency_s


ring_reduce_scatter = ring_all_gather
"""A reduce-scatter moves what an all-gather moves, the other way round."""


def ring_all_reduce(size_bytes: Any, ranks: Any, bytes_s: Any, latency_s: Any) -> Any:
    """Return seconds of a reduce-scatter and an all-gather: 2 (n - 1)/n of the data crosses each link.

    >>> round(float(ring_all_reduce(1e9, 8, 100e9, 0.0)), 5)
    0.0175
    """
    return 2 * ring_all_gather(size_bytes, ranks, bytes_s, latency_s)


def tree_all_reduce(size_bytes: Any, ranks: Any, bytes_s: Any, latency_s: Any) -> Any:
    """Return seconds of a pipelined double tree: the whole data up and down, 2 log2 n steps of latency.

    Against the ring: no (n - 1)/n, but a latency that grows with log n (Sanders,
    Speck and Träff, Parallel Computing 35(12), 2009).
    """
    several = np.asarray(ranks) > 1
    depth = np.ceil(np.log2(np.maximum(ranks, 1)))
    return np.where(several, 2 * size_bytes / bytes_s, 0.0) + 2 * depth * latency_s


def all_to_all(size_bytes: Any, ranks: Any, bytes_s: Any, latency_s: Any) -> Any:
    """Return seconds; ``size_bytes`` is what one rank sends in all, its own share included."""
    return (ranks - 1) / ranks * size_bytes / bytes_s + np.where(np.asarray(ranks) > 1, latency_s, 0.0)


def point_to_point(size_bytes: Any, bytes_s: Any, latency_s: Any) -> Any:
    """Return seconds of one message."""
    return size_bytes / bytes_s + latency_s


def hierarchical_all_reduce(
    size_bytes: Any,
    inner: Any,
    outer: Any,
    inner_bytes_s: Any,
    outer_bytes_s: Any,
    inner_latency_s: Any,
    outer_latency_s: Any,
) -> Any:
    """Return seconds of: reduce-scatter inside, all-reduce of a 1/inner share across, all-gather inside.

    Each of the ``inner`` ranks has a network port of its own, so the outer part
    carries ``size / inner`` a port.
    """
    inside = ring_all_reduce(size_bytes, inner, inner_bytes_s, inner_latency_s)
    across = np.minimum(
        ring_all_reduce(size_bytes / inner, outer, outer_bytes_s, outer_latency_s),
        tree_all_reduce(size_bytes / inner, outer, outer_bytes_s, outer_latency_s),
    )
    return inside + across


def group_bytes_s(members_per_domain: Any, ranks: Any, nvlink_bytes_s: Any, network_bytes_s: Any) -> Any:
    """Return the bandwidth that a large ring over a group gets.

    A group inside one NVLink domain runs at NVLink speed. A wider one passes the
    network on as many ports as it has members in a domain.
    """
    across = np.minimum(nvlink_bytes_s, members_per_domain * network_bytes_s)
    return np.where(np.asarray(ranks) <= members_per_domain, nvlink_bytes_s, across)


def all_to_all_seconds(
    size_bytes: Any,
    copies: Any,
    ranks: Any,
    domain: Any,
    nvlink_bytes_s: Any,
    network_bytes_s: Any,
    nvlink_latency_s: Any,
    network_latency_s: Any,
) -> Any:
    """Return seconds of an expert dispatch or combine of ``copies`` routed copies of each token.

    ``size_bytes`` counts all copies. Across domains a token goes once to each domain
    that holds one of its experts, and is copied there over NVLink (DeepSeek-V3,
    arXiv 2412.19437, section 3.2.2): of d domains d (1 - (1 - 1/d)^k) are hit on average.
    """
    inside = np.minimum(ranks, domain)
    domains = np.maximum(ranks / domain, 1.0)
    hit = domains * (1 - (1 - 1 / domains) ** copies)
    away = hit * (domains - 1) / domains
    network = size_bytes / copies * away / network_bytes_s
    nvlink = size_bytes * (inside - 1) / inside / nvlink_bytes_s
    latency = np.where(domains > 1, network_latency_s, 0.0) + np.where(
        np.asarray(ranks) > 1, nvlink_latency_s, 0.0
    )
    return np.maximum(network, nvlink) + latency
