"""Classical data sets and the estimates that others published for them.

Counts run over the patterns 00000, 00001, ... 11111 (first item leftmost).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np


@dataclass(frozen=True)
class DataSet:
    counts: tuple[int, ...]

    @property
    def patterns(self) -> np.ndarray:
        return np.array(list(product([0, 1], repeat=5)), dtype=np.int8)

    @property
    def rows(self) -> np.ndarray:
        """One row a person."""
        return np.repeat(self.patterns, self.counts, axis=0)


# Bock and Lieberman (1970), Psychometrika 35(2), 179-197: LSAT sections 6 and 7, 1,000 people each.
# fmt: off
LSAT6 = DataSet((3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15, 10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173,
                 11, 61, 28, 298))
LSAT7 = DataSet((12, 19, 1, 7, 3, 19, 3, 17, 10, 5, 3, 7, 7, 23, 8, 28, 7, 39, 11, 34, 14, 51, 15, 90, 6, 25, 7, 35,
                 18, 136, 32, 308))

# Rizopoulos (2006), Journal of Statistical Software 17(5): ltm, LSAT ~ z1, and rasch with slopes fixed at 1.
LSAT6_TWO_PL = {
    "a": [0.8254, 0.7229, 0.8905, 0.6886, 0.6575],
    "b": [-3.3597, -1.3696, -0.2799, -1.8659, -3.1236],
    "se_a": [0.2581, 0.1867, 0.2326, 0.1852, 0.2100],
    "se_b": [0.8669, 0.3073, 0.0997, 0.4341, 0.8700],
    "loglik": -2466.653, "aic": 4953.307, "bic": 5002.384,
}
LSAT6_RASCH = {"b": [-2.872, -1.063, -0.258, -1.388, -2.219], "loglik": -2473.054}
# Chalmers (2012), Journal of Statistical Software 48(6): mirt's own tests, one common slope.
LSAT6_ONE_PL = {"a": 0.7551, "se_a": 0.0694, "d": [2.730, 0.999, 0.240, 1.306, 2.099], "loglik": -2466.938}
LSAT7_ONE_PL = {"a": 1.011, "d": [1.868, 0.791, 1.461, 0.521, 1.993], "loglik": -2664.901}
LSAT7_TWO_PL = {
    "a": [0.988, 1.081, 1.706, 0.7651, 0.7358],
    "d": [1.8561, 0.808, 1.8043, 0.486, 1.8545],
    "se_a": [0.1772, 0.1688, 0.3211, 0.1341, 0.1511],
    "se_d": [0.1315, 0.0912, 0.2048, 0.0749, 0.1144],
    "loglik": -2658.805,
}
# fmt: on
