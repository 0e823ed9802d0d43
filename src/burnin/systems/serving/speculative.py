"""Speculative decoding: tokens a pass, speed, and the best draft length."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.systems.sizing import speculative_tokens

SOURCE = "Leviathan, Kalman and Matias, arXiv 2211.17192, equation 1 and theorem 3.8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """What a draft of ``length`` tokens brings. ``speedup`` is against decoding without a draft."""

    length: int
    tokens_a_pass: float
    speedup: float
    work: float


def speculation(
    *, acceptance: float, length: int, draft_cost: float, verify_cost: float = 1.0
) -> Speculation:
    """Return tokens a pass and the speed-up of drafting ``length`` tokens.

    >>> made = speculation(acceptance=0.8, length=4, draft_cost=0.1)
    >>> round(made.tokens_a_pass, 2), round(made.speedup, 2)
    (3.36, 2.4)

    ``acceptance`` is the chance that one drafted token is taken, alike and independent for
    all. ``draft_cost`` is a draft step over a step of the target, ``verify_cost`` the pass
    over all drafted tokens over a step of one token: 1 while memory traffic binds, up to
    ``length + 1`` where compute does. ``work`` is operations of the target over those
    without a draft. ValueError for numbers out of range. Source: Leviathan, Kalman and
    Matias, arXiv 2211.17192, equation 1 and theorem 3.8.
    """
    if not 0 <= acceptance <= 1 or length < 0 or draft_cost < 0 or verify_cost <= 0:
        raise ValueError("acceptance lies between 0 and 1, length and draft_cost are at least 0")
    tokens = float(speculative_tokens(acceptance, length))
    return Speculation(
        length=length,
        tokens_a_pass=tokens,
        speedup=tokens / (length * draft_cost + verify_cost),
        work=(length + 1) / tokens,
    )


def best_length(
    *, acceptance: float, draft_cost: float, slots: int | None = None, most: int = 32
) -> Speculation:
    """Return the draft length of the highest speed-up; 0 where no draft pays.

    ``slots`` is how many tokens the target takes in one pass before compute binds and the
    pass grows with them; None: never. Ties go to the shorter draft.
    """
    made = [
        speculation(
            acceptance=acceptance,
            length=length,
            draft_cost=draft_cost,
            verify_cost=1.0 if slots is None else max(1.0, (length + 1) / slots),
        )
        for length in range(most + 1)
    ]
    return max(made, key=lambda one: (one.speedup, -one.length))
