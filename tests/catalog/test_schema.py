"""The published JSON Schemas are the ones that content is checked against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from burnin.catalog.raw import json_schemas

from .content import FILES

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema"


def test_the_published_schemas_are_current() -> None:
    published = {path.name: path.read_bytes() for path in PUBLISHED.glob("*.json")}
    assert published == json_schemas(), "run: burnin bank schema --out docs/schema"


@pytest.mark.parametrize("name", sorted(FILES))
def test_another_validator_accepts_sound_content_and_refuses_an_unknown_field(name: str) -> None:
    schema = json.loads(json_schemas()[f"{name.partition('/')[0]}.schema.json"])
    value = _plain(FILES[name])
    jsonschema.Draft202012Validator(schema).validate(value)
    kind = name.partition("/")[0]
    broken = {**value, "surprise": 1} if kind != "exams" else {**value, "minutes": 0}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(broken)


def _plain(text: str) -> Any:
    """YAML with dates as text, as content files are read."""
    value = yaml.safe_load(text)

    def dates_to_text(node: object) -> object:
        if isinstance(node, dict):
            return {k: dates_to_text(v) for k, v in node.items()}
        if isinstance(node, list):
            return [dates_to_text(v) for v in node]
        return node.isoformat() if hasattr(node, "isoformat") else node

    return dates_to_text(value)
