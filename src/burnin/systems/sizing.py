"""Sums that an engineer does on paper before anything runs; each takes numbers or fractions."""

from __future__ import annotations

from typing import Any

TRAINING_FLOPS, INFERENCE_FLOPS = 6, 2
"""Operations a parameter and token: forward 2, backward 4. Source: Kaplan et al., arXiv 2001.08361, section 2.1."""


def decode_floor_ms(weight_gb: Any, kv_gb: Any, bandwidth_gb_s: Any, ranks: Any = 1) -> Any:
    """Return the least time of a decoding step: what every step reads, over the bandwidth of all ranks.

    >>> decode_floor_ms(16, 0, 2000)
    8.0

    Source: Pope et al., arXiv 2211.05102, section 2.
    """
    return (weight_gb + kv_gb) * 1000 / (bandwidth_gb_s * ranks)


def prefill_ms(billions: Any, tokens: Any, peak_tflops: Any, utilisation: Any, gpus: Any = 1) -> Any:
    """Return the time of a prefill by its matrix products, without attention's own.

    >>> prefill_ms(70, 4000, 1000, 0.5, 8)
    140.0

    Source: Pope et al., arXiv 2211.05102, section 2; ``INFERENCE_FLOPS``.
    """
    return INFERENCE_FLOPS * billions * tokens / (peak_tflops * utilisation * gpus)


def ridge_batch(peak_tflops: Any, bandwidth_gb_s: Any, weight_bytes: Any) -> Any:
    """Return the batch from which on decoding's matrix products are bound by compute.

    >>> ridge_batch(1000, 4000, 2)
    250.0

    A step does 2 operations a parameter and sequence and reads ``weight_bytes`` a parameter.
    Source: Pope et al., arXiv 2211.05102, section 2; Williams et al., CACM 52(4), 2009.
    """
    return peak_tflops * 1000 / bandwidth_gb_s * weight_bytes / INFERENCE_FLOPS


def speculative_tokens(acceptance: Any, drafted: int) -> Any:
    """Return the expected tokens of a speculative step: the accepted drafts and one of the target's own.

    >>> speculative_tokens(0.5, 3)
    1.875

    Source: Leviathan, Kalman and Matias, arXiv 2211.17192, equation 1.
    """
    return sum(acceptance**k for k in range(drafted + 1))


def ring_sent(size: Any, ranks: Any) -> Any:
    """Return what each rank sends in a ring all-reduce, in the unit of ``size``.

    >>> ring_sent(8, 4)
    12.0

    Source: Patarasuk and Yuan, JPDC 69(2), 2009, section 3.
    """
    return 2 * size * (ranks - 1) / ranks


def accumulation_steps(sequences: Any, gpus: Any, tensor: Any, stages: Any, micro_batch: Any) -> Any:
    """Return the micro-batches that each replica runs for one step of ``sequences``.

    >>> accumulation_steps(512, 64, 4, 2, 2)
    32.0

    Source: Narayanan et al., arXiv 2104.04473, section 2.2.
    """
    return sequences * tensor * stages / (gpus * micro_batch)


def thousand_tokens_s(billions: Any, peak_tflops: Any, utilisation: Any, gpus: Any) -> Any:
    """Return thousands of tokens a second that a training run processes at a model FLOPs utilisation.

    >>> thousand_tokens_s(10, 1000, 0.3, 40)
    200.0

    Source: Chowdhery et al., arXiv 2204.02311, appendix B, without attention's own operations.
    """
    return peak_tflops * utilisation * gpus / (TRAINING_FLOPS * billions)


def utilisation(billions: Any, tokens_s: Any, peak_tflops: Any, gpus: Any) -> Any:
    """Return the model FLOPs utilisation of a training run.

    >>> utilisation(10, 200_000, 1000, 40)
    0.3

    Source: as ``thousand_tokens_s``.
    """
    return TRAINING_FLOPS * billions * tokens_s / (peak_tflops * gpus * 1000)


def gpu_hours(billions: Any, billion_tokens: Any, peak_tflops: Any, utilisation: Any) -> Any:
    """Return the GPU-hours of a pre-training run by 6 N D.

    >>> round(gpu_hours(7, 1000, 500, 0.4))
    58333

    Source: Kaplan et al., arXiv 2001.08361, section 2.1.
    """
    return TRAINING_FLOPS * billions * billion_tokens * 1_000_000 / (peak_tflops * utilisation * 3600)


def optimal_growth(compute_times: Any) -> Any:
    """Return by what factor the compute-optimal parameters, and the tokens too, grow with compute.

    >>> optimal_growth(16)
    4.0

    Source: Hoffmann et al., arXiv 2203.15556, table 2 (both exponents near 0.5).
    """
    return compute_times**0.5


def tensor_parallel_mb(sequence: Any, micro_batch: Any, hidden: Any) -> Any:
    """Return megabytes that a layer hands to all-reduce in one forward and backward, in two bytes a value.

    >>> tensor_parallel_mb(4000, 1, 8000)
    256.0

    Two all-reduces forward (behind attention and MLP) and two backward, each of the whole activation.
    Source: Shoeybi et al., arXiv 1909.08053, section 3.
    """
    return 4 * 2 * sequence * micro_batch * hidden / 1_000_000
