"""Own items: a file to start from, and what an item looks like and gives away."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from burnin.app.errors import BadRequest
from burnin.app.inspect.items import blueprint_of
from burnin.bank.habits import habits
from burnin.catalog import Catalog
from burnin.domain.item import Item


def starter(catalog: Catalog, item_id: str, code: str, objective: str, today: date) -> str:
    """Return the text of an item file with everything an item needs, told in comments.

    Raises UnknownExam, or BadRequest for an objective that is not there, naming those there are.
    """
    blueprint = blueprint_of(catalog, code)
    if not re.fullmatch(r"[a-z0-9]+(?:[-.][a-z0-9]+)*", item_id):
        raise BadRequest(
            f"{item_id!r} is no id: lower-case words joined by hyphens, such as own-zero-traffic"
        )
    if item_id in catalog.items:
        raise BadRequest(f"an item {item_id!r} exists already")
    domain_id, _, name = objective.partition("/")
    domain = next((d for d in blueprint.domains if d.id == domain_id), None)
    if domain is None or name not in domain.objectives:
        known = domain.objectives if domain else [d.id for d in blueprint.domains]
        what = f"domain {domain_id} has" if domain else f"{blueprint.code} has no domain {domain_id!r};"
        raise BadRequest(
            f"{what} {'objectives ' if domain else ''}{', '.join(known)}; write domain/objective"
        )
    focus = ", ".join(f"{domain.id}/{key}" for key in domain.focus)
    official = "\n".join(f"#   {line.number} {line.text}" for line in domain.official)
    traps = ", ".join(domain.traps) or "none"
    options = "".join(_option(number) for number in range(4))
    return f"""\
# An item of your own. Fill in what says TODO. `burnin bank check` names what is missing;
# `burnin bank preview {item_id}` shows the item as a sitting does, and what its form gives away.
# The standard: docs/authoring.md.
schema: 1
items:
- id: {item_id}
  version: 1                # raise it when stem, options or key change
  exam: {blueprint.code}
  objective: {objective}    # {domain.objectives[name]}
  focus: []                 # any of: {focus}
  # official: one of
{official}
  official: "{domain.official[0].number}"
  choose: 1                 # 2 takes five options, two of them right
  scenario: true            # a situation with a constraint that decides the key
  steps: 2                  # inferences that the key needs
  difficulty: 3             # 1 recall to 5 few pass
  seconds: 100
  stem: |
    TODO: a system with numbers, a limit, and one thing to decide.
  options:
{options}  sources:
  # an id of content/sources/*.yaml, or of a sources/*.yaml beside this folder
  - {{source: TODO, locator: TODO section}}
  as_of: {today.isoformat()}
# traps of this domain, as misconception ids: {traps}
"""


def _option(number: int) -> str:
    if number == 0:
        return """\
  - id: right
    text: "TODO the right option"
    correct: true
    reason: "TODO why, with the number or mechanism."
"""
    more = "    flip: 'TODO under what changed facts this would be right.'\n" if number == 1 else ""
    return f"""\
  - id: wrong-{number}
    text: "TODO what somebody with a mistake would choose ({number})"
    reason: "TODO which mistake leads here, and what is true."
{more}"""


def new_file(folder: Path, item_id: str, text: str) -> Path:
    """Write a starter file; BadRequest where one is there already or the folder cannot be written."""
    path = folder / f"{item_id}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadRequest(f"{path} exists already; nothing was changed") from None
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error
    return path


def habits_of(catalog: Catalog, item: Item) -> list[str]:
    """Return what the item's form gives away, and what it shares with the bank."""
    return habits(item, list(catalog.items.values()))
