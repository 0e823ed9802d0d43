"""Names of things as people read them."""

from __future__ import annotations

import secrets

from burnin.app.take import EntryView

KINDS = {"exam": "Full mock exam", "timed": "Timed practice", "tutor": "Warm-up"}
OVER = frozenset({"submitted", "expired"})
OUTCOMES = {
    "right": "right",
    "partly": "not right",
    "wrong": "not right",
    "incomplete": "incomplete",
    "unanswered": "unanswered",
}
FAULTS = {
    "wrong-key": "The right answer is not right",
    "ambiguous": "More than one answer can be defended",
    "outdated": "It was true once",
    "source": "The source does not say so",
    "typo": "A slip in the writing",
    "other": "Something else",
}


def entry_state(entry: EntryView) -> str:
    """What a square of the jump grid shows, in words, to follow its number."""
    words = []
    if entry.incomplete:
        words.append(f"incomplete, {entry.chosen} of {entry.choose} chosen")
    elif entry.answered:
        words.append("answered")
    if entry.flagged:
        words.append("flagged")
    if entry.rating in ("unsure", "guess"):
        words.append("unsure" if entry.rating == "unsure" else "a guess")
    return "".join(f", {word}" for word in words)


def nonce() -> str:
    """A fresh mark for one rendering of a form."""
    return secrets.token_urlsafe(12)
