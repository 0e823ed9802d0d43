"""``sim predict`` on serving tables: readings of rows, refusals, published anchors."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.app.simulate.predicting import predict
from burnin.app.simulate.predicting.serving_tables import stored_precision
from burnin.app.simulate.predicting.tables import Row
from burnin.catalog import load

ROWS = """
tables:
- id: nim_llama33_70b_2xh100_fp8_tp2_5000_500
  rows:
  - {concurrency: 1, ttft_ms: 406.77, itl_ms: 18.58, out_tok_s: 51.67}
  - {concurrency: 150, ttft_ms: 34794.22, itl_ms: 92.86, out_tok_s: 920.9}
- id: trtllm_0_9_static_batch
  rows:
  - {model: LLaMA 70B, gpu: H100, precision: fp8, batch: 64, tp: 4, isl: 128, osl: 2048, out_tok_s_per_gpu: 1000}
- id: trtllm_9_9_max_throughput
  rows:
  - {model: Llama-3.3-70B-Instruct-FP8, gpu: H200, precision: fp8, tp: 2, isl: 1000, osl: 1000, out_tok_s: 4574.1}
- id: someones_curve
  rows:
  - {model: gpt-oss-120b, system: b200_sxm, backend: vllm, isl: 1024, osl: 1024, concurrency: 16, tp: 2, tpot_ms: 5}
  - {model: nobody-7b, system: b200_sxm, backend: vllm, isl: 1024, osl: 1024, concurrency: 16, tp: 2, tpot_ms: 5}
  - {model: Qwen3-32B, system: z9, backend: vllm, isl: 1024, osl: 1024, concurrency: 16, tp: 2, tpot_ms: 5}
  - {model: Llama-3.1-405B, system: h100_sxm, backend: vllm, isl: 10, osl: 10, concurrency: 16, tp: 1, tpot_ms: 5}
  - {model: Qwen3-32B, system: h100_sxm, backend: abacus, isl: 10, osl: 10, concurrency: 16, tp: 1, tpot_ms: 5}
  - {model: Qwen3-32B, system: h100_sxm, backend: vllm, osl: 10, concurrency: 16, tp: 1, tpot_ms: 5}
  - {model: nemotron-3-nano, system: h100_sxm, backend: vllm, isl: 10, osl: 10, concurrency: 16, tpot_ms: 5}
- id: something_else
  rows:
  - {colour: red}
"""


@pytest.fixture
def result(tmp_path: Path) -> dict:
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS, encoding="utf-8")
    return predict(load(), [path])


def test_every_measured_metric_has_a_value_or_a_reason(result: dict) -> None:
    assert len(result["rows"]) == 6 + 1 + 1 + 7
    assert all((row["predicted"] is None) == (row["why_not"] is not None) for row in result["rows"])
    reasons = [row["why_not"] for row in result["rows"] if row["table"] == "someones_curve"]
    assert reasons == [
        None,
        "unknown_model",
        "unknown_gpu",
        "does_not_fit",
        "missing_field",
        "missing_field",
        "unsupported_architecture",
    ]
    assert result["not_predicted"] == ["something_else"]


def test_a_published_saturation_is_met(result: dict) -> None:
    """NIM 1.8, Llama 3.3 70B on two H100: within a quarter alone, and once the cache is full."""
    curve = [row for row in result["rows"] if row["table"].startswith("nim_")]
    assert len(curve) == 6
    assert all(0.75 < row["ratio"] < 1.25 for row in curve)


def test_classes_and_names_by_suffix(result: dict) -> None:
    mixture = next(row for row in result["rows"] if row["table"] == "someones_curve")
    assert mixture["class"] == "moe"
    unseen = next(row for row in result["rows"] if row["table"] == "trtllm_9_9_max_throughput")
    assert unseen["class"] == "dense"
    assert 0.5 < unseen["ratio"] < 2


@pytest.mark.parametrize(
    ("stated", "name", "found"),
    [
        ("", "Qwen3-32B-NVFP4", "fp4"),
        ("", "Qwen3-235B-A22B-FP8", "fp8"),
        ("", "Qwen3-32B", "bf16"),
        ("NVFP4", "x", "fp4"),
    ],
)
def test_precision_is_the_rows_or_the_names(stated: str, name: str, found: str) -> None:
    row = Row(table="t", index=0, values={"precision": stated}, facts={})
    assert stored_precision(row, name) == found
