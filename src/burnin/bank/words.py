"""The words of a question as a test-wise reader sees them: tokens, stems, hedges, product names."""

from __future__ import annotations

import re
from functools import lru_cache

_MARKUP = re.compile(r"`+|\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,]*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?:e-?\d+)?")


def word_set(words: str) -> frozenset[str]:
    """``"a the"`` → ``frozenset({"a", "the"})``."""
    return frozenset(words.split())


STOP = word_set(
    "a about after again all also an and any are as at be because been before being between both but by can "
    "could did do does each else every few first for from had has have how if in instead into is it its just "
    "last less many may more most much must nor not of off on once one only or other others out over own per "
    "same set should since so some still such than that the their them then there these they this those three "
    "through to too two under until up use used uses using very was were what when where which while who whose "
    "why will with within without would yet you your four five needs need needed make makes made team best "
    "change changes fit fits right left new run runs"
)

# "Specific determiners" among the clues to the right answer in Haladyna, Downing & Rodriguez (2002),
# Applied Measurement in Education 15(3), table 1; the lists are this project's own.
HEDGES = word_set(
    "about almost approximately around can commonly could frequently generally largely likely mainly may might "
    "mostly nearly normally often partly perhaps possibly potentially predominantly primarily probably "
    "relatively roughly seldom seems should sometimes somewhat tends typically usually"
)
ABSOLUTES = word_set(
    "all always any anything cannot completely entire entirely every everything exactly exclusively fully "
    "guarantee guaranteed guarantees impossible must never no nobody none nothing only perfectly solely "
    "totally under-no-circumstances whatever whenever wholly"
)

# Case matters: "triton" and "ampere" in prose are other words, "Canary" and "Turing" name too much else.
_PRODUCTS = re.compile(
    r"(?<![A-Za-z])(?:NVIDIA|nvidia-smi|TensorRT(?:-LLM)?|Triton|NeMo|Nemotron|NIMs?|NGC|Riva|RAPIDS|"
    r"cu(?:DF|ML|DNN|BLAS|Graph|VS|FFT|SPARSE|PY)|CUDA|CUTLASS|NCCL\w*|NVLink|NVSwitch|NVTX|NVML|DCGM|DALI|"
    r"Nsight|Dynamo|Megatron(?:-LM)?|Transformer Engine|ModelOpt|Model Optimizer|Model Analyzer|Perf Analyzer|"
    r"GenAI-Perf|AIPerf|AI Enterprise|Base Command|Run:ai|DGX|HGX|Omniverse|Cosmos|Metropolis|DeepStream|"
    r"Clara|BioNeMo|Picasso|Edify|Maxine|Isaac|Jetson|Merlin|Morpheus|FLARE|Holoscan|PhysicsNeMo|Colang|"
    r"NVCLIP|NV-CLIP|Parakeet|StyleGAN|TAO Toolkit|MIG|MPS|Tensor Cores?|Grace Hopper|Hopper|Blackwell|Ampere|"
    r"Ada Lovelace|Volta|GeForce|RTX|BlueField|ConnectX|Spectrum-X|GPUDirect|NVMe-oF GDS|"
    r"(?:A|H|B|GB|GH)(?:10|30|40|100|200|300)X?|[LT]4|L40S?|V100|P100)s?(?![A-Za-z\d])"
)

# Longest first within a family, so that "calibrations" does not stop at "calibration".
_SUFFIXES = (
    *("isations", "izations", "isation", "ization", "ations", "ation"),
    *("ising", "izing", "ised", "ized", "ises", "izes", "ise", "ize"),
    *("ating", "ated", "ates", "ate", "ings", "ing", "ions", "ion"),
    *("ies", "edly", "ed", "ers", "er", "es", "ly", "s", "e"),
)


def visible(text: str) -> str:
    """``"Set `a` to **1**"`` → ``"Set a to 1"``: what stands on the page, without Markdown's marks."""
    return " ".join(_MARKUP.sub("", text).split())


def tokens(text: str) -> list[str]:
    """``"INT4 weights, 18 GB"`` → ``["int", "4", "weights", "18", "gb"]``."""
    return [token.lower() for token in _TOKEN.findall(visible(text))]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """``quantised``, ``quantises``, ``quantisation`` → ``quant``: a light stem for matching, not for show."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            base = word[: -len(suffix)]
            # "pruning" and "prune" meet, and so do "batched" and "batching", "stopped" and "stop".
            return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sl" else base
    return word


@lru_cache(maxsize=16384)
def content_stems(text: str) -> tuple[str, ...]:
    """Stems of the words that carry meaning; numbers become ``#``, stop words go."""
    found = []
    for token in tokens(text):
        base = stem(token)
        if token[0].isdigit():
            found.append("#")
        elif len(token) > 1 and token not in STOP and base not in STOP:
            found.append(base)
    return tuple(found)


def numbers(text: str) -> list[float]:
    """``"1,120 ms of 2e-5"`` → ``[1120.0, 2e-05]``."""
    found = (number.replace(",", "") for number in _NUMBER.findall(visible(text)))
    return [float(number) for number in found if number.count(".") <= 1]


def names_product(text: str) -> bool:
    """Whether a text names a product, library or card of NVIDIA's."""
    return _PRODUCTS.search(visible(text)) is not None
