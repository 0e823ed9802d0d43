"""The headers that every response carries, whoever made it."""

from __future__ import annotations

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)


_RAW = tuple(
    (name.lower().encode(), value.encode()) for name, value in (*HEADERS, ("Cache-Control", "no-store"))
)


def add(raw: list[tuple[bytes, bytes]]) -> None:
    """Add to a response's raw headers what it does not set itself."""
    present = {name for name, _ in raw}
    raw.extend(header for header in _RAW if header[0] not in present)
