"""The sweep of training plans beside llm-analysis, on the same model and card in the same run.

    python -m benchmarks.systems

The peer is installed into an environment of its own below the temporary folder. CPU
seconds are of one thread, around the calls alone. The ratio is burnin / peer in plans
a second; both evaluate memory and step time of every plan.
"""

from __future__ import annotations

import os

_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
os.environ.update(_ONE_THREAD)

import argparse  # noqa: E402
import json  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402
from time import process_time  # noqa: E402

import numpy as np  # noqa: E402

from burnin.app.simulate.predicting.training_case import fitted  # noqa: E402
from burnin.catalog import load  # noqa: E402
from burnin.systems.plan import Plan  # noqa: E402
from burnin.systems.sweep import PlanSpace, plan_space, sweep  # noqa: E402
from burnin.systems.training import train_step  # noqa: E402

PEER = "llm-analysis==0.2.2"
JOBS = (
    ("llama-3.1-70b", "dgx-h100", 1024, Plan(global_batch=4096, sequence=8192, precision="fp8")),
    ("deepseek-v3", "gb200-nvl72", 1024, Plan(global_batch=4096, sequence=4096, precision="mxfp8")),
)


def environment(folder: Path) -> Path:
    """Return the interpreter of the peer's environment; make it where there is none."""
    python = folder / "bin" / "python"
    marker = folder / "peer.txt"
    if not marker.exists() or marker.read_text() != PEER:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", PEER], check=True)
        marker.write_text(PEER)
    return python


def repeated(space: PlanSpace, least: int) -> PlanSpace:
    """Return the space often enough one after the other for ``least`` plans."""
    times = 1 + least // len(space)
    return PlanSpace(base=space.base, columns={k: np.tile(v, times) for k, v in space.columns.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=1_000_000)
    parser.add_argument("--peer-env", type=Path, default=Path(tempfile.gettempdir()) / "burnin-peers-systems")
    arguments = parser.parse_args()
    catalog = load()
    rates = {}
    for name, where, ranks, base in JOBS:
        model, cluster = catalog.models[name], catalog.clusters[where]
        gpu = catalog.gpus[cluster.gpu]
        coefficients = fitted(catalog, gpu)
        space = plan_space(model, ranks, base)
        many = repeated(space, arguments.plans)
        sweep(model, gpu, cluster, space, coefficients)
        began = process_time()
        found = sweep(model, gpu, cluster, many, coefficients)
        rates[name] = len(many) / (process_time() - began)
        print(
            f"{name}: {len(space):,} different plans, {int(found.fits[: len(space)].sum()):,} fit; {rates[name]:,.0f} plans/s"
        )
    name, where, _, _ = JOBS[0]
    model, cluster = catalog.models[name], catalog.clusters[where]
    gpu = catalog.gpus[cluster.gpu]
    plan = Plan(tensor=8, pipeline=4, data=4, global_batch=256)
    began = process_time()
    for _ in range(200):
        train_step(model, gpu, cluster, plan, fitted(catalog, gpu))
    print(f"scalar function with the why: {200 / (process_time() - began):,.0f} plans/s")
    script = Path(__file__).with_name("systems_peer.py")
    out = subprocess.run(
        [str(environment(arguments.peer_env)), str(script)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **_ONE_THREAD},
    )
    peer = json.loads(out.stdout.strip().splitlines()[-1])["plans_s"]
    print(f"{PEER}: {peer:,.0f} plans/s; ratio {rates[JOBS[0][0]] / peer:,.0f}")


if __name__ == "__main__":
    main()
