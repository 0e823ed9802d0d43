"""Words that come back: stem words in the right option alone, wrong options used again."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from burnin.bank.bounds import Excess, over_chance
from burnin.bank.words import content_stems
from burnin.domain.item import Item

RARE_SHARE = 0.02
"""A keyword of a stem is a word that stands in at most this share of items (or in three)."""

_SHORTEST_KEYWORD = 4


def _frequencies(items: Sequence[Item]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for item in items:
        text = " ".join([item.stem, *(option.text for option in item.options)])
        counted.update(set(content_stems(text)))
    return counted


def stem_leaks(items: Sequence[Item]) -> dict[str, list[str]]:
    """``{item id: [keywords]}`` of the items whose right options alone repeat keywords of the stem.

    A keyword is a rare word of the bank (``RARE_SHARE``); no wrong option of the item repeats
    any keyword of the stem. Words are compared by a light stem, so "batched" repeats "batch".
    """
    frequencies = _frequencies(items)
    cap = max(3.0, RARE_SHARE * len(items))
    leaks: dict[str, list[str]] = {}
    for item in items:
        keywords = {
            word
            for word in content_stems(item.stem)
            if len(word) >= _SHORTEST_KEYWORD and frequencies[word] <= cap
        }
        right: set[str] = set()
        wrong: set[str] = set()
        for option in item.options:
            (right if option.correct else wrong).update(keywords.intersection(content_stems(option.text)))
        if right and not wrong:
            leaks[item.id] = sorted(right)
    return leaks


def stem_overlap(items: Sequence[Item]) -> tuple[Excess, dict[str, float]]:
    """How often the option that shares most with its stem is right; and the hit of each item.

    Shared words count by how rare they are in the bank. Ties are broken evenly, so an item
    whose options share nothing with the stem counts what guessing gives.
    """
    frequencies = _frequencies(items)
    hits: dict[str, float] = {}
    for item in items:
        said = set(content_stems(item.stem))
        shared = [
            math.fsum(
                math.log((len(items) + 1) / frequencies[word])
                for word in sorted(said.intersection(content_stems(option.text)))
            )
            for option in item.options
        ]
        hits[item.id] = top_is_right(item, shared)
    return over_chance(list(hits.values()), [chance(item) for item in items]), hits


def chance(item: Item) -> float:
    """What a guess gives: a single pick is in the key."""
    return len(item.key) / len(item.options)


def top_is_right(item: Item, scores: Sequence[float]) -> float:
    """Share of the highest-scored options that are right (one, but for ties)."""
    best = max(scores)
    top = [option.correct for option, score in zip(item.options, scores, strict=True) if score >= best - 1e-9]
    return sum(top) / len(top)


def reused_distractors(items: Sequence[Item]) -> Mapping[tuple[str, ...], list[str]]:
    """``{words: [item ids]}`` of the wrong options that stand in more than one item.

    Two wrong options are one where the same meaningful words stand in them, in any order.
    Those of fewer than three such words are left out: a bare term or figure ("BLEU",
    "16 GB") is the natural wrong answer to more than one question.
    """
    used: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item in items:
        for option in item.options:
            words = tuple(sorted(set(content_stems(option.text)) - {"#"}))
            if not option.correct and len(words) >= 3 and item.id not in used[words]:
                used[words].append(item.id)
    return {words: ids for words, ids in used.items() if len(ids) > 1}
