"""What the forms of every content file are built from."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

SLUG = r"^[a-z0-9]+(?:[-.][a-z0-9]+)*$"
NOT_EMPTY = r"\S"
DAY = r"^\d{4}-\d{2}-\d{2}$"
REFERENCE = r"^[a-z0-9-]+/[a-z0-9-]+$"
NUMBER = r"^\d+\.\d+$"
EXAM_CODE = r"^[A-Z0-9]+(?:-[A-Z0-9]+)*$"
HTTPS = r"^https://\S+$"
NAME = r"^[a-z][a-z0-9_]*$"
EXPLORER = r"^[a-z][a-z-]*(?:\?[a-z_]+=[a-z0-9.{}_-]+(?:&[a-z_]+=[a-z0-9.{}_-]+)*)?$"

Name = Annotated[str, Meta(pattern=NAME, max_length=40)]
Slug = Annotated[str, Meta(pattern=SLUG, max_length=80)]
Text = Annotated[str, Meta(pattern=NOT_EMPTY, max_length=4000)]
Line = Annotated[str, Meta(pattern=NOT_EMPTY, max_length=600)]
Day = Annotated[str, Meta(pattern=DAY)]
Reference = Annotated[str, Meta(pattern=REFERENCE)]
Explorer = Annotated[str, Meta(pattern=EXPLORER, max_length=400)]
Number = Annotated[str, Meta(pattern=NUMBER)]
ExamCode = Annotated[str, Meta(pattern=EXAM_CODE)]


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass
