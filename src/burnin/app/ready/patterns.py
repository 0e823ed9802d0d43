"""The ways in which candidates fail, as checks on a learner's own history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burnin.app.ready.views import Pattern
from burnin.domain.blueprint import Blueprint
from burnin.learner.lights import Light
from burnin.learner.weighing import Weighed

FEWEST = 20
"""Answers below which nothing is said."""

HALF = 0.5
SHORT = 0.15
"""How far practice on scenarios may fall behind practice on facts, as a share right."""


def patterns(
    blueprint: Blueprint,
    answers: Sequence[Weighed],
    objectives: Mapping[str, Light],
    *,
    scenario: Mapping[str, bool],
    early: bool | None,
) -> tuple[Pattern, ...]:
    """Return each failure pattern of the exam, seen or not; None where too little is answered to tell.

    The blueprint's facts list them under ``failure_checks``: a name, and one of the checks
    ``neglects`` (domains answered less than half as often as their weight asks), ``weak``
    (objectives red, or not answered at all), ``recall-only`` (scenarios far behind facts)
    and ``early`` (a date booked before the rule to book is met).
    """
    found = []
    for entry in blueprint.facts.get("failure_checks", ()):
        seen, why = _check(entry, blueprint, answers, objectives, scenario, early)
        found.append(Pattern(name=str(entry["name"]), seen=seen, why=why))
    return tuple(found)


def _check(
    entry: Mapping[str, Any],
    blueprint: Blueprint,
    answers: Sequence[Weighed],
    objectives: Mapping[str, Light],
    scenario: Mapping[str, bool],
    early: bool | None,
) -> tuple[bool | None, str]:
    kind = entry["check"]
    if kind == "early":
        if early is None:
            return None, "No exam date is set."
        return (
            early,
            "The exam date lies before the rule to book is met." if early else "Not before the rule is met.",
        )
    if len(answers) < FEWEST:
        return None, f"Told after {FEWEST} answers; there are {len(answers)}."
    if kind == "neglects":
        return _neglects(entry, blueprint, answers)
    if kind == "recall-only":
        return _recall_only(answers, scenario)
    weak = [name for name in entry["objectives"] if objectives[name].colour in ("none", "red")]
    if weak:
        words = ", ".join(name.partition("/")[2].replace("-", " ") for name in weak)
        return True, f"Red or not answered: {words}."
    return False, "None of its objectives is red."


def _neglects(entry: Mapping[str, Any], blueprint: Blueprint, answers: Sequence[Weighed]) -> tuple[bool, str]:
    total = sum(domain.weight for domain in blueprint.domains)
    due = sum(blueprint.domain(name).weight for name in entry["domains"]) / total
    got = sum(answer.evidence.domain in entry["domains"] for answer in answers) / len(answers)
    why = f"{got:.0%} of your answers lie in {', '.join(entry['domains'])}; the exam gives them {due:.0%}."
    return got < HALF * due, why


def _recall_only(answers: Sequence[Weighed], scenario: Mapping[str, bool]) -> tuple[bool | None, str]:
    shares = []
    for wanted in (True, False):
        mine = [a for a in answers if scenario.get(a.evidence.subject) is wanted]
        if len(mine) < FEWEST / 2:
            return None, "Told after ten scenarios and ten questions on facts."
        shares.append(sum(a.evidence.right for a in mine) / len(mine))
    why = f"{shares[0]:.0%} of scenarios right, {shares[1]:.0%} of questions on facts."
    return shares[1] - shares[0] > SHORT, why
