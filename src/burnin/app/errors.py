"""What a service refuses, in words that may be shown as they are."""

from __future__ import annotations


class AppError(Exception):
    """Base of every refusal. ``str(error)`` is one sentence for people."""


class UnknownSitting(AppError):
    """No sitting has that id."""


class UnknownQuestion(AppError):
    """The sitting has no question with that number, or no item with that id."""


class UnknownExam(AppError):
    """No blueprint has that code."""


class CannotAssemble(AppError):
    """The bank cannot fill the form that was asked for; says which domain is short."""


class BadRequest(AppError):
    """An argument is out of range; says which and what is allowed."""


class NotYet(AppError):
    """Reasons or results were asked for before the sitting allows them."""


class Hidden(AppError):
    """The sitting is paused, and a pause hides the question."""


class CannotSave(AppError):
    """The data folder did not take the write: nothing was acknowledged or changed."""


class CannotRead(AppError):
    """The data folder or the database server does not answer; nothing was changed."""


class BadHome(AppError):
    """The data folder, or the database in it, cannot be used."""


class Damaged(AppError):
    """What is stored of a sitting cannot be read any more."""
