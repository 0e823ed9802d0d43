"""Write the serving part of docs/accuracy.md: errors on rows that a fit has not seen, beside two baselines.

    python scripts/serving_accuracy.py ROWS.yaml...

Three splits: five random folds, one model left out at a time, one card left out at a
time. What is left out is predicted from what is shared with the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from nearest import most_alike
from serving_fit import Point, fit_all, points, predicted

from burnin.app.simulate.predicting.serving_case import prepare_serving
from burnin.catalog import Catalog, load
from burnin.systems.serving.coefficients import NAMES, ServingCoefficients

OUT = Path(__file__).parents[1] / "docs" / "accuracy.md"
MARK = "# Accuracy of the serving model\n"
FOLDS = 5
ROOF = ServingCoefficients(
    gemm=1.0,
    narrow=1.0,
    attention=1.0,
    weights=1.0,
    kv=1.0,
    grouped=1.0,
    link=1.0,
    collective_us=0.0,
    launch_us=0.0,
    request_us=0.0,
    first_ms=0.0,
    lockstep=0.5,
)
Predictor = Callable[[list[Point], list[Point], Catalog], np.ndarray]


def aim(key: tuple[str, str, str]) -> str:
    table, metric, kind = key
    if "max_throughput" in table:
        return "15"
    if metric == "ttft_ms":
        return "30"
    return {"dense": "12", "moe": "20"}[kind] if metric in {"tpot_ms", "itl_ms"} else ""


def by_model(rows: list[Point], train: list[Point], catalog: Catalog) -> np.ndarray:
    return predicted(rows, fit_all(train), catalog)


def at_roof(rows: list[Point]) -> np.ndarray:
    """What the data sheet alone would allow: every share 1, no latency."""
    found = prepare_serving([p.case for p in rows]).metrics(ROOF)
    return np.array([found[p.metric][i] for i, p in enumerate(rows)])


def _factors(rows: list[Point]) -> np.ndarray:
    return np.array([p.published for p in rows]) / at_roof(rows)


def by_efficiency(rows: list[Point], train: list[Point], catalog: Catalog) -> np.ndarray:
    """One efficiency a table and metric: the median of published over the roof's."""
    reached, keys = _factors(train), np.array(["/".join(p.key[:2]) for p in train])
    every = float(np.median(reached))
    each = {key: float(np.median(reached[keys == key])) for key in set(keys)}
    return at_roof(rows) * np.array([each.get("/".join(p.key[:2]), every) for p in rows])


def features(point: Point) -> list[float]:
    case = point.case
    setup, model = case.setup, case.setup.model
    return [
        np.log(model.hidden * model.layers),
        float(model.experts.active if model.experts else 0),
        np.log(case.prompt),
        np.log(case.output),
        np.log(case.load),
        np.log(setup.tensor),
        np.log(setup.attention_data),
        np.log(setup.expert_parallel),
        2.0 * ["bf16", "fp16", "fp8", "fp4"].index(setup.weights),
        2.0 * np.log(setup.gpu.dense_tflops["bf16"]),
        2.0 * np.log(setup.gpu.memory_gb_s),
        2.0 * ["trtllm", "vllm", "sglang", "nim"].index(setup.engine.backend),
        float(sum(map(ord, setup.engine.id)) % 17),
    ]


def by_nearest(rows: list[Point], train: list[Point], catalog: Catalog) -> np.ndarray:
    """Published over roof of the most similar row of the table and metric, where there is one."""
    alike = most_alike(rows, train, features, (lambda p: p.key[:2], lambda p: p.metric))
    return at_roof(rows) * _factors(train)[alike]


PREDICTORS: dict[str, Predictor] = {
    "burnin": by_model,
    "one efficiency a table": by_efficiency,
    "nearest neighbour": by_nearest,
}


def splits(rows: list[Point], kind: str) -> Iterator[np.ndarray]:
    """Yield which points are held out; all that were measured of one row go together."""
    if kind == "folds":
        places = list(dict.fromkeys(p.place for p in rows))
        numbers = np.random.default_rng(2026).permutation(len(places)) % FOLDS
        fold = dict(zip(places, numbers, strict=True))
        labels = [str(fold[p.place]) for p in rows]
    else:
        labels = [p.case.setup.model.id if kind == "model" else p.case.setup.gpu.id for p in rows]
    for label in dict.fromkeys(labels):
        yield np.array([one == label for one in labels])


def held_out(rows: list[Point], kind: str, predictor: Predictor, catalog: Catalog) -> np.ndarray:
    values = np.empty(len(rows))
    for out in splits(rows, kind):
        train = [p for p, o in zip(rows, out, strict=True) if not o]
        test = [p for p, o in zip(rows, out, strict=True) if o]
        values[out] = predictor(test, train, catalog)
    return 100 * np.abs(values / np.array([p.published for p in rows]) - 1)


def table(rows: list[Point], kind: str, catalog: Catalog) -> str:
    errors = {name: held_out(rows, kind, one, catalog) for name, one in PREDICTORS.items()}
    lines = [
        f"| table | metric | class | figures | burnin | its median | {' | '.join(list(PREDICTORS)[1:])} | aim |",
        f"|---|---|---|---:|---:|---:|{'---:|' * (len(PREDICTORS) - 1)}---:|",
    ]
    for key in dict.fromkeys(p.key for p in rows):
        mine = np.array([p.key == key for p in rows])
        cells = [f"{errors[name][mine].mean():.1f}" for name in PREDICTORS]
        cells.insert(1, f"{np.median(errors['burnin'][mine]):.1f}")
        lines.append(f"| {' | '.join(key)} | {mine.sum()} | {' | '.join(cells)} | {aim(key)} |")
    cells = [f"{errors[name].mean():.1f}" for name in PREDICTORS]
    cells.insert(1, f"{np.median(errors['burnin']):.1f}")
    lines.append(f"| all | | | {len(rows)} | {' | '.join(cells)} | |")
    return "\n".join(lines)


def main(paths: list[Path]) -> None:
    catalog = load()
    rows = points(catalog, paths)
    training = OUT.read_text(encoding="utf-8").partition(MARK)[0].rstrip() + "\n\n"
    text = MARK + TEMPLATE.format(
        figures=len(rows),
        rows=len({p.place for p in rows}),
        groups=len(fit_all(rows).groups),
        coefficients=len(NAMES),
        folds=table(rows, "folds", catalog),
        models=table(rows, "model", catalog),
        cards=table(rows, "gpu", catalog),
    )
    OUT.write_text(training + text, encoding="utf-8")
    print(OUT)


TEMPLATE = """
Written by `scripts/serving_accuracy.py` from {figures} published figures of {rows} runs (some rows repeat a run; they are held out together). Figures are mean absolute percentage errors. No row is in the package: it carries {coefficients} bounded coefficients for each pair of card and engine family ({groups} have enough figures for values of their own) (`content/hardware/calibrations-serving.yaml`), fitted on all rows by `scripts/fit_serving.py`; every error below is of a fit that did not see the row. A pair is pulled towards its engine family, that towards its backend, that towards all.

Two baselines see the same training rows, and start from the same roofline with every share at 1 and no latency. *One efficiency a table* multiplies it by the median of published over roof. *Nearest neighbour* takes that factor from the most similar training row.

## Serving: five random folds

{folds}

## Serving: one model left out at a time

{models}

## Serving: one card left out at a time

{cards}

## What the serving model does not see

- The concurrency table seems to join measurements of several clients, judged by its figures alone: some behave as if prompts were sent at once, some as if starts were spread. Rows without a version are a family of their own for that reason; `lockstep` and `first_ms` take up the rest. A model that no other row of its engine family serves is therefore predicted badly there.
- Four rows of gpt-oss-120b with 512 clients show tens of seconds to the first token and some five milliseconds a token after it; no batch limit that the rows state explains both, and they alone raise the mean of their metric by some points.
- Routing is taken as uniform; what real routing leaves idle or overloads is in `grouped`.
- Prefix caches and speculative decoding are taken as off, since no row states them.
- The splits hold rows out of the fit, not out of the model's design: batch limits, cache formats, how pages are reserved, and that stream and operations add up were chosen with all rows in sight. How strongly groups are pulled together and how much a long table weighs were chosen by these splits themselves, among seven settings, so their errors are a little too kind.
"""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: serving_accuracy.py ROWS.yaml...")
    main([Path(argument) for argument in sys.argv[1:]])
