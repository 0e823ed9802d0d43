"""A small, sound content folder to break in tests."""

from __future__ import annotations

from pathlib import Path

BLUEPRINT = """\
code: TST-ONE
revision: {as_of: 2026-01-01}
title: A test exam
level: associate
minutes: 30
questions: {min: 4, max: 6}
formats: {single: 0.75, multiple: 0.25}
price_usd: 1
domains:
- id: alpha
  weight: 60
  official:
  - "1.1 first things"
  - "1.2 second things"
  objectives:
    one: do one
    two: do two
  focus:
    sharp: a sharp point
  traps: [mistake]
- id: beta
  weight: 30
  official:
  - "2.1 other things"
  objectives:
    three: do three
"""

SOURCES = """\
schema: 1
sources:
- id: paper-one
  kind: paper
  title: A paper
  publisher: A press
  url: https://example.org/paper
  seen: 2026-01-01
"""

MISCONCEPTIONS = """\
schema: 1
misconceptions:
- id: mistake
  name: A mistake
  belief: What is believed.
  why: Why it is believed.
  remedy: What is true.
"""

EXHIBITS = """\
schema: 1
exhibits:
- id: a-table
  title: A table
  kind: table
  columns: [Name, Value]
  rows: [[a, 1], [b, 2.5]]
- id: a-chart
  title: A chart
  kind: chart
  chart: line
  x: {label: Step, values: [1, 2]}
  y: {label: Loss}
  series: [{name: train, values: [2.0, 1.0]}]
  summary: Loss falls.
"""

ITEMS = """\
schema: 1
items:
- id: first-item
  exam: TST-ONE
  objective: alpha/one
  focus: [alpha/sharp]
  official: "1.1"
  exhibit: a-table
  stem: |
    What is it?
  options:
  - id: yes-it-is
    text: It is this
    correct: true
    reason: Because it is.
  - id: mistaken
    text: It is that
    reason: It is not.
    misconception: mistake
    flip: If it were that.
  - id: other
    text: It is other
    reason: It is not other.
  - id: last
    text: It is last
    reason: It is not last.
  sources:
  - {source: paper-one, locator: section 1}
  as_of: 2026-01-01
- id: second-item
  exam: TST-ONE
  objective: beta/three
  official: "2.1"
  choose: 2
  stem: Which two?
  options:
  - {id: a, text: The a, correct: true, reason: Is so.}
  - {id: b, text: The b, correct: true, reason: Is so.}
  - {id: c, text: The c, reason: Is not so.}
  - {id: d, text: The d, reason: Is not so.}
  - {id: e, text: The e, reason: Is not so.}
  sources: [{source: paper-one, locator: table 2}]
  as_of: 2026-01-02
"""

GLOSSARY = """\
schema: 1
glossary:
- id: a-term
  term: A term
  also: [the term]
  meaning: What it means.
  confused_with: [{term: another term, difference: It is older.}]
  sources: [{source: paper-one, locator: section 2}]
"""

CONCEPTS = """\
schema: 1
concepts:
- id: asked
  exam: TST-ONE
  fact: It is this.
  objectives: [alpha/one]
  sources: [{source: paper-one, locator: section 1}]
  items: [first-item]
- id: not-asked
  exam: TST-ONE
  fact: It is also that.
  objectives: [alpha/one, beta/three]
  sources: [{source: paper-one, locator: section 3}]
"""

FILES = {
    "exams/tst-one.yaml": BLUEPRINT,
    "sources/s.yaml": SOURCES,
    "misconceptions/m.yaml": MISCONCEPTIONS,
    "exhibits/e.yaml": EXHIBITS,
    "items/i.yaml": ITEMS,
    "glossary/g.yaml": GLOSSARY,
    "concepts/c.yaml": CONCEPTS,
}


def write(folder: Path, **replacements: tuple[str, str]) -> Path:
    """Write the sound folder; ``items=("old", "new")`` replaces text in items/i.yaml once."""
    names = {name.partition("/")[0]: name for name in FILES}
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for key, (old, new) in replacements.items():
        path = folder / names[key]
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{old!r} is not in {names[key]}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def line_of(folder: Path, name: str, text: str) -> int:
    """Return the number of the first line of a file that contains ``text``."""
    for number, line in enumerate((folder / name).read_text(encoding="utf-8").splitlines(), start=1):
        if text in line:
            return number
    raise AssertionError(f"{text!r} is not in {name}")
