"""What forms and scripts send, read strictly."""

from __future__ import annotations

from hashlib import sha256
from typing import TypeVar
from urllib.parse import parse_qs

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

T = TypeVar("T")


class Posted:
    """The fields of a posted form."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def one(self, name: str, default: str = "") -> str:
        """The last value of a field, without spaces around it."""
        return self._fields.get(name, [default])[-1].strip()

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a field."""
        return tuple(self._fields.get(name, ()))

    def number(self, name: str, default: int | None = None) -> int | None:
        """A whole number; 400 if it is none, ``default`` if the field is missing or empty."""
        text = self.one(name)
        if not text:
            return default
        try:
            return int(text)
        except ValueError:
            raise HTTPException(400, f"“{text[:40]}” is not a whole number.") from None


async def form(request: Request) -> Posted:
    """Read a url-encoded form; 400 if it is something else."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and kind != "application/x-www-form-urlencoded":
        raise HTTPException(400, "This address takes a plain form.")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=200, errors="strict")
    except ValueError:
        raise HTTPException(400) from None
    return Posted(fields)


async def json(request: Request, form_of: type[T]) -> T:
    """Read a JSON body into a struct; 400 names the field that does not fit."""
    try:
        return msgspec.json.decode(await request.body(), type=form_of)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(400, f"The request does not have the right form: {error}.") from None


def event_id(nonce: str, *payload: str) -> str:
    """The id of a form's event: the same form sent twice is one event, another content another."""
    digest = sha256("\0".join(payload).encode()).hexdigest()[:16]
    return f"{nonce[:40]}-{digest}"
