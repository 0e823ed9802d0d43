"""Answers drawn from known parameters, with NumPy alone."""

from __future__ import annotations

import numpy as np


def table(
    chance: np.random.Generator,
    a: np.ndarray,
    b: np.ndarray,
    theta: np.ndarray,
    c: np.ndarray | float = 0.0,
) -> np.ndarray:
    p = c + (1.0 - c) / (1.0 + np.exp(-a * (theta[:, None] - b)))
    return (chance.random(p.shape) < p).astype(np.int8)


def normal_table(seed: int, persons: int, items: int, *, guess: float = 0.0) -> tuple[np.ndarray, ...]:
    """Return a, b, theta and rows; theta has sample mean 0 and standard deviation 1."""
    chance = np.random.default_rng(seed)
    a, b = np.exp(chance.normal(0, 0.3, items)), chance.normal(0, 1, items)
    theta = chance.normal(size=persons)
    theta = (theta - theta.mean()) / theta.std()
    return a, b, theta, table(chance, a, b, theta, guess)


def chosen(
    seed: int, persons: int, items: int, *, flipped: float, guess: float, options: int = 4
) -> tuple[np.ndarray, np.ndarray, np.ndarray, set[int]]:
    """Return choices, true keys, stated keys and which of those are wrong.

    Who does not know takes a wrong option, unevenly liked from item to item.
    """
    chance = np.random.default_rng(seed)
    a, b = np.exp(chance.normal(0, 0.3, items)), chance.normal(0, 1, items)
    right = table(chance, a, b, chance.normal(size=persons), guess)
    true = chance.integers(0, options, items)
    choices = np.empty((persons, items), dtype=np.int32)
    for j in range(items):
        others = np.array([o for o in range(options) if o != true[j]])
        liked = chance.dirichlet(np.full(options - 1, 3.0))
        choices[:, j] = np.where(right[:, j] == 1, true[j], chance.choice(others, persons, p=liked))
    stated = true.copy()
    wrong = chance.choice(items, round(flipped * items), replace=False)
    for j in wrong:
        stated[j] = chance.choice([o for o in range(options) if o != true[j]])
    return choices, true, stated, {int(j) for j in wrong}
