from __future__ import annotations

import pytest

from burnin.bank.words import ABSOLUTES, HEDGES, content_stems, names_product, numbers, stem, tokens, visible


@pytest.mark.parametrize(
    "forms",
    [
        ("prune", "pruned", "prunes", "pruning"),
        ("batch", "batches", "batched", "batching"),
        ("stop", "stops", "stopped", "stopping"),
        ("quantise", "quantised", "quantisation", "quantize", "quantization"),
        ("loss", "losses"),
        ("calibrate", "calibrated", "calibration", "calibrating"),
    ],
)
def test_forms_of_a_word_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("batch", "bat"), ("recall", "recipe"), ("norm", "noise"), ("class", "clad")]
)
def test_different_words_do_not_meet(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_markup_is_not_counted() -> None:
    assert visible("Set `max_tokens` to **4**  *now*") == "Set max_tokens to 4 now"
    assert visible("2 * 3 and a_b") == "2 * 3 and a_b"


def test_tokens_split_numbers_from_words() -> None:
    assert tokens("INT4 weights, 18 GB") == ["int", "4", "weights", "18", "gb"]


def test_numbers() -> None:
    assert numbers("1,120 ms of 2e-5, 98 % at 0.25") == [1120.0, 2e-05, 98.0, 0.25]
    assert numbers("version 1.2.3 of GPT-J") == []
    assert numbers("H100 and v2") == []


def test_stop_words_go_and_numbers_become_one_word() -> None:
    assert content_stems("The two batches of 16 GB are pruned") == ("batch", "#", "gb", "prun")


@pytest.mark.parametrize(
    "text",
    [
        "Serve it with Triton",
        "Eight H100",
        "TensorRT-LLM",
        "an `nvidia-smi` line",
        "NIMs",
        "a cuDF frame",
        "`NCCL_P2P_DISABLE`",
        "Tensor Cores",
    ],
)
def test_products_are_known(text: str) -> None:
    assert names_product(text)


@pytest.mark.parametrize(
    "text",
    [
        "a canary release",
        "a triton of snails",
        "Adam and AdamW",
        "minimal change",
        "the Turing test",
        "BERT",
        "A10000 items",
        "GPU memory",
    ],
)
def test_other_words_are_no_products(text: str) -> None:
    assert not names_product(text)


def test_hedges_and_absolutes_are_apart() -> None:
    assert not HEDGES & ABSOLUTES
