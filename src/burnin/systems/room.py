"""How many of something fit beside what is fixed: sequences when serving, micro-batches when training."""

from __future__ import annotations

from math import floor


def sequences_beside(
    *, memory: float, weights: float, other: float, token_bytes: float, tokens: int, block: int = 1
) -> int:
    """Return how many sequences of ``tokens`` tokens have their KV cache beside the weights.

    >>> sequences_beside(memory=80e9, weights=16e9, other=4e9, token_bytes=125e3, tokens=4000)
    120

    All in bytes. A cache is kept in blocks of ``block`` tokens, so each sequence is
    rounded up to whole blocks. 0 where the weights alone do not fit. ValueError for a
    size that is not positive. Source: Kwon et al., arXiv 2309.06180, sections 3 and 4.3.
    """
    if token_bytes <= 0 or tokens < 1 or block < 1:
        raise ValueError("token_bytes, tokens and block must be positive")
    each = token_bytes * block * -(-tokens // block)
    return max(floor((memory - weights - other) / each), 0)


def largest_micro_batch(*, memory: float, fixed: float, sequence_bytes: float, held: float = 1) -> int:
    """Return the most sequences of a micro-batch of which a rank can hold ``held`` at a time.

    >>> largest_micro_batch(memory=80e9, fixed=40e9, sequence_bytes=1e9, held=8)
    5

    ``sequence_bytes`` are the activations that the rank keeps of one sequence, ``fixed``
    what does not grow with the batch. ValueError for sizes that are not positive.
    Source: Narayanan et al., arXiv 2104.04473, section 2.2.
    """
    if sequence_bytes <= 0 or held <= 0:
        raise ValueError("sequence_bytes and held must be positive")
    return max(floor((memory - fixed) / (sequence_bytes * held)), 0)
