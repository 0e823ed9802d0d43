"""Sitting an exam line by line: works over ssh, in a pipe and with a screen reader."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import click

from burnin.app.take.views import Ack, QuestionView, SittingView
from burnin.cli.lines import LineReader
from burnin.cli.results import clock, paragraph, show_reasons, show_result
from burnin.domain.sitting import Conditions, EventKind, Rating
from burnin.figures.text import exhibit_text

if TYPE_CHECKING:
    from burnin.app.wiring import Services

HELP = """\
  1, 2 4      choose option 1; choose options 2 and 4 (replaces what was chosen)
  c           clear the answer           x 3        strike option 3 out, or back in
  f           flag, or take the flag off
  n or Enter  next question              p          previous question
  g 12        go to question 12          r          review: what is unanswered or flagged
  t           time left                  pause      pause (timed and tutor only)
  sure, unsure, guess: how sure you are (timed and tutor only)
  check       show the reasons (tutor)   s          submit
  q           leave; go on later with `burnin exam sit --resume last`
  ?           this help"""

RULES = {
    Conditions.EXAM: (
        "Exam conditions: the clock runs from the start and never stops, also while this program or the "
        "computer is off. At zero the last saved answers are scored. No pause, no reasons before submission. "
        "A restart of the computer marks the sitting as interrupted: it can go on, but is no exam-condition evidence."
    ),
    Conditions.TIMED: "Timed practice: the clock stops while you pause. Reasons come after submission.",
    Conditions.TUTOR: "Tutor: no clock. `check` fixes an answer and shows every reason.",
}


def show_rules(conditions: Conditions) -> None:
    """Print what holds in a sitting, before it starts."""
    paragraph(RULES[conditions])
    paragraph(
        "A question that asks for two or three options counts only when all of them are right and no other. "
        "Type a line and press Enter; ? lists what can be typed."
    )


class TerminalSitting:
    """One person, one terminal, one sitting. All rules are the services'."""

    def __init__(self, services: Services, sitting: str) -> None:
        self._take = services.take
        self._outcome = services.outcome
        self._id = sitting
        self._client = secrets.token_hex(6)
        self._sent = 0
        self._number = 1
        self._warned: set[int] = set()
        self._reader: LineReader | None = None

    async def run(self) -> None:
        """Ask until the sitting is over or left."""
        view = await self._take.view(self._id)
        if not self._over(view) and view.phase == "ready":
            await self._act(EventKind.STARTED)
        elif view.phase == "paused":
            await self._act(EventKind.RESUMED)
        view = await self._take.view(self._id)
        self._number = max(1, view.current)
        await self._ask()
        while True:
            view = await self._take.view(self._id)
            if self._over(view):
                break
            self._warn(view)
            click.echo("> ", nl=False)
            line = await self._line()
            if line is None:
                click.echo("\nLeft. Every answer is saved; `burnin exam sit --resume last` goes on.")
                return
            if not await self._do(line.strip()):
                return
        if view.phase == "expired":
            click.echo("\nTime is up. The last saved answers are scored.")
        show_result(await self._outcome.report(self._id), review=False)
        click.echo(f"\nEvery reason: burnin exam result {self._id} --review")

    async def _line(self) -> str | None:
        """Wait for a line, but look at the clock at least every ten seconds."""
        if self._reader is None:
            self._reader = LineReader()
        while True:
            try:
                return await self._reader.line(10)
            except TimeoutError:
                view = await self._take.view(self._id)
                if self._over(view):
                    return ""
                self._warn(view)

    def _warn(self, view: SittingView) -> None:
        if view.remaining_ms is None:
            return
        due = [m for m in (30, 15, 5, 1) if view.remaining_ms <= m * 60_000 < (view.limit_ms or 0)]
        if due and min(due) not in self._warned:
            self._warned.update(due)
            click.echo(f"\n*** {clock(view.remaining_ms)} left ***")

    @staticmethod
    def _over(view: SittingView) -> bool:
        return view.phase in {"submitted", "expired"}

    async def _do(self, line: str) -> bool:
        """Carry out one line; False leaves the sitting."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        view = await self._take.view(self._id)
        if self._over(view):
            return True
        if word in {"", "n"}:
            await self._go(self._number + 1)
        elif word == "p":
            await self._go(self._number - 1)
        elif word == "g":
            await self._go(int(rest) if rest.isascii() and rest.isdigit() else 0)
        elif word == "q":
            click.echo("Left. Every answer is saved; the clock of exam conditions runs on.")
            return False
        elif word in {"?", "help", "h"}:
            click.echo(HELP)
        elif word == "t":
            click.echo("No time limit." if view.remaining_ms is None else f"{clock(view.remaining_ms)} left.")
        elif word == "r":
            self._review(view)
        elif word == "s":
            await self._submit(view)
        elif word == "pause":
            await self._pause()
        elif word == "check":
            await self._check()
        elif word == "f":
            question = await self._take.question(self._id, self._number)
            ack = await self._act(EventKind.FLAGGED, question, on=not question.flagged)
            self._told(ack, "flagged" if ack.flagged else "flag taken off")
        elif word == "c":
            question = await self._take.question(self._id, self._number)
            self._told(await self._act(EventKind.ANSWERED, question), "cleared")
        elif word == "x":
            await self._strike(rest)
        elif word in _RATINGS:
            await self._rate(word)
        else:
            await self._choose(line)
        return True

    async def _choose(self, line: str) -> None:
        question = await self._take.question(self._id, self._number)
        chosen = _places(line, len(question.asked.options))
        if chosen is None:
            click.echo("Not understood. Type the numbers of options, or ? for help.")
            return
        if len(chosen) > question.asked.choose:
            click.echo(f"Not saved: choose {question.asked.choose}, not {len(chosen)}.")
            return
        options = tuple(question.asked.options[place - 1].id for place in chosen)
        ack = await self._act(EventKind.ANSWERED, question, options)
        count = f" {len(ack.options)} of {question.asked.choose} chosen" if question.asked.choose > 1 else ""
        self._told(ack, f"answer {', '.join(map(str, chosen))}.{count}")

    async def _strike(self, rest: str) -> None:
        question = await self._take.question(self._id, self._number)
        places = _places(rest, len(question.asked.options))
        if not places:
            click.echo("Type x and the number of an option, such as x 3.")
            return
        named = {question.asked.options[place - 1].id for place in places}
        struck = tuple(sorted(set(question.struck) ^ named))
        ack = await self._act(EventKind.STRUCK, question, struck)
        self._told(ack, "struck out: " + (", ".join(self._numbers(question, ack.struck)) or "none"))

    async def _rate(self, word: str) -> None:
        question = await self._take.question(self._id, self._number)
        self._told(await self._act(EventKind.RATED, question, value=word), word)

    @staticmethod
    def _numbers(question: QuestionView, options: tuple[str, ...]) -> list[str]:
        return [str(n) for n, o in enumerate(question.asked.options, start=1) if o.id in options]

    async def _act(
        self,
        kind: EventKind,
        question: QuestionView | None = None,
        options: tuple[str, ...] = (),
        on: bool | None = None,
        value: str | None = None,
    ) -> Ack:
        from burnin.app.take import Command

        self._sent += 1
        return await self._take.act(
            self._id,
            Command(
                client_id=f"tty-{self._client}-{self._sent}",
                kind=kind,
                item=question.asked.id if question else None,
                options=options,
                on=on,
                seen=question.seen if question else None,
                value=value,
            ),
        )

    @staticmethod
    def _told(ack: Ack, words: str) -> None:
        click.echo(f"Saved: {words}" if ack.ok else f"Not saved: {ack.message}")

    async def _go(self, number: int) -> None:
        view = await self._take.view(self._id)
        if not 1 <= number <= view.size:
            if number == view.size + 1:
                click.echo("That was the last question.")
                self._review(view)
            else:
                click.echo(f"There are questions 1 to {view.size}.")
            return
        self._number = number
        await self._ask(moved=True)

    async def _ask(self, *, moved: bool = False) -> None:
        question = await self._take.question(self._id, self._number)
        if moved:
            await self._act(EventKind.MOVED, question)
        view = await self._take.view(self._id)
        left = "" if view.remaining_ms is None else f" · {clock(view.remaining_ms)} left"
        flag = " · FLAGGED" if question.flagged else ""
        click.echo("")
        click.secho(f"Question {self._number} of {view.size}{left}{flag}", bold=True)
        if question.asked.exhibit:
            click.echo("\n" + exhibit_text(question.asked.exhibit))
        click.echo("")
        paragraph(question.asked.stem)
        if question.asked.choose > 1:
            click.echo(f"Select {_WORDS[question.asked.choose]}.\n")
        for place, option in enumerate(question.asked.options, start=1):
            mark = "(chosen) " if option.id in question.selected else ""
            mark += "(struck out) " if option.id in question.struck else ""
            paragraph(f"{place}. {mark}{option.text}", hang="   ")

    def _review(self, view: SittingView) -> None:
        unanswered = [str(e.number) for e in view.entries if e.chosen == 0]
        incomplete = [str(e.number) for e in view.entries if e.incomplete]
        flagged = [str(e.number) for e in view.entries if e.flagged]
        click.echo("")
        for name, numbers in (("Unanswered", unanswered), ("Incomplete", incomplete), ("Flagged", flagged)):
            paragraph(f"{name}: {len(numbers)}" + (f" ({', '.join(numbers)})" if numbers else ""), hang="   ")
        click.echo("g NUMBER goes to a question; s submits.")

    async def _submit(self, view: SittingView) -> None:
        self._review(view)
        click.echo(
            "Submit? It ends the sitting, and nothing can be changed after it. Type yes to submit: ", nl=False
        )
        answer = await self._line()
        if answer is not None and answer.strip().lower() == "yes":
            ack = await self._act(EventKind.SUBMITTED)
            if not ack.ok:
                click.echo(f"Not submitted: {ack.message}")
        else:
            click.echo("Not submitted.")

    async def _pause(self) -> None:
        ack = await self._act(EventKind.PAUSED)
        if not ack.ok:
            click.echo(ack.message)
            return
        click.echo("\n" * 40 + "Paused; the question is hidden. Press Enter to go on.")
        if await self._line() is None:
            return
        await self._act(EventKind.RESUMED)
        await self._ask()

    async def _check(self) -> None:
        question = await self._take.question(self._id, self._number)
        ack = await self._act(EventKind.REVEALED, question)
        if not ack.ok and ack.code != "revealed":
            click.echo(ack.message)
            return
        item = await self._take.reasons(self._id, question.asked.id)
        show_reasons(item, tuple(o.id for o in question.asked.options), question.selected)


_RATINGS = frozenset(rating.value for rating in Rating)
_WORDS = {2: "TWO", 3: "THREE"}


def _places(text: str, count: int) -> list[int] | None:
    """Read option numbers from 1; None when anything else is in the text."""
    parts = text.replace(",", " ").split()
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= count for part in parts):
        return None
    return sorted({int(part) for part in parts}) or None
