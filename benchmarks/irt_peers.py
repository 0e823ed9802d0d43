"""The peers' side of ``benchmarks.irt``: runs in an environment of its own.

Usage: python irt_peers.py girth|catsim IN.npz OUT.npz
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np


def girth(data: dict[str, np.ndarray]) -> dict[str, object]:
    from girth import twopl_mml

    rows = np.ascontiguousarray(data["rows"].T.astype(int))
    began = process_time()
    found = twopl_mml(rows)
    seconds = process_time() - began
    return {"a": found["Discrimination"], "b": found["Difficulty"], "seconds": seconds}


def catsim(data: dict[str, np.ndarray]) -> dict[str, object]:
    from catsim.estimation import NumericalSearchEstimator
    from catsim.item_bank import ItemBank
    from catsim.selection import MaxInfoSelector
    from catsim.stopping import MinErrorStopper

    k = len(data["a"])
    bank = ItemBank(np.column_stack([data["a"], data["b"], data["c"], np.ones(k), np.zeros(k)]))
    selector, estimator, stopper = MaxInfoSelector(), NumericalSearchEstimator(), MinErrorStopper(0.3)
    lengths, thetas = [], []
    right = data["right"]
    began = process_time()
    for person in range(len(right)):
        asked: list[int] = []
        answers: list[bool] = []
        theta = 0.0
        while True:
            item = int(
                selector.select(item_bank=bank, administered_items=asked, est_theta=theta)  # type: ignore[arg-type]
            )
            asked.append(item)
            answers.append(bool(right[person, item]))
            theta = float(
                estimator.estimate(
                    item_bank=bank, administered_items=asked, response_vector=answers, est_theta=theta
                )
            )
            if stopper.stop(administered_items=bank.get_items(asked), theta=theta) or len(asked) == k:
                break
        lengths.append(len(asked))
        thetas.append(theta)
    return {"seconds": process_time() - began, "lengths": lengths, "thetas": thetas}


if __name__ == "__main__":
    task, source, target = sys.argv[1:]
    with np.load(source) as stored:
        loaded = {name: stored[name] for name in stored.files}
    np.savez(target, **{"girth": girth, "catsim": catsim}[task](loaded))
