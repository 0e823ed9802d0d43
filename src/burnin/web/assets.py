"""Static files, read once and served from memory under a path that names their content."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, as it is and compressed."""

    body: bytes
    packed: bytes
    media_type: str


@cache
def assets() -> dict[str, Asset]:
    """Every static file by name."""
    return {
        path.name: Asset(
            body=(body := path.read_bytes()),
            packed=gzip.compress(body, 9, mtime=0),
            media_type=TYPES[path.suffix],
        )
        for path in sorted(FOLDER.iterdir())
        if path.suffix in TYPES
    }


@cache
def version() -> str:
    """A hash of all static files; it stands in their path, so they can be cached for ever."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(name.encode() + b"\0" + asset.body)
    return digest.hexdigest()[:10]


def url(name: str) -> str:
    """The path of a static file; ``KeyError`` if there is none of that name."""
    assets()[name]
    return f"/static/{version()}/{name}"


async def serve_asset(request: Request) -> Response:
    """``GET /static/{version}/{name}``."""
    asset = assets().get(request.path_params["name"])
    if asset is None:
        raise HTTPException(404)
    current = request.path_params["version"] == version()
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if current else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.packed, media_type=asset.media_type, headers=headers)
    return Response(asset.body, media_type=asset.media_type, headers=headers)
