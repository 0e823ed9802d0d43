"""Taking an exam: create a sitting, act in it, look at it."""

from __future__ import annotations

from burnin.app.take.views import Ack, QuestionView, SittingView
from burnin.domain.form import RenderedItem
from burnin.domain.sitting import Conditions
from burnin.exam.sitting import Command


class Take:
    """Running sittings. All methods are safe to call from many tasks at once."""

    async def create(
        self,
        exam: str,
        *,
        conditions: Conditions,
        seed: int | None = None,
        size: int | None = None,
        minutes: int | None = None,
        extra_time_percent: int = 0,
    ) -> str:
        """Assemble a form, store it and start a sitting on it; return the sitting's id.

        Errors: ``UnknownExam``, ``CannotAssemble``, ``BadRequest``, ``CannotSave``.
        """
        raise NotImplementedError

    async def act(self, sitting_id: str, command: Command) -> Ack:
        """Carry out one command. When the Ack comes back ``ok``, it is on disk.

        A refusal is an Ack with ``code``, not an exception. Errors:
        ``UnknownSitting``, ``CannotSave``.
        """
        raise NotImplementedError

    async def view(self, sitting_id: str) -> SittingView:
        """The whole sitting. Closes it first if its deadline has passed.

        Also writes a heartbeat if the last event is 15 s old. Errors: ``UnknownSitting``.
        """
        raise NotImplementedError

    async def question(self, sitting_id: str, number: int) -> QuestionView:
        """Question ``number`` (from 1) as asked, never with key or reasons.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``Hidden`` while paused.
        """
        raise NotImplementedError

    async def reasons(self, sitting_id: str, item_id: str) -> RenderedItem:
        """The complete item, once the sitting is over, or in tutor once revealed.

        Errors: ``UnknownSitting``, ``UnknownQuestion``, ``NotYet``.
        """
        raise NotImplementedError

    async def sweep(self) -> int:
        """Close every sitting whose deadline has passed; return how many."""
        raise NotImplementedError
