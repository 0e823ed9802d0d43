"""The built-in exams' failure patterns on histories that show them and histories that do not."""

from __future__ import annotations

from dataclasses import replace

from burnin.app.ready.patterns import patterns
from burnin.catalog import load
from burnin.learner.lights import by_objective, lights
from burnin.learner.weighing import weighed
from tests.learner.answers import NOW, answer

CATALOG = load()
GENL = CATALOG.blueprints["NCP-GENL"]


def judged(entries, *, early=None, scenario=None):
    answers = weighed(entries, NOW)
    keys = [f"{d.id}/{name}" for d in GENL.domains for name in d.objectives]
    found = patterns(GENL, answers, lights(answers, keys, by_objective), scenario=scenario or {}, early=early)
    return {p.name: p for p in found}


def even(right=True):
    return [
        answer(
            100 * row + k,
            domain=domain.id,
            objective=f"{domain.id}/{list(domain.objectives)[k % len(domain.objectives)]}",
            right=right,
        )
        for row, domain in enumerate(GENL.domains)
        for k in range(domain.weight)
    ]


def test_every_built_in_pattern_names_domains_and_objectives_that_exist() -> None:
    for blueprint in CATALOG.blueprints.values():
        checks = blueprint.facts["failure_checks"]
        assert len(checks) == 5
        domains = {d.id: d for d in blueprint.domains}
        for entry in checks:
            assert entry["check"] in {"neglects", "weak", "recall-only", "early"}
            assert set(entry.get("domains", ())) <= set(domains)
            for reference in entry.get("objectives", ()):
                domain, _, name = reference.partition("/")
                assert name in domains[domain].objectives


def test_an_even_history_shows_none_of_them() -> None:
    found = judged(even(), early=False)
    assert [name for name, p in found.items() if p.seen] == []


def test_training_only_study_is_seen() -> None:
    training = [e for e in even() if e.domain in ("fine-tuning", "gpu-acceleration", "llm-architecture")]
    assert judged(training)["training-only study"].seen is True


def test_weak_parallelism_is_seen() -> None:
    mixed = [replace(e, right=e.domain != "gpu-acceleration") for e in even()]
    found = judged(mixed)
    assert found["parallelism underestimated"].seen is True
    assert "zero memory" in found["parallelism underestimated"].why


def test_names_without_use_take_ten_of_each_kind() -> None:
    entries = even()
    scenario = {e.subject: k % 2 == 0 for k, e in enumerate(entries)}
    wrong_scenarios = [replace(e, right=not scenario[e.subject]) for e in entries]
    name = "tool names known but tools never used"
    assert judged(wrong_scenarios, scenario=scenario)[name].seen is True
    assert judged(entries, scenario=scenario)[name].seen is False
    assert judged(entries)[name].seen is None


def test_little_history_says_nothing_and_an_early_date_does() -> None:
    found = judged(even()[:5], early=True)
    assert found["sat too early"].seen is True
    assert {p.seen for name, p in found.items() if name != "sat too early"} == {None}
