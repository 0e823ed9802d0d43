"""The screen before a first exam: untimed, nothing stored."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from burnin.web.render import page, services

TASKS = (
    ("choose", "Choose B with a click, with the key B, or with 2."),
    ("clear", "Clear the answer: the button, or X."),
    ("strike", "Strike C out: the button beside it, or Shift+C. It stays choosable and is never scored."),
    ("flag", "Flag the question: the button, or F. The grid shows a corner."),
    ("two", "In the second question choose two: a third is not taken until one is cleared."),
    ("time", "Hide the time, and bring it back: T. It comes back by itself in the last five minutes."),
    (
        "review",
        "Go to the review: R. It lists what is open, incomplete and flagged, before anything is final.",
    ),
)


async def tutorial(request: Request) -> Response:
    """``GET /tutorial``."""
    exam = (await services(request).profile.get()).exam
    return await page(request, "tutorial.html", tasks=TASKS, exam=exam)
