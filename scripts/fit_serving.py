"""Fit the serving model to published rows and write the calibrations as data.

    python scripts/fit_serving.py AS_OF ROWS.yaml...

Rows stay outside: only twelve coefficients a card and engine are written. The report
on rows that a fit has not seen is made by scripts/serving_accuracy.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from serving_fit import HIGH, LOW, Fitted, Point, fit_all, outward, points, predicted

from burnin.app.simulate.predicting.serving_case import every_version
from burnin.catalog import load
from burnin.systems.serving.coefficients import BOUNDS, MODEL, NAMES

OUT = Path(__file__).parents[1] / "src" / "burnin" / "content" / "hardware" / "calibrations-serving.yaml"
SOURCES = {
    "trtllm": ("doc-trtllm-perf-overview", "throughput tables of versions 0.9 to 1.2"),
    "nim": ("doc-nim-benchmark-performance", "Llama 3.3 70B on two H100"),
    "aic": ("doc-nvidia-aiconfigurator", "systems/silicon_sample.csv"),
}
HEAD = """schema: 1
# Written by scripts/fit_serving.py: twelve bounded coefficients a card and engine, see docs/accuracy.md.
# Bounds and meanings: burnin.systems.serving.coefficients. An engine ending in -* stands for all its versions.
calibrations:
"""


def entry(
    name: str,
    engine: str,
    values: np.ndarray,
    rows: list[Point],
    errors: np.ndarray,
    as_of: str,
    pooled: bool,
) -> str:
    cited = [SOURCES[key] for key in SOURCES if any(p.row.table.startswith(key) for p in rows)]
    sources = ", ".join(f'{{source: {source}, locator: "{where}"}}' for source, where in cited)
    plain = np.round(outward(values), 5)
    shown = ", ".join(
        f"{n}: {float(np.clip(float(f'{v:.4g}'), *BOUNDS[n])):.4g}" for n, v in zip(NAMES, plain, strict=True)
    )
    hit = [n for n, v, a, b in zip(NAMES, values, LOW, HIGH, strict=True) if v - a < 1e-6 or b - v < 1e-6]
    return (
        f"- id: serving-{name}\n  model: {MODEL}\n"
        + ("  pooled: true\n" if pooled else "")
        + f'  gpu: {rows[0].case.setup.gpu.id}\n  engine: "{engine}"\n'
        f"  coefficients: {{{shown}}}\n"
        f'  fitted_on: "{len(rows)} published figures"\n'
        f'  error: "mean absolute error of the fit {errors.mean():.1f} %"\n  as_of: {as_of}\n'
        f"  sources: [{sources}]\n  bounds_hit: [{', '.join(hit)}]\n"
    )


def main(as_of: str, paths: list[Path]) -> None:
    catalog = load()
    rows = points(catalog, paths)
    fitted: Fitted = fit_all(rows)
    errors = 100 * np.abs(predicted(rows, fitted, catalog) / np.array([p.published for p in rows]) - 1)

    def part(name: str, engine: str, values: np.ndarray, mine: list[bool], pooled: bool = True) -> str:
        chosen = [p for p, m in zip(rows, mine, strict=True) if m]
        return entry(name, engine, values, chosen, errors[np.array(mine)], as_of, pooled)

    parts = [HEAD, part("all", "", fitted.everything, [True] * len(rows))]
    for backend, values in fitted.backends.items():
        mine = [p.case.setup.engine.backend == backend for p in rows]
        parts.append(part(f"{backend}-all-versions", every_version(backend), values, mine))
    for name, values in fitted.engines.items():
        mine = [p.case.group[0] == name for p in rows]
        parts.append(part(f"{name.replace('.', '-')}-all-cards", name, values, mine))
    for (name, card), (values, _) in fitted.groups.items():
        mine = [p.case.group == (name, card) for p in rows]
        parts.append(part(f"{name.replace('.', '-')}-{card}", name, values, mine, pooled=False))
    OUT.write_text("".join(parts), encoding="utf-8")
    print(f"{len(fitted.groups)} cards and engines, {len(rows)} figures, mean error {errors.mean():.2f} %")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: fit_serving.py AS_OF ROWS.yaml...")
    main(sys.argv[1], [Path(argument) for argument in sys.argv[2:]])
