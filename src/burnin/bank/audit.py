"""Whether the bank gives its keys away: every measure of the audit, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnin.bank.bounds import Excess, over_chance, paired
from burnin.bank.options_only import OptionsOnly, options_only
from burnin.bank.repeats import chance, reused_distractors, stem_leaks, stem_overlap, top_is_right
from burnin.bank.similarity import near_duplicates
from burnin.bank.tells import tells
from burnin.bank.words import names_product, visible
from burnin.domain.item import Item

_CUES_SHOWN = 12


def audit(items: Sequence[Item]) -> dict[str, Any]:
    """``audit(catalog.items.values())["passed"]`` → whether an examiner could sign this bank.

    Shares are fractions of 1; ``lower95`` is the one-sided lower 95 % bound of the excess over
    chance (``longest_correct``, ``options_only``) or of right over wrong options (``brand``).
    Such a bar holds where that bound is not above zero or the excess is under three points.
    The other measures allow nothing: no option without a reason, no item without a source, no
    near-duplicate pair, no wrong option in two items, no stem that leaks.

    ``stem_overlap`` (picking what shares most with the stem) is told and does not decide: a
    right option speaks of the stem's situation, and part of its excess is relevance, not a leak.
    ``bars`` says which part holds; ``details`` names the items behind each figure.
    """
    items = sorted(items, key=lambda item: item.id)
    reasons = [f"{item.id}/{o.id}" for item in items for o in item.options if not o.reason.strip()]
    sources = [item.id for item in items if not item.sources]
    longest, longest_details = _longest(items)
    guessed = options_only(items)
    brand, brand_details = _brand(items)
    twins = near_duplicates(items)
    reused = reused_distractors(items)
    leaks = stem_leaks(items)
    overlap, overlap_hits = stem_overlap(items)
    reuse = max(map(len, reused.values()), default=min(1, len(items)))
    bars = {
        "options_without_reason": not reasons,
        "items_without_source": not sources,
        "longest_correct": longest.holds,
        "options_only": guessed.accuracy.holds,
        "brand": brand.holds,
        "near_duplicates": not twins,
        "distractor_reuse_max": reuse <= 1,
        "stem_leak": not leaks,
    }
    return {
        "items": len(items),
        "options_without_reason": len(reasons),
        "items_without_source": len(sources),
        "longest_correct": _told(longest, "rate", "chance"),
        "options_only": _told(guessed.accuracy, "accuracy", "chance"),
        "brand": _told(brand, "correct", "wrong"),
        "near_duplicates": [[first, second, round(alike, 3)] for first, second, alike in twins],
        "distractor_reuse_max": reuse,
        "stem_leak": sorted(leaks),
        "stem_overlap": _told(overlap, "rate", "chance"),
        "bars": bars,
        "passed": bool(items) and all(bars.values()),
        "details": {
            "options_without_reason": reasons,
            "items_without_source": sources,
            "longest_correct": longest_details,
            "options_only": _guesses(items, guessed),
            "tells": [
                {
                    "cue": tell.cue,
                    "z": round(tell.z, 2),
                    "more_in_right": tell.more_in_right,
                    "less_in_right": tell.less_in_right,
                }
                for tell in tells(items)
            ],
            "brand": brand_details,
            "reused_distractors": sorted(
                ({"words": " ".join(words), "items": ids} for words, ids in reused.items()),
                key=lambda entry: -len(entry["items"]),
            ),
            "stem_leak": leaks,
            "stem_overlap": [name for name, hit in overlap_hits.items() if hit == 1.0],
        },
    }


def _longest(items: Sequence[Item]) -> tuple[Excess, list[dict[str, Any]]]:
    """How often the longest option, in characters shown, is right; equally long ones share the pick."""
    hits, found = [], []
    for item in items:
        lengths = [float(len(visible(option.text))) for option in item.options]
        hits.append(top_is_right(item, lengths))
        if hits[-1] == 1.0:
            ordered = sorted(lengths)
            found.append({"item": item.id, "longer_by": int(ordered[-1] - ordered[-2])})
    excess = over_chance(hits, [chance(item) for item in items])
    return excess, sorted(found, key=lambda entry: -entry["longer_by"])


def _brand(items: Sequence[Item]) -> tuple[Excess, dict[str, list[str]]]:
    """Mean share of an item's right options, and of its wrong ones, that name an NVIDIA product.

    Shares are taken within an item first: pooled over all options, items with many right options
    would weigh more on one side, and a difference between kinds of item would pass for a cue.
    """
    right, wrong = [], []
    found: dict[str, list[str]] = {"more_in_right": [], "more_in_wrong": []}
    for item in items:
        named = [(option.correct, names_product(option.text)) for option in item.options]
        in_key = [brand for correct, brand in named if correct]
        outside = [brand for correct, brand in named if not correct]
        right.append(sum(in_key) / max(1, len(in_key)))
        wrong.append(sum(outside) / max(1, len(outside)))
        if right[-1] != wrong[-1]:
            found["more_in_right" if right[-1] > wrong[-1] else "more_in_wrong"].append(item.id)
    return paired(right, wrong), found


def _guesses(items: Sequence[Item], guessed: OptionsOnly) -> dict[str, Any]:
    by_chance = {item.id: 1 / len(item.options) for item in items}
    told = [
        # The key's share of the model's belief, against an even spread over the options.
        {"item": guess.item, "lift": round(guess.belief / by_chance[guess.item], 2)}
        for guess in guessed.guesses
        if guess.hit == 1.0
    ]
    return {
        "cues": [{"cue": name, "log_odds": round(worth, 3)} for name, worth in guessed.cues[:_CUES_SHOWN]],
        "told": sorted(told, key=lambda entry: -entry["lift"]),
    }


def _told(excess: Excess, rate: str, against: str) -> dict[str, float]:
    return {
        rate: round(excess.rate, 4),
        against: round(excess.chance, 4),
        "lower95": round(excess.lower95, 4),
    }
