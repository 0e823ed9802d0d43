"""Write docs/accuracy.md: errors on rows that a fit has not seen, beside two baselines.

    python scripts/training_accuracy.py ROWS.yaml...

Three splits: five random folds, one model left out at a time, one card left out at
a time. A card left out is predicted with coefficients pooled over all other cards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from nearest import most_alike
from training_fit import DEFAULT, NAMES, Measured, fit_all, measured, predict_seconds, ratio

from burnin.app.simulate.predicting import predict
from burnin.app.simulate.predicting.training_case import prepare
from burnin.catalog import load
from burnin.systems.coefficients import BOUNDS, Coefficients
from burnin.systems.machine import speeds
from burnin.systems.precision import RECIPES
from burnin.systems.step import step_times

OUT = Path(__file__).parents[1] / "docs" / "accuracy.md"
FOLDS = 5
AIMS = {
    "megatron_sc21_table1": 5,
    "megatron_sc21_table2": 5,
    "megatron_core_h100_weak_scaling": 8,
    "korthikanti_table5_iteration_time": 5,
    "nemo_24_07_pretrain_h100_fp8": 12,
    "nemo_24_07_finetune_h100_fp8": 12,
    "megatron_bridge_perf_archive": 12,
    "mpt_fsdp": 12,
}
Predictor = Callable[[list[Measured], list[Measured]], np.ndarray]


def by_model(rows: list[Measured], train: list[Measured]) -> np.ndarray:
    """The training model, fitted on ``train``."""
    pooled, own = fit_all(train)
    return predict_seconds(rows, pooled, {card: values for card, (values, _) in own.items()})


def ideal_seconds(rows: list[Measured]) -> np.ndarray:
    """Hardware operations over the peak of all ranks: what an efficiency divides."""
    found = []
    for row in rows:
        first = type(row.case)(**{**_fields(row.case), "plans": row.case.plans[:1]})
        ready = prepare([first])
        times = step_times(ready.counts, ready.batch, speeds(ready.rates, Coefficients()))
        plan = first.plans[0]
        found.append(float(times.hardware_flops[0]) / (float(ready.rates.peak[0]) * plan.ranks))
    return np.array(found)


def _fields(case: object) -> dict[str, object]:
    return {name: getattr(case, name) for name in case.__dataclass_fields__}  # type: ignore[attr-defined]


def by_efficiency(rows: list[Measured], train: list[Measured]) -> np.ndarray:
    """One efficiency a table: the median of what its training rows reach; all tables' where it has none."""
    reached = ideal_seconds(train) / np.array([r.seconds for r in train])
    tables = np.array([r.table for r in train])
    each = [
        float(np.median(reached[tables == r.table]))
        if (tables == r.table).any()
        else float(np.median(reached))
        for r in rows
    ]
    return ideal_seconds(rows) / np.array(each)


def features(row: Measured) -> list[float]:
    case, plan = row.case, row.case.plans[0]
    model = case.model
    active = model.experts.active if model.experts else 0
    return [
        np.log(model.hidden * model.layers),
        np.log(model.hidden),
        active,
        np.log(plan.ranks),
        np.log(plan.sequence),
        np.log(plan.micro_batch * plan.sequence),
        np.log(plan.global_batch),
        np.log(plan.tensor),
        np.log(plan.pipeline),
        np.log(plan.expert),
        np.log(plan.interleave),
        2.0 * (plan.recompute == "full"),
        2.0 * sorted(RECIPES).index(plan.precision),
        2.0 * np.log(case.gpu.dense_tflops["bf16"]),
        np.log(case.gpu.memory_gb),
    ]


def by_nearest(rows: list[Measured], train: list[Measured]) -> np.ndarray:
    """The efficiency of the most similar row, of the same table where there is one."""
    reached = ideal_seconds(train) / np.array([r.seconds for r in train])
    return ideal_seconds(rows) / reached[most_alike(rows, train, features, (lambda r: r.table,))]


PREDICTORS: dict[str, Predictor] = {
    "burnin": by_model,
    "one efficiency a table": by_efficiency,
    "nearest neighbour": by_nearest,
}


def splits(rows: list[Measured], kind: str) -> Iterator[np.ndarray]:
    """Yield which rows are held out."""
    if kind == "folds":
        fold = np.random.default_rng(2026).permutation(len(rows)) % FOLDS
        for number in range(FOLDS):
            yield fold == number
        return
    names = [_model(r) if kind == "model" else r.case.gpu.id for r in rows]
    for name in dict.fromkeys(names):
        yield np.array([n == name for n in names])


def _model(row: Measured) -> str:
    model = row.case.model
    return f"{model.hidden}x{model.layers}x{bool(model.experts)}"


def held_out(rows: list[Measured], kind: str, predictor: Predictor) -> np.ndarray:
    seconds = np.empty(len(rows))
    for out in splits(rows, kind):
        train = [r for r, o in zip(rows, out, strict=True) if not o]
        test = [r for r, o in zip(rows, out, strict=True) if o]
        seconds[out] = predictor(test, train)
    return 100 * np.abs(ratio(rows, seconds) - 1)


def table(rows: list[Measured], kind: str) -> str:
    keys = [(r.table, r.case.kind) for r in rows]
    errors = {name: held_out(rows, kind, predictor) for name, predictor in PREDICTORS.items()}
    lines = [
        f"| table | class | rows | {' | '.join(PREDICTORS)} | aim |",
        f"|---|---|---:|{'---:|' * len(PREDICTORS)}---:|",
    ]
    for key in dict.fromkeys(keys):
        mine = np.array([k == key for k in keys])
        cells = []
        for name in PREDICTORS:
            value = errors[name][mine]
            cells.append(f"{np.mean(value):.1f}" if not np.isnan(value).any() else "does not fit")
        lines.append(f"| {key[0]} | {key[1]} | {mine.sum()} | {' | '.join(cells)} | {AIMS.get(key[0], '')} |")
    cells = [f"{np.nanmean(errors[name]):.1f}" for name in PREDICTORS]
    lines.append(f"| all rows | | {len(rows)} | {' | '.join(cells)} | |")
    return "\n".join(lines)


def memory_table(paths: list[Path]) -> str:
    found = predict(load(), paths)
    keys = [k for k in found["mape_percent"] if k.startswith(("zero_", "korthikanti_fig"))]
    lines = ["| table / metric | mean error % |", "|---|---:|"]
    lines += [f"| {k.rpartition('/')[0]} | {found['mape_percent'][k]:.3f} |" for k in keys]
    return "\n".join(lines)


def coefficient_table(rows: list[Measured]) -> str:
    _, own = fit_all(rows)
    lines = [
        f"| coefficient | bounds | default | {' | '.join(own)} |",
        f"|---|---|---:|{'---:|' * len(own)}",
    ]
    for i, name in enumerate(NAMES):
        low, high = BOUNDS[name]
        cells = [f"{values[i]:.3g}{' (bound)' if name in bounds else ''}" for values, bounds in own.values()]
        lines.append(f"| {name} | {low:g} to {high:g} | {DEFAULT[i]:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(paths: list[Path]) -> None:
    rows = measured(load(), paths)
    text = TEMPLATE.format(
        rows=len(rows),
        folds=table(rows, "folds"),
        models=table(rows, "model"),
        cards=table(rows, "gpu"),
        memory=memory_table(paths),
        coefficients=coefficient_table(rows),
    )
    # What scripts/serving_accuracy.py wrote stays.
    _, mark, serving = OUT.read_text(encoding="utf-8").partition("# Accuracy of the serving model\n")
    OUT.write_text(f"{text}\n{mark}{serving}" if mark else text, encoding="utf-8")
    print(OUT)


TEMPLATE = """# Accuracy of the training model

Written by `scripts/training_accuracy.py` from {rows} published runs (`burnin sim predict ROWS.yaml` compares any others). Figures are mean absolute percentage errors of the published metric. No run is in the package: it carries twelve bounded coefficients a card (`content/hardware/calibrations.yaml`), fitted on all rows by `scripts/fit_training.py`; every error below is of a fit that did not see the row.

Two baselines see the same training rows. *One efficiency a table* is the median share of the peak that hardware operations (recomputation counted) reach in the table. *Nearest neighbour* takes that share from the most similar training row of the table.

## Five random folds

{folds}

## One model left out at a time

{models}

## One card left out at a time

The left-out card is predicted from its data sheet with coefficients pooled over all other cards.

{cards}

## Memory

Formulas, nothing fitted.

{memory}

Figure 7 of the activation paper is read off its picture as percentages with two decimals; the paper's own formula gives what stands here. Figure 1 and ZeRO's table are met to the digits that are printed.

## Coefficients

{coefficients}

Meanings: `burnin.systems.coefficients`. A coefficient that no row of a card speaks about stays at the value pooled over all cards.

## What the model does not see

- Mixtures of experts in Megatron Bridge miss their aim. The same configuration differs between releases by a factor of up to two (recipes change kernels, overlap and CUDA graphs that the rows do not state), and expert kernels reach quite different shares of the peak in different models; one coefficient a card for all of them cannot follow that.
- The splits hold rows out of the fit, not out of the model's design: constants such as the passes over experts' inner width, and the reading of early ZeRO-3 runs, were chosen with all rows in sight.
- Early ZeRO-3 runs are modelled as collectives on one network port a node, which is what their figures imply.
- Runs whose recomputation is not stated are taken without it, or, where the whole plan is open, as the fastest plan that fits.
"""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: training_accuracy.py ROWS.yaml...")
    main([Path(argument) for argument in sys.argv[1:]])
