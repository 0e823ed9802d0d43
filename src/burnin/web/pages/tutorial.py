"""The screen before a first exam: untimed, nothing stored."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from burnin.web.render import page, services

TASKS = (
    ("choose", "Choose B with a click, with the key B, or with 2."),
    ("clear", "Clear the answer: the button, or {clear}."),
    ("strike", "Strike C out: the button beside it, or Shift+C. It stays choosable and is never scored."),
    ("flag", "Flag the question: the button, or {flag}. The grid shows a corner."),
    ("two", "In the second question choose two: a third is not taken until one is cleared."),
    ("time", "Hide the time, and bring it back: {time}. It comes back by itself in the last five minutes."),
    (
        "review",
        "Go to the review: {review}. It lists what is open, incomplete and flagged, before anything is final.",
    ),
)


async def tutorial(request: Request) -> Response:
    """``GET /tutorial``."""
    settings = await services(request).profile.get()
    letters = {action: key.upper() for action, key in settings.keys.items()}
    tasks = [(name, words.format(**letters)) for name, words in TASKS]
    return await page(request, "tutorial.html", tasks=tasks, exam=settings.exam)
