"""What drafting brings, by draft length."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from burnin.app.errors import BadRequest
from burnin.systems.serving.speculative import SOURCE, best_length, speculation

SHOWN = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16)


def speculative(
    *, acceptance: float, draft_cost: float, length: int | None = None, slots: int | None = None
) -> dict[str, Any]:
    """Return speed and work for several draft lengths, the best one and the one asked for.

    BadRequest for numbers out of range.
    """

    def made(drafted: int) -> dict[str, Any]:
        verify = 1.0 if slots is None else max(1.0, (drafted + 1) / slots)
        return asdict(
            speculation(acceptance=acceptance, length=drafted, draft_cost=draft_cost, verify_cost=verify)
        )

    try:
        best = asdict(best_length(acceptance=acceptance, draft_cost=draft_cost, slots=slots))
        lengths = sorted({*SHOWN, best["length"], *([] if length is None else [length])})
        table = [made(drafted) for drafted in lengths]
        chosen = best if length is None else made(length)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    if best["length"] == 0:
        answer = f"No draft pays: at {acceptance:.0%} taken and a draft step of {draft_cost:g} it only costs."
    else:
        answer = (
            f"{best['length']} drafted tokens pay most: {best['tokens_a_pass']:.2f} tokens a pass, "
            f"{best['speedup']:.2f} times the speed for {best['work']:.2f} times the target's work."
        )
    return {
        "acceptance": acceptance,
        "draft_cost": draft_cost,
        "slots": slots,
        "lengths": table,
        "best": best,
        "chosen": chosen,
        "source": SOURCE,
        "answer": answer,
    }
