"""Facts of a blueprint file in words, whatever keys it has. Nothing here knows an exam."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

_UNITS = {
    "_hours": ("", " hours"),
    "_days": ("", " days"),
    "_months": ("", " months"),
    "_years": ("", " years"),
    "_weeks": ("", " weeks"),
    "_minutes": ("", " minutes"),
    "_percent": ("", "\u00a0%"),
    "_usd": ("US$", ""),
}


class Known(dict[str, Any]):
    """A mapping for templates: what a file does not say is None."""

    def __missing__(self, key: str) -> None:
        return None


def known(value: Any) -> Any:
    """The same value with every mapping in it made lenient."""
    if isinstance(value, Mapping):
        return Known((str(key), known(inner)) for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return [known(inner) for inner in value]
    return value


def pairs(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A label and a text for each fact; a unit at a key's end moves to its value."""
    found: list[tuple[str, str]] = []
    for key, value in facts.items():
        # A comma in a flow mapping of YAML cuts a sentence in two; the second half is a key without value.
        if value is None and found:
            label, text = found[-1]
            found[-1] = (label, f"{text}, {key}")
            continue
        name = str(key)
        before, after = "", ""
        for suffix, unit in _UNITS.items():
            if name.endswith(suffix) and name != suffix[1:] and _numeric(value):
                name, (before, after) = name.removesuffix(suffix), unit
        found.append((humanise(name), f"{before}{say(value, before)}{after}" if value is not None else ""))
    return found


def humanise(key: str) -> str:
    """Write a key as a label; what has capitals is a name and stays as it is."""
    if key != key.lower():
        return key
    words = re.sub(r"[_-]+", " ", key).strip()
    return words[:1].upper() + words[1:]


def sentence(text: Any) -> str:
    """Begin a phrase with a capital, unless its first word is a name that begins without one."""
    line = say(text)
    first = line.partition(" ")[0].rstrip(",;:")
    return line[:1].upper() + line[1:] if re.fullmatch(r"[a-z/-]+", first) else line


def without(facts: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The facts that have no place of their own."""
    return {key: value for key, value in facts.items() if key not in keys}


def say(value: Any, before: str = "") -> str:
    """Write any value as one line of text. Two numbers are a range."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{label}: {text}" if text else label for label, text in pairs(value))
    if isinstance(value, (list, tuple)):
        if len(value) == 2 and all(_numeric(part) for part in value):
            return f"{say(value[0])} to {before}{say(value[1])}"
        return ", ".join(say(part) for part in value)
    if isinstance(value, (int, float)):
        return f"{value:,}"
    return str(value)


def _numeric(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) == 2 and all(_numeric(part) for part in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)
