"""What a reader who sees only the options can go by, as numbers.

Every cue is a property of one option, alone or among its siblings; none looks at the stem,
the key or the order in which the file lists the options. The kinds are those that the
literature on test-wiseness names (Millman, Bishop & Ebel 1965, EPM 25, p. 707; Haladyna,
Downing & Rodriguez 2002, AME 15(3)): length, hedges, absolutes, specificity, grammar,
convergence (the right option shares most with the others), and the choice of words.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from burnin.bank.words import (
    ABSOLUTES,
    HEDGES,
    content_stems,
    names_product,
    numbers,
    tokens,
    visible,
    word_set,
)

Floats = NDArray[np.float64]

NGRAM_BUCKETS = 256
"""Character n-grams are hashed into that many columns: enough that few common ones meet."""

_ARTICLES = word_set("a an the")
_PREPOSITIONS = word_set(
    "after as at before behind below between beyond by for from in into of on over per since through to under "
    "until upon via when while with within without"
)
_QUANTITIES = word_set("each every all no one two three four five six seven eight half most")
_PRONOUNS = word_set("it its they their that this these those there")
_REASONS = word_set("because since so thus therefore which hence whose")
_NEGATIONS = word_set("not no never without neither nor none nothing cannot")
_COMPARISONS = word_set("more less fewer larger smaller higher lower faster slower longer shorter than")
_LINKS = word_set("is are was were be has have does do can will")
_CONDITIONS = word_set("if unless only when once whenever provided where")


def names() -> list[str]:
    """Names of the dense cues, in the order of ``dense``'s columns."""
    return [*_OWN, *(f"{name} against siblings" for name in _OWN), *_AMONG]


def dense(texts: Sequence[str]) -> Floats:
    """``dense(["8 GB", "16 GB", "32 GB", "64 GB"])`` → 4 rows, one column a cue (``names``)."""
    plain = [visible(text) for text in texts]
    own = np.array([_own(text) for text in plain], dtype=np.float64)
    # An option's own measure, and where it stands among its siblings: -1 below all, 1 above all.
    above = np.sign(own[:, None, :] - own[None, :, :]).sum(axis=1) / max(1, len(texts) - 1)
    return np.hstack([own, above, _among(plain)])


_OWN = (
    *("characters", "words", "mean word length", "hedges", "absolutes", "numerals", "product names"),
    *("commas", "colons and semicolons", "brackets and quotes", "hyphens and slashes", "final mark"),
    *("capitals", "reasons given", "negations", "comparisons", "linking verbs", "conditions", "long words"),
    *("function words", "starts with gerund", "starts with article", "starts with preposition"),
    *("starts with quantity", "starts with pronoun", "conjunctions"),
)


def _own(text: str) -> list[float]:
    words = tokens(text)
    count = max(1, len(words))
    kinds = Counter(words)
    first = words[0] if words else ""

    def share(vocabulary: frozenset[str]) -> float:
        return float(sum(kinds[word] for word in vocabulary))

    return [
        math.log1p(len(text)),
        math.log1p(len(words)),
        sum(map(len, words)) / count,
        share(HEDGES),
        share(ABSOLUTES),
        float(len(numbers(text))),
        float(names_product(text)),
        float(text.count(",")),
        float(len(re.findall(r"[:;]", text))),
        float(len(re.findall(r"[()\[\]{}\"'“”‘’]", text))),
        float(len(re.findall(r"\w[-–/]\w", text))),
        float(text[-1:] in {".", "!", "?", ":", ";"}),
        float(len(re.findall(r"\b[A-Z]", text[1:]))),
        share(_REASONS),
        share(_NEGATIONS),
        share(_COMPARISONS),
        share(_LINKS),
        share(_CONDITIONS),
        sum(len(word) >= 9 for word in words) / count,
        1 - len(content_stems(text)) / count,
        float(first.endswith("ing")),
        float(first in _ARTICLES),
        float(first in _PREPOSITIONS),
        float(first in _QUANTITIES or first[:1].isdigit()),
        float(first in _PRONOUNS),
        float(kinds["and"] + kinds["or"] + kinds["but"]),
    ]


_AMONG = (
    *(
        "length: longest",
        "length: shortest",
        "length: distance from the middle",
        "length: excess over siblings",
    ),
    *("figure: smallest", "figure: largest", "figure: distance from the middle", "figure: round"),
    *("grammar: first word as siblings", "grammar: opening as siblings", "grammar: last word as siblings"),
    *("grammar: clauses as siblings", "grammar: form as siblings"),
    *("words shared with siblings", "words shared with the nearest sibling", "words of its own"),
    *("letters shared with siblings", "letters shared with the nearest sibling", "closest to the centre"),
)


def _among(texts: Sequence[str]) -> Floats:
    columns = [*_lengths(texts), *_figures(texts), *_grammar(texts), *_closeness(texts)]
    return np.array(columns, dtype=np.float64).T


def _lengths(texts: Sequence[str]) -> list[list[float]]:
    lengths = [len(text) for text in texts]
    middle = median(lengths)
    total = sum(lengths)
    return [
        [float(n == max(lengths)) / lengths.count(n) for n in lengths],
        [float(n == min(lengths)) / lengths.count(n) for n in lengths],
        [abs(math.log((n + 1) / (middle + 1))) for n in lengths],
        [math.log((n + 1) / ((total - n) / max(1, len(texts) - 1) + 1)) for n in lengths],
    ]


def _figures(texts: Sequence[str]) -> list[list[float]]:
    """Where an option's first figure stands, if every option has one."""
    found = [numbers(text) for text in texts]
    if not all(found):
        return [[0.0] * len(texts) for _ in range(4)]
    first = [values[0] for values in found]
    order = sorted(first)
    ranks = [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in first]
    return [
        [float(value == order[0] != order[-1]) for value in first],
        [float(value == order[-1] != order[0]) for value in first],
        [abs(rank - (len(first) - 1) / 2) for rank in ranks],
        [float(value % 10 == 0) for value in first],
    ]


def _grammar(texts: Sequence[str]) -> list[list[float]]:
    """How much of an option's form its siblings have too."""
    split = [tokens(text) or [""] for text in texts]
    return [
        _agreement([words[0] for words in split]),
        _agreement([_opening(words[0]) for words in split]),
        _agreement([words[-1] for words in split]),
        _agreement([str(len(re.findall(r"[,;:]", text))) for text in texts]),
        _agreement([re.sub(r"[^,;:.()\d]+", "", re.sub(r"\d+", "0", text)) for text in texts]),
    ]


def _opening(word: str) -> str:
    kinds = (
        ("article", _ARTICLES),
        ("preposition", _PREPOSITIONS),
        ("quantity", _QUANTITIES),
        ("pronoun", _PRONOUNS),
    )
    for kind, vocabulary in kinds:
        if word in vocabulary:
            return kind
    if word[:1].isdigit():
        return "quantity"
    return next((ending for ending in ("ing", "ed", "ly", "s") if word.endswith(ending)), "other")


def _agreement(values: Sequence[str]) -> list[float]:
    counted = Counter(values)
    return [(counted[value] - 1) / max(1, len(values) - 1) for value in values]


def _closeness(texts: Sequence[str]) -> list[list[float]]:
    stems = [Counter(content_stems(text)) for text in texts]
    letters = [Counter(_ngrams(text, 3)) for text in texts]
    by_word, by_letter = _cosines(stems), _cosines(letters)
    everything = sum(stems, Counter[str]())
    own = [sum(everything[word] == n for word, n in mine.items()) / max(1, len(mine)) for mine in stems]
    centre = by_word.mean(axis=1) + by_letter.mean(axis=1)
    return [
        list(by_word.mean(axis=1)),
        list(by_word.max(axis=1)),
        own,
        list(by_letter.mean(axis=1)),
        list(by_letter.max(axis=1)),
        [float(value >= centre.max() - 1e-12) for value in centre],
    ]


def _cosines(bags: Sequence[Counter[str]]) -> Floats:
    """Cosine of each bag with each other one, without itself."""
    vocabulary = {word: i for i, word in enumerate(sorted(set().union(*bags)))}
    counts = np.zeros((len(bags), max(1, len(vocabulary))))
    for row, bag in enumerate(bags):
        for word, count in bag.items():
            counts[row, vocabulary[word]] = count
    counts /= np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)
    cosine: Floats = counts @ counts.T
    away = ~np.eye(len(bags), dtype=bool)
    return cosine[away].reshape(len(bags), max(1, len(bags) - 1)) if len(bags) > 1 else np.zeros((1, 1))


def _ngrams(text: str, size: int) -> list[str]:
    padded = f" {' '.join(tokens(text))} "
    return [padded[i : i + size] for i in range(len(padded) - size + 1)]


def hashed_ngrams(texts: Sequence[str]) -> Floats:
    """Character 3- to 5-grams of each text, hashed into ``NGRAM_BUCKETS`` columns, rows of length 1.

    Counts enter as square roots. The hash is CRC-32 (the same on every machine) with a sign
    from one of its bits, so that n-grams that meet in a column cancel rather than add up
    (Weinberger et al. 2009, arXiv:0902.2206).
    """
    rows = np.zeros((len(texts), NGRAM_BUCKETS))
    for row, text in enumerate(texts):
        counted = Counter(gram for size in (3, 4, 5) for gram in _ngrams(text, size))
        for gram, count in counted.items():
            digest = zlib.crc32(gram.encode())
            sign = 1.0 if digest >> 31 else -1.0
            rows[row, digest % NGRAM_BUCKETS] += sign * math.sqrt(count)
    norms: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(norms, 1e-12)
