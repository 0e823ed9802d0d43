"""Check content folders; every fault with file, line and field."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from burnin.app.errors import BadRequest
from burnin.catalog import Problem, load
from burnin.catalog.compiling import compile_folder
from burnin.catalog.loading import BUILT_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """How many items stand, and what was left out."""

    items: int
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


def check(folder: Path | None, home: Path) -> Checked:
    """Check one content folder, or the built-in content and the one in ``home``.

    Raises BadRequest when the folder is not there.
    """
    if folder is None:
        catalog = load(home)
        return Checked(items=len(catalog.items), problems=catalog.problems)
    if not folder.is_dir():
        raise BadRequest(f"no folder {str(folder)!r}")
    bundle, problems = compile_folder(BUILT_IN)
    if folder.resolve() != BUILT_IN.resolve():
        bundle, problems = compile_folder(folder, known=bundle)
    return Checked(items=len(bundle.items), problems=tuple(problems))
