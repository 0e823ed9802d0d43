"""A whole NCA-GENM mock exam in a real terminal, with a kill -9 in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from burnin.app.wiring import Services, open_services
from burnin.catalog import load

pexpect = pytest.importorskip("pexpect")
pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is needed"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*forkpty:DeprecationWarning"),
]

PROMPT = "\r\n> "


def _spawn(home: Path, *arguments: str) -> pexpect.spawn:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "burnin.cli.main", "exam", "sit", *arguments],
        env={**os.environ, "BURNIN_HOME": str(home), "COLUMNS": "90", "NO_COLOR": "1"},
        encoding="utf-8",
        timeout=30,
    )
    child.setecho(False)
    return child


def _say(child: pexpect.spawn, line: str, *, answer: str) -> None:
    child.sendline(line)
    child.expect(answer)
    child.expect(PROMPT)


def _asked(home: Path) -> tuple[str, list[tuple[str, int, tuple[str, ...]]]]:
    """Read from the store what the sitting asks: (item, choose, option ids in the order shown)."""

    async def read(services: Services) -> tuple[str, list[tuple[str, int, tuple[str, ...]]]]:
        sitting = (await services.outcome.recent())[0].id
        view = await services.take.view(sitting)
        questions = [await services.take.question(sitting, n) for n in range(1, view.size + 1)]
        return sitting, [
            (q.asked.id, q.asked.choose, tuple(o.id for o in q.asked.options)) for q in questions
        ]

    services = open_services(home)
    try:
        return asyncio.run(read(services))
    finally:
        services.close()


def test_a_full_mock_in_the_terminal_survives_kill_9(tmp_path: Path) -> None:
    catalog = load()
    child = _spawn(tmp_path, "NCA-GENM", "--seed", "11")
    child.expect("Start now")
    child.sendline("y")
    child.expect("Question 1 of 55")
    child.expect(PROMPT)
    sitting, asked = _asked(tmp_path)
    assert len(asked) == 55

    earned = 0
    for number, (item, choose, order) in enumerate(asked, start=1):
        key = catalog.items[item].key
        right = [place for place, option in enumerate(order, start=1) if option in key]
        wrong = [place for place, option in enumerate(order, start=1) if option not in key][:choose]
        if number == 28:
            # Right after an acknowledgement, with no chance to tidy up.
            child.kill(signal.SIGKILL)
            child.wait()
            child = _spawn(tmp_path, "--resume", "last")
            child.expect("Question 28 of 55")
            child.expect(PROMPT)
            _say(child, "p", answer=r"Question 27 of 55[\s\S]*\(chosen\)")
            _say(child, "n", answer="Question 28 of 55")
        if number % 7 == 0:
            _say(child, "f", answer="Saved: flagged")
        if number % 11 == 0:
            pass  # left unanswered
        elif number % 3 == 0:
            _say(child, " ".join(map(str, wrong)), answer="Saved: answer")
        elif choose > 1 and number % 2 == 0:
            _say(child, str(right[0]), answer="1 of 2 chosen")
        else:
            _say(child, " ".join(map(str, wrong)), answer="Saved: answer")
            _say(child, " ".join(map(str, right)), answer="Saved: answer")
            earned += 1
        if number < 55:
            _say(child, "n", answer=f"Question {number + 1} of 55")

    child.sendline("r")
    child.expect("Unanswered: 5 ")
    child.expect("Flagged: 7 ")
    child.expect(PROMPT)
    child.sendline("s")
    child.expect("Type yes to submit")
    child.sendline("no")
    child.expect("Not submitted")
    child.sendline("s")
    child.expect("Type yes to submit")
    child.sendline("yes")
    child.expect(f"{earned} of 55 right")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0

    services = open_services(tmp_path)
    try:
        result = asyncio.run(services.outcome.report(sitting))
    finally:
        services.close()
    assert result.report.earned == Fraction(earned)
    assert result.report.possible == 55
    assert not result.report.interrupted
    assert sum(entry.flagged for entry in result.review) == 7


def test_hang_up_leaves_an_open_sitting_with_its_answers(tmp_path: Path) -> None:
    child = _spawn(tmp_path, "NCA-GENM", "--size", "10", "--yes", "--conditions", "tutor")
    child.expect(PROMPT)
    _say(child, "1", answer="Saved: answer 1")
    child.sendeof()
    child.expect("Left. Every answer is saved")
    child.expect(pexpect.EOF)
    child = _spawn(tmp_path, "--resume", "last")
    child.expect(r"1\. \(chosen\)")
    child.expect(PROMPT)
    child.sendline("check")
    child.expect(r"\[right")
    child.expect("Source: ")
    child.expect(PROMPT)
    _say(child, "2", answer="Not saved: The reasons were shown")
    child.close(force=True)


@pytest.mark.parametrize(
    "rubbish", ["9", "0", "1 1 9", "zebra", "g 99", "g x", "x", "x 9", "-1", "1;2", "²", "\x07", "a" * 5000]
)
def test_rubbish_typed_is_told_and_nothing_is_saved(tmp_path: Path, rubbish: str) -> None:
    child = _spawn(tmp_path, "NCA-GENM", "--size", "10", "--yes", "--conditions", "tutor", "--seed", "5")
    child.expect(PROMPT)
    child.delaybeforesend = None
    child.sendline(rubbish[:200])
    index = child.expect(["Not understood", "There are questions", "Type x and", "Not saved"])
    assert index >= 0
    child.expect(PROMPT)
    child.sendline("r")
    child.expect("Unanswered: 10 ")
    child.close(force=True)
