"""Own items: a file to start from, and what an item looks like and gives away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from burnin.app.errors import BadRequest
from burnin.app.inspect.items import blueprint_of, shown
from burnin.bank.habits import habits
from burnin.catalog import Catalog, Problem, file_of, read_item_file
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
  - {{source: todo-source, locator: TODO section}}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Items as they would be asked, each with what its author should look at again.

    ``catalog`` is the content they stand in; ``problems`` say what keeps items out of it.
    """

    catalog: Catalog
    items: tuple[tuple[Item, tuple[str, ...]], ...]
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        """Whether there is nothing to mend and nothing to look at again."""
        return not self.problems and not any(found for _, found in self.items)


def preview(catalog: Catalog, home: Path, target: str) -> Preview:
    """Look at an item by id, or at all items of a file; an unfinished one of one's own by its id too.

    ``BadRequest`` where there is no such item and no such file.
    """
    path = Path(target) if target.endswith((".yaml", ".yml")) else None
    if path is None and target not in catalog.items:
        path = file_of(target, home / "content")
    if path is None:
        item = shown(catalog, target).item
        return Preview(catalog=catalog, items=((item, tuple(habits_of(catalog, item))),), problems=())
    try:
        read = read_item_file(path, catalog)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    return Preview(
        catalog=read.catalog,
        items=tuple((item, tuple(habits_of(read.catalog, item))) for item in read.items),
        problems=read.problems,
    )


def habits_of(catalog: Catalog, item: Item) -> list[str]:
    """Return what the item's form gives away, and what it shares with the bank."""
    return habits(item, list(catalog.items.values()))
