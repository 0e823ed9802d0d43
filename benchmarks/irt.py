"""Calibration beside girth and adaptive testing beside catsim, on the same data in the same run.

    python -m benchmarks.irt            all, about ten minutes, most of them girth's
    python -m benchmarks.irt --quick    without the 20,000 x 200 table

The peers are installed into an environment of their own below the temporary folder.
CPU seconds are of one thread, around the call alone. Each ratio is peer / burnin.
"""

from __future__ import annotations

import os

# Before numpy loads: idle threads of a pool would count as CPU time on either side.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
os.environ.update(_ONE_THREAD)

import argparse  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402
from time import process_time  # noqa: E402

import numpy as np  # noqa: E402

from burnin.psychometrics.adaptive import Pool  # noqa: E402
from burnin.psychometrics.calibration import calibrate  # noqa: E402
from burnin.psychometrics.curves import Items  # noqa: E402
from burnin.psychometrics.responses import Responses  # noqa: E402

PEERS = ("girth==0.8.0", "catsim==0.21.0")
SHARES = (0.30, 0.25, 0.20, 0.15, 0.10)


def environment(folder: Path) -> Path:
    """Return the interpreter of the peers' environment; make it where there is none."""
    python = folder / "bin" / "python"
    marker = folder / "peers.txt"
    if not marker.exists() or marker.read_text() != "\n".join(PEERS):
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True)
        marker.write_text("\n".join(PEERS))
    return python


def peer(python: Path, task: str, data: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Run one peer in a process of its own and return what it found."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.npz", Path(folder) / "out.npz"
        np.savez(source, **data)
        script = Path(__file__).with_name("irt_peers.py")
        subprocess.run(
            [str(python), str(script), task, str(source), str(target)],
            check=True,
            env={**os.environ, **_ONE_THREAD},
        )
        with np.load(target) as found:
            return {name: found[name] for name in found.files}


def simulate(persons: int, items: int, seed: int) -> dict[str, np.ndarray]:
    """Draw a 2PL table: log a ~ N(0, 0.3), b ~ N(0, 1), theta ~ N(0, 1) with sample mean 0 and sd 1.

    The sample is standardised because both programs set the scale by theta ~ N(0, 1): else
    the error would mostly be the sample's own distance from it.
    """
    chance = np.random.default_rng(seed)
    a, b = np.exp(chance.normal(0, 0.3, items)), chance.normal(0, 1, items)
    theta = chance.normal(size=persons)
    theta = (theta - theta.mean()) / theta.std()
    rows = chance.random((persons, items)) < 1 / (1 + np.exp(-a * (theta[:, None] - b)))
    return {"rows": rows.astype(np.int8), "a": a, "b": b}


def errors(found_a: np.ndarray, found_b: np.ndarray, true: dict[str, np.ndarray]) -> list[float]:
    """Return RMSE of a, RMSE of b, mean error of a."""
    off_a, off_b = found_a - true["a"], found_b - true["b"]
    return [float(np.sqrt((off_a**2).mean())), float(np.sqrt((off_b**2).mean())), float(off_a.mean())]


def calibration(python: Path, persons: int, items: int, seeds: range) -> None:
    ours, theirs = [], []
    for seed in seeds:
        true = simulate(persons, items, seed)
        began = process_time()
        found = calibrate(Responses.of(true["rows"]))
        seconds = process_time() - began
        assert found.converged, found.why
        ours.append([seconds, *errors(found.items.a, found.items.b, true)])
        other = peer(python, "girth", {"rows": true["rows"]})
        theirs.append([float(other["seconds"]), *errors(other["a"], other["b"], true)])
    print(
        f"\n2PL calibration, {persons:,} x {items}, mean of {len(seeds)} tables (burnin: with standard errors)"
    )
    print("                      CPU s   RMSE a   RMSE b   bias a")
    for name, rows in (("burnin", ours), ("girth twopl_mml", theirs)):
        s, a, b, bias = np.mean(rows, axis=0)
        print(f"  {name:<18} {s:>8.3f}  {a:.4f}   {b:.4f}  {bias:+.4f}")
    ratio = np.mean(theirs, axis=0)[0] / np.mean(ours, axis=0)[0]
    print(f"  CPU ratio {ratio:.0f}")


def adaptive(python: Path, *, guessing: bool, persons: int, seed: int) -> None:
    """Tests to a standard error under 0.3 from 500 items: a ~ N(1.2, 0.25), b ~ N(0, 1), c ~ N(0.25, 0.02)."""
    chance = np.random.default_rng(seed)
    k = 500
    a = np.maximum(chance.normal(1.2, 0.25, k), 0.2)
    b = chance.normal(size=k)
    c = chance.normal(0.25, 0.02, k) if guessing else np.zeros(k)
    theta = chance.normal(size=persons)
    p = c + (1 - c) / (1 + np.exp(-a * (theta[:, None] - b)))
    right = chance.random((persons, k)) < p
    domain = chance.choice(len(SHARES), k, p=SHARES)

    rows = []
    for name, pool in (
        ("burnin, balanced", Pool.of(Items.of(a, b, c), domain, SHARES)),
        ("burnin, free", Pool.of(Items.of(a, b, c))),
    ):
        pool.choose(pool.begin())  # tables are made once for a bank, not for each decision
        lengths, found, off = [], [], []
        began = process_time()
        for person in range(persons):
            belief = pool.begin()
            while belief.se >= 0.3:
                item = pool.choose(belief)
                if item is None:
                    break
                belief = pool.answered(belief, item, right=bool(right[person, item]))
            lengths.append(len(belief.asked))
            found.append(belief.theta)
            if len(pool.share) > 1:
                off.append(np.abs(np.asarray(belief.per_domain) - np.asarray(SHARES) * lengths[-1]).max())
        seconds = process_time() - began
        rows.append((name, seconds / sum(lengths), lengths, found, off))
    other = peer(python, "catsim", {"a": a, "b": b, "c": c, "right": right})
    lengths = other["lengths"].tolist()
    rows.append(
        ("catsim MaxInfo", float(other["seconds"]) / sum(lengths), lengths, other["thetas"].tolist(), [])
    )
    print(f"\nAdaptive, {'3PL' if guessing else '2PL'}, 500 items, {persons} people, to SE < 0.3")
    print("                     us/decision   items   RMSE theta   most off share (items)")
    for name, each, lengths, found, off in rows:
        rmse = float(np.sqrt(np.mean((np.clip(found, -8, 8) - theta) ** 2)))
        balance = f"{max(off):.1f}" if off else "-"
        print(f"  {name:<18} {each * 1e6:>12.1f}  {np.mean(lengths):>6.1f}   {rmse:>10.3f}   {balance}")
    print(f"  CPU ratio, balanced {rows[2][1] / rows[0][1]:.0f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--quick", action="store_true", help="without the 20,000 x 200 table")
    arguments.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "burnin-bench-irt")
    arguments.add_argument("--seed", type=int, default=20)
    chosen = arguments.parse_args()
    python = environment(chosen.venv)
    adaptive(python, guessing=False, persons=200, seed=chosen.seed)
    adaptive(python, guessing=True, persons=200, seed=chosen.seed + 1)
    calibration(python, 2_000, 200, range(chosen.seed, chosen.seed + 5))
    if not chosen.quick:
        calibration(python, 20_000, 200, range(chosen.seed, chosen.seed + 1))


if __name__ == "__main__":
    main()
