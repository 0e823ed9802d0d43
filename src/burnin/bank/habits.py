"""What one item's form gives away, in words for its author."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from burnin.bank.repeats import reused_distractors, stem_leaks
from burnin.bank.similarity import near_duplicates
from burnin.bank.words import ABSOLUTES, HEDGES, names_product, numbers, tokens, visible
from burnin.domain.item import Item, Option

APART = 0.25
"""Lengths further apart than this share of the mean are seen at a glance."""

REASON = 40
"""Letters below which a reason can hardly say what is true instead."""


def habits(item: Item, bank: Sequence[Item]) -> list[str]:
    """Return what the author should look at again; an empty list says that the audit would pass the item.

    ``bank`` is what the item will stand among, itself not counted. One item cannot show a
    habit: where the right option is longest once, that is chance; this only names it.
    """
    others = [other for other in bank if other.id != item.id]
    right = [option for option in item.options if option.correct]
    wrong = [option for option in item.options if not option.correct]
    found = [*_lengths(right, wrong), *_words(right, wrong), *_reasons(item)]
    leaks = stem_leaks([*others, item]).get(item.id)
    if leaks:
        found.append(f"Only the right option repeats words of the stem: {', '.join(leaks)}.")
    for first, second, alike in near_duplicates([*others, item]):
        if item.id in (first, second):
            other = second if first == item.id else first
            found.append(f"It asks nearly what {other} asks (likeness {alike:.2f}).")
    for ids in reused_distractors([*others, item]).values():
        if item.id in ids:
            found.append(f"A wrong option stands in {', '.join(i for i in ids if i != item.id)} too.")
    return found


def _lengths(right: Sequence[Option], wrong: Sequence[Option]) -> list[str]:
    of_right, of_wrong = ([len(visible(o.text)) for o in group] for group in (right, wrong))
    usual = mean([*of_right, *of_wrong])
    if min(of_right) > max(of_wrong) and mean(of_right) - max(of_wrong) > APART * usual:
        return ["The right option is by far the longest."]
    if max(of_right) < min(of_wrong) and min(of_wrong) - mean(of_right) > APART * usual:
        return ["The right option is by far the shortest."]
    return []


def _words(right: Sequence[Option], wrong: Sequence[Option]) -> list[str]:
    found = []
    for name, in_text in (
        ("hedges (may, usually …)", lambda text: bool(HEDGES.intersection(tokens(text)))),
        ("absolutes (always, never, only …)", lambda text: bool(ABSOLUTES.intersection(tokens(text)))),
        ("a number", lambda text: bool(numbers(text))),
        ("an NVIDIA product", names_product),
    ):
        a, b = ([in_text(option.text) for option in group] for group in (right, wrong))
        if all(a) and not any(b):
            found.append(f"Only the right option has {name}.")
        if not any(a) and all(b):
            found.append(f"Every wrong option has {name}, and the right one has not.")
    return found


def _reasons(item: Item) -> list[str]:
    found = [
        f"The reason of {option.id!r} is too short to teach anything."
        for option in item.options
        if len(option.reason) < REASON
    ]
    if not any(option.flip for option in item.options):
        found.append("No wrong option says under what changed facts it would be right (flip).")
    if not any(option.misconception for option in item.options):
        found.append("No wrong option stands for a named mistake (misconception).")
    return found
