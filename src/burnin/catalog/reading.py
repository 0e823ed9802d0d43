"""YAML files to validated entries, each fault with file, line and field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import yaml

from burnin.catalog.basic_forms import (
    DAY,
    EXAM_CODE,
    EXPLORER,
    HTTPS,
    NAME,
    NOT_EMPTY,
    NUMBER,
    REFERENCE,
    SLUG,
)
from burnin.catalog.problem import Problem

MAX_BYTES = 4_000_000
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Safe YAML in which dates stay text and a repeated key is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.MarkedYAMLError(
                        problem=f"key {key.value!r} stands twice", problem_mark=key.start_mark
                    )
                seen.add(key.value)
        return dict(super().construct_mapping(node, deep))


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file: its plain value and the node tree that knows the lines."""

    file: str
    value: Any
    node: yaml.Node | None

    def line(self, path: str) -> int:
        """Return the line (from 1) of ``items[3].options[1].text``, or of its nearest parent."""
        node = self.node
        line = node.start_mark.line + 1 if node is not None else 0
        for part in re.findall(r"[^.\[\]]+|\[\d+\]|\[\.\.\.\]", path):
            found = _child(node, part)
            if found is None:
                break
            line, node = found
        return line


def _child(node: yaml.Node | None, part: str) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.SequenceNode) and re.fullmatch(r"\[\d+\]", part):
        index = int(part[1:-1])
        if index < len(node.value):
            return node.value[index].start_mark.line + 1, node.value[index]
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key.start_mark.line + 1, value
    return None


def parse(raw: bytes, file: str) -> Document | Problem:
    """Parse one YAML file; a fault comes back as a Problem, never as an exception."""
    if len(raw) > MAX_BYTES:
        return Problem(
            file=file, line=0, field="", message=f"larger than {MAX_BYTES // 1_000_000} MB; split it"
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        return Problem(file=file, line=line, field="", message="not UTF-8 text")
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is not None and _has_alias(node):
            return Problem(
                file=file, line=1, field="", message="YAML anchors and aliases are not allowed; write it out"
            )
        value = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        return Problem(
            file=file, line=line, field="", message=f"not valid YAML: {error.problem or error.context}"
        )
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first = str(error).partition("\n")[0] or type(error).__name__
        return Problem(file=file, line=0, field="", message=f"not valid YAML: {first}")
    finally:
        loader.dispose()
    return Document(file, value, node)


def _has_alias(root: yaml.Node) -> bool:
    """Say whether a collection node is reached twice, which only an alias can do."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, yaml.CollectionNode):
            if id(node) in seen:
                return True
            seen.add(id(node))
            for child in node.value:
                stack.extend(child if isinstance(child, tuple) else (child,))
    return False


def convert(document: Document, value: Any, form: type[Any], prefix: str) -> Any | Problem:
    """Convert a plain value to its form, or say what is wrong and on which line."""
    try:
        return msgspec.convert(value, form, strict=True)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        field = prefix + path.rstrip("`").removeprefix("$")
        field = field.removeprefix(".")
        unknown = re.match(r"Object contains unknown field `(.+)`", message)
        if unknown:
            field = f"{field}.{unknown[1]}".removeprefix(".")
            message = "unknown field"
        missing = re.match(r"Object missing required field `(.+)`", message)
        if missing:
            field = f"{field}.{missing[1]}".removeprefix(".")
            message = "required field is missing"
        return Problem(file=document.file, line=document.line(field), field=field, message=_plain(message))


_WANTED = {
    SLUG: "must be a lower-case id such as zero-stage-3",
    NOT_EMPTY: "must not be empty",
    NAME: "must be the name of a number of the sum, such as micro_batches",
    DAY: "must be a date such as 2026-11-30",
    REFERENCE: "must read domain/id",
    NUMBER: 'must be an official number in quotes, such as "4.1"',
    HTTPS: "must be an https:// address",
    EXPLORER: "must be an explorer with its knobs, such as pipeline?stages=4&micro_batches=8",
    EXAM_CODE: "must be an exam code such as NCP-GENL",
}


def _plain(message: str) -> str:
    """Say what was wanted in words a writer knows, not as a pattern."""
    for pattern, words in _WANTED.items():
        if "regex '" + pattern.replace("\\", "\\\\") + "'" in message:
            return words
    return message[:1].lower() + message[1:]


def files(folder: Path) -> Iterator[Path]:
    """Yield what is named like a YAML file below a folder, in a fixed order; none if that is not there.

    A folder or a dangling link of such a name is among them: reading it fails, and is told.
    """
    if folder.is_dir():
        yield from sorted(p for p in folder.rglob("*") if p.suffix in {".yaml", ".yml"})
