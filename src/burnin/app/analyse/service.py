"""Analyse anybody's response table: plain data out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from burnin.app.analyse.answers import Answers
from burnin.app.analyse.tables import read
from burnin.app.errors import BadRequest
from burnin.psychometrics.ability import eap
from burnin.psychometrics.calibration import Calibration, NotIdentified, calibrate
from burnin.psychometrics.curves import Model
from burnin.psychometrics.dif import Dif, differential_functioning
from burnin.psychometrics.item_analysis import Classical, classical, distractor_curve, rest_scores
from burnin.psychometrics.key_alarm import Suspect, scored, suspects
from burnin.psychometrics.priors import three_parameter
from burnin.psychometrics.responses import Responses

Anchors = Mapping[int, tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Rows:
    """The scored table as it came, row by row, and the same collapsed to patterns."""

    plain: Responses
    patterns: Responses


def analyse(
    answers: Answers,
    model: Model = Model.TWO,
    *,
    anchors: Anchors | None = None,
    abilities: bool = False,
) -> dict[str, Any]:
    """Return item statistics, calibration, key alarm and, with groups, DIF, as plain data.

    Values that do not exist are None, and a note says why. Nothing about the table's
    content raises: a table too small for the model keeps its classical statistics.
    """
    table = scored(answers.choices, answers.keys)
    rows = Rows(Responses(table, answers.counts, np.arange(len(table))), Responses.of(table, answers.counts))
    statistics = classical(rows.patterns)
    found, why = _calibrated(rows.patterns, answers, model, anchors)
    alarms = {s.item: s for s in _alarms(answers)}
    dif = [] if answers.focal is None else differential_functioning(table, answers.focal, answers.counts)
    out: dict[str, Any] = {
        "persons": int(answers.counts.sum()),
        "model": model.value,
        "items": [
            _item(j, answers, statistics, found, alarms.get(j), dif[j] if dif else None)
            for j in range(len(answers.ids))
        ],
        "loglik": None if found is None else found.loglik,
        "converged": found is not None and found.converged,
        "why": why,
        "alpha": _number(statistics.alpha),
    }
    if found is not None:
        out.update(
            parameters=found.parameters,
            aic=found.aic,
            bic=found.bic,
            prior=found.prior,
            theta={"mean": found.latent.mean, "sd": found.latent.sd},
            quadrature_points=len(found.grid),
            cycles=found.cycles,
        )
    if answers.focal is not None:
        out["groups"] = {"reference": answers.reference_name, "focal": answers.focal_name}
    out["warnings"] = _warnings(answers, rows, table)
    if answers.keyed:
        _add_distractors(out["items"], answers, rows.plain)
    if abilities:
        out["abilities"] = _abilities(answers, rows.patterns, found)
    return out


def read_anchors(path: Path, answers: Answers) -> dict[int, tuple[float, float, float]]:
    """Read known parameters: columns item, a, b and, if there, c. Raises BadRequest."""
    table = read(path)
    place = {name: table.column(name, "--anchors") for name in ("item", "a", "b")}
    guess = next((i for i, name in enumerate(table.names) if name.casefold() == "c"), None)
    index = {name: i for i, name in enumerate(answers.ids)}
    out: dict[int, tuple[float, float, float]] = {}
    for i, row in enumerate(table.rows):
        item = row[place["item"]]
        if item not in index:
            raise BadRequest(f"{table.where(i, place['item'])}: the response table has no item {item!r}")
        if index[item] in out:
            raise BadRequest(f"{table.where(i, place['item'])}: item {item!r} stands twice")
        columns = [place["a"], place["b"], *([] if guess is None else [guess])]
        values = []
        for column in columns:
            try:
                value = float(row[column])
            except ValueError:
                value = float("nan")
            if not isfinite(value) or (column == guess and not 0.0 <= value < 1.0):
                raise BadRequest(f"{table.where(i, column)}: {row[column]!r} is no parameter")
            values.append(value)
        if values[0] == 0.0:
            raise BadRequest(f"{table.where(i, place['a'])}: an anchor needs a slope other than 0")
        out[index[item]] = (values[0], values[1], values[2] if len(values) > 2 else 0.0)
    return out


def _calibrated(
    responses: Responses, answers: Answers, model: Model, anchors: Anchors | None
) -> tuple[Calibration | None, str]:
    priors = None
    if model is Model.THREE:
        sizes = [max(len(options), 2) for options in answers.options] if answers.keyed else 5.0
        priors = three_parameter(np.asarray(sizes, dtype=np.float64) if answers.keyed else 5.0)
    try:
        found = calibrate(responses, model, priors=priors, anchors=anchors)
    except NotIdentified as error:
        return None, str(error)
    return found, found.why


def _alarms(answers: Answers) -> list[Suspect]:
    return suspects(
        answers.choices, [len(options) for options in answers.options], list(answers.keys), answers.counts
    )


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _item(
    j: int,
    answers: Answers,
    statistics: Classical,
    found: Calibration | None,
    alarm: Suspect | None,
    dif: Dif | None,
) -> dict[str, Any]:
    answered = answers.choices[:, j] >= 0
    out: dict[str, Any] = {
        "id": answers.ids[j],
        "answered": int(answers.counts[answered].sum()),
        "p": _number(statistics.p[j]),
        "item_rest_r": _number(statistics.item_rest_r[j]),
    }
    names = ("a", "b", "se_a", "se_b", "d", "se_d", "c", "se_c")
    if found is None:
        out.update(dict.fromkeys(names))
    else:
        values = (
            found.items.a,
            found.items.b,
            found.se_a,
            found.se_b,
            found.items.d,
            found.se_d,
            found.items.c,
            found.se_c,
        )
        out.update({name: _number(value[j]) for name, value in zip(names, values, strict=True)})
    out["suspect_key"] = None if alarm is None else _suspect(answers, alarm)
    if dif is not None:
        out["dif"] = {
            "delta": _number(dif.delta),
            "se": _number(dif.se),
            "chi_squared": _number(dif.chi_squared),
            "p_value": _number(dif.p_value),
            "size": dif.size,
        }
    out["note"] = _note(j, out, found)
    return out


def _note(j: int, item: dict[str, Any], found: Calibration | None) -> str | None:
    if found is not None and j in found.notes:
        return found.notes[j]
    r = item["item_rest_r"]
    if r is not None and r < 0.0:
        return "negative discrimination: those who are better on the rest do worse here"
    return None


def _suspect(answers: Answers, alarm: Suspect) -> dict[str, Any]:
    options, key = answers.options[alarm.item], answers.keys[alarm.item]
    likely = options[alarm.likely]
    if not answers.keyed:
        why = (
            f"those marked wrong do better on the other items (mean z {alarm.likely_mean:+.2f}) than those "
            f"marked right ({alarm.key_mean:+.2f}); 0/1 answers cannot tell which option is right"
        )
    else:
        stated = " or ".join(repr(options[o]) for o in sorted(key))
        chose = (
            "nobody chose it"
            if alarm.key_share == 0
            else f"{alarm.key_share:.0%} chose it, mean z {alarm.key_mean:+.2f} on the other items"
        )
        why = (
            f"{likely!r} behaves like a key ({alarm.likely_share:.0%} chose it, mean z "
            f"{alarm.likely_mean:+.2f} on the other items), the stated {stated} does not ({chose})"
        )
    return {"likely": likely, "why": why, "probability": round(alarm.probability, 4)}


def _add_distractors(items: list[dict[str, Any]], answers: Answers, plain: Responses) -> None:
    rest = rest_scores(plain)
    for j, item in enumerate(items):
        options = answers.options[j]
        curve = distractor_curve(answers.choices[:, j], len(options), rest[:, j], answers.counts)
        item["options"] = [
            {
                "id": option,
                "key": o in answers.keys[j],
                "share": _number(
                    float(answers.counts[answers.choices[:, j] == o].sum()) / max(item["answered"], 1)
                ),
                "rest_r": _number(curve.rest_r[o]),
                "by_score_group": [round(float(share), 4) for share in curve.share[:, o]],
            }
            for o, option in enumerate(options)
        ]


def _abilities(answers: Answers, responses: Responses, found: Calibration | None) -> list[dict[str, Any]]:
    if found is None or not found.usable.any():
        return []
    use = np.flatnonzero(found.usable)
    estimate = eap(responses.columns(use), found.items.take(use), found.latent)
    return [
        {"row": row, "theta": float(theta), "se": float(se)}
        for row, theta, se in zip(answers.rows, estimate.theta, estimate.se, strict=True)
    ]


def _warnings(answers: Answers, rows: Rows, table: np.ndarray[Any, np.dtype[np.int8]]) -> list[str]:
    out = []
    if answers.empty_rows:
        out.append(f"{answers.empty_rows} people without any answer are left out")
    twins: dict[bytes, str] = {}
    for j, name in enumerate(answers.ids):
        column = rows.patterns.patterns[:, j]
        if len(np.unique(column[column >= 0])) < 2:
            continue
        other = twins.setdefault(column.tobytes(), name)
        if other is not name:
            out.append(f"columns {other!r} and {name!r} are identical: the same item twice inflates slopes")
    persons = int(answers.counts.sum())
    if persons < 100:
        out.append(f"{persons} people are few for a calibration: look at the standard errors")
    answered = table >= 0
    constant = ((table == 1) | ~answered).all(axis=1) | ((table == 0) | ~answered).all(axis=1)
    share = float(answers.counts[constant].sum()) / max(persons, 1)
    if share > 0.25:
        out.append(f"{share:.0%} of the people have everything right or everything wrong")
    return out
