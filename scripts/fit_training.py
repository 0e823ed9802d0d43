"""Fit the training model to published rows and write the calibrations as data.

    python scripts/fit_training.py ROWS.yaml...

Rows stay outside: only twelve coefficients a card are written. The report on rows
that a fit has not seen is made by scripts/training_accuracy.py.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
from training_fit import NAMES, Measured, fit_all, measured, predict_seconds, ratio

from burnin.catalog import load
from burnin.systems.coefficients import MODEL

OUT = Path(__file__).parents[1] / "src" / "burnin" / "content" / "hardware" / "calibrations.yaml"
SOURCES = {
    "megatron_sc21_table1": ("arxiv-2104.04473", "table 1"),
    "megatron_sc21_table2": ("arxiv-2104.04473", "table 2"),
    "korthikanti_table5_iteration_time": ("arxiv-2205.05198", "table 5"),
    "llama3_405b_pretraining": ("arxiv-2407.21783", "table 4"),
    "megatron_core_h100_weak_scaling": ("doc-megatron-lm-readme", "weak scaling table"),
    "nemo_24_07_pretrain_h100_fp8": ("doc-nemo-performance", "24.07 pre-training"),
    "nemo_24_07_finetune_h100_fp8": ("doc-nemo-performance", "24.07 fine-tuning"),
    "megatron_bridge_perf_archive": ("doc-megatron-bridge-performance", "archive"),
    "mpt_fsdp": ("doc-mosaicml-benchmarks", "throughput tables"),
}


def entry(
    name: str,
    gpu: str,
    values: np.ndarray,
    bounds: tuple[str, ...],
    rows: list[Measured],
    as_of: str,
    error: str,
) -> str:
    counts = Counter(r.table for r in rows)
    sources = ", ".join(
        f'{{source: {SOURCES[t][0]}, locator: "{SOURCES[t][1]}"}}' for t in sorted(counts) if t in SOURCES
    )
    coefficients = ", ".join(f"{n}: {float(v):.4g}" for n, v in zip(NAMES, values, strict=True))
    return (
        f"- id: {name}\n  model: {MODEL}\n  gpu: {gpu}\n"
        f"  coefficients: {{{coefficients}}}\n"
        f'  fitted_on: "{len(rows)} published runs in {len(counts)} tables"\n'
        f'  error: "{error}"\n  as_of: {as_of}\n  sources: [{sources}]\n'
        f"  bounds_hit: [{', '.join(bounds)}]\n"
    )


def main(paths: list[str]) -> None:
    as_of, files = paths[0], [Path(p) for p in paths[1:]]
    rows = measured(load(), files)
    pooled, own = fit_all(rows)
    seconds = predict_seconds(rows, pooled, {card: values for card, (values, _) in own.items()})
    errors = 100 * np.abs(ratio(rows, seconds) - 1)
    parts = [
        "schema: 1\n# Written by scripts/fit_training.py: twelve bounded coefficients a card, see docs/accuracy.md.\n"
        "# Bounds and meanings: burnin.systems.coefficients. A card without an entry takes its architecture's, else all cards'.\n"
        "calibrations:\n"
    ]
    mean = f"mean absolute error of the fit {errors.mean():.1f} %"
    parts.append(
        entry("training-all-cards", rows[0].case.gpu.id, pooled, (), rows, as_of, mean).replace(
            "  gpu:", "  pooled: true\n  gpu:"
        )
    )
    for card, (values, bounds) in own.items():
        mine = [r for r in rows if r.case.gpu.id == card]
        share = errors[[r.case.gpu.id == card for r in rows]]
        parts.append(
            entry(
                f"training-{card}",
                card,
                values,
                bounds,
                mine,
                as_of,
                f"mean absolute error of the fit {share.mean():.1f} %",
            )
        )
    OUT.write_text("".join(parts), encoding="utf-8")
    print(f"{len(own)} cards, {len(rows)} rows, mean error {errors.mean():.2f} %: {OUT.name}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: fit_training.py AS_OF ROWS.yaml...")
    main(sys.argv[1:])
