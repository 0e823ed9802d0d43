"""Why a point was lost, by rule and not by guesswork.

================  ====================================================================
``time``          nothing complete was chosen and the time ran out; or it was chosen
                  in under a quarter of the author's estimate although at least nine
                  tenths of the sitting's time were used up in the end
``misread``       fewer or more options than asked for, with time left; or an answer
                  in under a third of the estimate by somebody who did not call it
                  unsure or a guess
``confusion``     a chosen option carries a named misconception; or the first complete
                  selection was right and was given up
``gap``           everything else: called a guess, left open with time to spare, or
                  wrong in no named way
================  ====================================================================

The first that fits holds, except that whoever called it a guess has a ``gap``: she knows
that she does not know. The rule has a name and a version, so that a later one cannot
change what an old report says.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from burnin.domain.form import RenderedItem
from burnin.exam.report import ItemLine, Report
from burnin.exam.state import ItemState, Phase

ERROR_RULE = "error-class/1"

ErrorClass = Literal["time", "misread", "confusion", "gap"]

CLASSES: tuple[ErrorClass, ...] = ("time", "misread", "confusion", "gap")

RUSHED = Fraction(1, 4)
HASTY = Fraction(1, 3)
USED_UP = Fraction(9, 10)


def error_class(made: Report, line: ItemLine, item: RenderedItem, known: ItemState) -> ErrorClass | None:
    """Return why an item of a finished sitting earned nothing or a part; None if it earned all."""
    if line.earned == 1:
        return None
    complete = line.outcome not in ("unanswered", "incomplete")
    if not complete and made.ended is Phase.EXPIRED:
        return "time"
    if complete and line.seconds < RUSHED * item.seconds and _used_up(made):
        return "time"
    if known.rating == "guess":
        return "gap"
    if line.outcome == "incomplete":
        return "misread"
    if complete and line.seconds < HASTY * item.seconds and known.rating != "unsure":
        return "misread"
    wrong = [o for o in item.options if o.id in line.final and not o.correct]
    if any(option.misconception is not None for option in wrong) or line.first_earned == 1:
        return "confusion"
    return "gap"


def _used_up(made: Report) -> bool:
    return made.limit_ms is not None and made.elapsed_ms >= USED_UP * made.limit_ms
