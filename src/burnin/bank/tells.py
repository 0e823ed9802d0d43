"""Which single cues set right options apart, and in which items: where to rewrite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from burnin.bank import cues
from burnin.domain.item import Item

LOUD = 3.0
"""With some seventy cues, a neutral bank shows one beyond three standard errors one time in five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """A cue and the items whose right options have more of it than their wrong ones, or less.

    ``z`` is the mean difference within items over its standard error. Items come with the
    largest difference first.
    """

    cue: str
    z: float
    more_in_right: tuple[str, ...]
    less_in_right: tuple[str, ...]


def tells(items: Sequence[Item], loud: float = LOUD) -> list[Tell]:
    """``tells(bank)[0].cue`` → ``"hedges"`` where right options hedge most notably.

    Cues of ``cues.dense`` beyond ``loud`` standard errors, the loudest first. This explains;
    the verdict is the cross-validated model's.
    """
    items = [item for item in items if 0 < len(item.key) < len(item.options)]
    if len(items) < 2:
        return []
    table = np.array([_difference(item) for item in items])
    error = table.std(axis=0, ddof=1) / math.sqrt(len(items))
    z = np.divide(table.mean(axis=0), error, out=np.zeros(table.shape[1]), where=error > 1e-12)
    found = []
    for column in np.argsort(-np.abs(z), kind="stable"):
        if abs(z[column]) < loud:
            break
        order = [int(row) for row in np.argsort(-np.abs(table[:, column]), kind="stable")]
        found.append(
            Tell(
                cue=cues.names()[int(column)],
                z=float(z[column]),
                more_in_right=tuple(items[row].id for row in order if table[row, column] > 1e-9),
                less_in_right=tuple(items[row].id for row in order if table[row, column] < -1e-9),
            )
        )
    return found


def _difference(item: Item) -> cues.Floats:
    measured = cues.dense([option.text for option in item.options])
    right = np.array([option.correct for option in item.options])
    difference: cues.Floats = measured[right].mean(axis=0) - measured[~right].mean(axis=0)
    return difference
