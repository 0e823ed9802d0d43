"""One item file by itself, wherever it lies, beside all other content."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from burnin.catalog.catalogue import Catalog
from burnin.catalog.compiling import Bundle, compile_folder
from burnin.catalog.problem import Problem
from burnin.catalog.reading import files, parse
from burnin.domain.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFile:
    """The sound items of a file, the content they stand in, and what is wrong with the others."""

    catalog: Catalog
    items: tuple[Item, ...]
    problems: tuple[Problem, ...]


def read_item_file(path: Path, catalog: Catalog) -> ItemFile:
    """Read a file as if it lay in ``items/`` of a content folder of its own.

    Items that ``catalog`` holds under the same ids give way; what else lies in the content
    folder around the file (misconceptions, sources) is read with it. ``OSError`` where the
    file cannot be read.
    """
    data = path.read_bytes()
    document = parse(data, str(path))
    if isinstance(document, Problem):
        return ItemFile(catalog=catalog, items=(), problems=(document,))
    ids = set(_ids(document.value))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "items").mkdir()
        (folder / "items" / "file.yaml").write_bytes(data)
        for other in _beside(path):
            target = folder / other.relative_to(path.parent.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(other.read_bytes())
        bundle, problems = compile_folder(folder, known=_known(catalog, ids))
    return ItemFile(
        catalog=replace(
            catalog,
            items={**{k: v for k, v in catalog.items.items() if k not in ids}, **_by_id(bundle.items)},
            misconceptions={**_by_id(bundle.misconceptions), **catalog.misconceptions},
            sources={**_by_id(bundle.sources), **catalog.sources},
            exhibits={**_by_id(bundle.exhibits), **catalog.exhibits},
        ),
        items=bundle.items,
        problems=tuple(replace(p, file=str(path)) for p in problems if p.file == "items/file.yaml"),
    )


def file_of(item: str, folder: Path) -> Path | None:
    """Return the file below a content folder that names an item, sound or not."""
    for path in files(folder / "items"):
        try:
            document = parse(path.read_bytes(), path.name)
        except OSError:
            continue
        if not isinstance(document, Problem) and item in _ids(document.value):
            return path
    return None


def _ids(value: object) -> list[str]:
    entries = value.get("items") if isinstance(value, dict) else None
    if not isinstance(entries, list):
        return []
    return [str(entry.get("id")) for entry in entries if isinstance(entry, dict)]


def _beside(path: Path) -> list[Path]:
    """What items lean on, where the file lies in a folder ``items``."""
    if path.parent.name != "items":
        return []
    root = path.parent.parent
    return [
        other
        for kind in ("sources", "misconceptions", "exhibits")
        for other in files(root / kind)
        if other.is_file()
    ]


def _by_id(nouns: tuple) -> dict:  # type: ignore[type-arg]
    return {noun.id: noun for noun in nouns}


def _known(catalog: Catalog, ids: set[str]) -> Bundle:
    """The content that the file may refer to; what is read anew is taken from it, or it would stand twice."""
    return Bundle(
        stamp=catalog.version,
        revisions=catalog.revisions,
        items=tuple(item for item in catalog.items.values() if item.id not in ids),
        misconceptions=tuple(catalog.misconceptions.values()),
        sources=tuple(catalog.sources.values()),
        exhibits=tuple(catalog.exhibits.values()),
    )
