"""What fits beside what is fixed: adding one after the other until the memory is full."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnin.systems.room import largest_micro_batch, sequences_beside

SIZES = st.integers(1, 1000)


@given(st.integers(0, 5000), SIZES, SIZES, st.integers(1, 20), st.integers(1, 50), st.integers(1, 16))
def test_sequences_are_those_that_one_can_add(
    memory: int, weights: int, other: int, token: int, tokens: int, block: int
) -> None:
    def taken(sequences: int) -> int:
        blocks = len(range(0, tokens, block))
        return weights + other + sequences * blocks * block * token

    most = sequences_beside(
        memory=memory, weights=weights, other=other, token_bytes=token, tokens=tokens, block=block
    )
    assert most == 0 or taken(most) <= memory
    assert taken(most + 1) > memory


@given(st.integers(0, 5000), SIZES, SIZES, st.integers(1, 16))
def test_the_next_micro_batch_does_not_fit(memory: int, fixed: int, each: int, held: int) -> None:
    most = largest_micro_batch(memory=memory, fixed=fixed, sequence_bytes=each, held=held)
    assert most == 0 or fixed + most * each * held <= memory
    assert fixed + (most + 1) * each * held > memory


def test_sizes_must_be_positive() -> None:
    with pytest.raises(ValueError, match="must be positive"):
        sequences_beside(memory=1, weights=0, other=0, token_bytes=0, tokens=1)
    with pytest.raises(ValueError, match="must be positive"):
        largest_micro_batch(memory=1, fixed=0, sequence_bytes=1, held=0)
