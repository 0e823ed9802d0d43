"""Rows to predictions: one result a metric, a word for what cannot be predicted, faults told with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.app.errors import BadRequest
from burnin.app.simulate.predicting import predict
from burnin.catalog import load

ROWS = """\
tables:
- id: zero_table1_model_states
  rows:
  - {model: "7.5B", dp: 64, baseline_gb: 120.0, zero1_gb: 31.406, zero2_gb: 16.641, zero3_gb: 1.875}
  - {model: "seven", dp: 64, baseline_gb: 120.0}
- id: korthikanti_fig1_activation_memory
  rows:
  - {model: "175B", mbs: 1, hidden: 12288, heads: 96, layers: 96, tp: 8, pp: 8, vpp: 3, no_recompute_gib: 66.84375, seqpar_selective_gib: 12.3515625}
- id: korthikanti_fig1_param_optimizer_gib
  rows:
  - {model: "530B", gib: 31.640625}
- id: megatron_sc21_table1
  hardware: "A100 80GB SXM, DGX A100 (8 GPUs), HDR InfiniBand 8 x 200 Gb/s a node"
  precision: fp16
  seq: 2048
  vocab: 51200
  rows:
  - {model: "1008B", heads: 160, hidden: 25600, layers: 128, tp: 8, pp: 64, dp: 6, gpus: 3072, batch: 3072, mbs: 1, vpp: 1, tflops_per_gpu: 163, aggregate_pflops: 502.0}
  - {model: "1008B", heads: 160, hidden: 25600, layers: 128, tp: 8, gpus: 3072, batch: 3072, tflops_per_gpu: 163}
- id: megatron_bridge_perf_archive
  rows:
  - {model: "GPT OSS 120B", task: Pre-Training, release: "26.04", system: DGX-GB300, precision: BF16, gpus: 64, gbs: 1280, mbs: 4, seq: 4096, fsdp: 0, tp: 1, pp: 1, cp: 1, vp: null, ep: 64, tokens_s_gpu: 19275.0, tflops_per_gpu: 524.0}
  - {model: "No Such Model", task: Pre-Training, system: DGX-GB300, precision: BF16, gpus: 64, gbs: 1280, mbs: 4, seq: 4096, tp: 1, pp: 1, cp: 1, ep: 64, tokens_s_gpu: 19275.0}
  - {model: "LLAMA3_70B", task: Pre-Training, system: DGX-Z900, precision: BF16, gpus: 64, gbs: 1280, mbs: 4, seq: 4096, tp: 1, pp: 1, cp: 1, ep: 1, tokens_s_gpu: 19275.0}
- id: something_else
  rows:
  - {value: 1}
"""


@pytest.fixture
def result(tmp_path: Path) -> dict:
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS, encoding="utf-8")
    return predict(load(), [path])


def rows_of(result: dict, table: str, index: int) -> dict:
    return {r["metric"]: r for r in result["rows"] if r["table"] == table and r["index"] == index}


def test_one_result_for_each_measured_metric_and_no_other(result: dict) -> None:
    assert set(rows_of(result, "zero_table1_model_states", 0)) == {
        "baseline_gb",
        "zero1_gb",
        "zero2_gb",
        "zero3_gb",
    }
    assert set(rows_of(result, "zero_table1_model_states", 1)) == {"baseline_gb"}
    assert set(rows_of(result, "megatron_sc21_table1", 0)) == {"tflops_per_gpu"}
    keys = {"table", "index", "metric", "class", "predicted", "published", "ratio", "why_not"}
    assert all(set(row) == keys for row in result["rows"])


def test_published_memory_is_met_within_a_thousandth(result: dict) -> None:
    for table in ("zero_table1_model_states", "korthikanti_fig1_activation_memory"):
        for row in rows_of(result, table, 0).values():
            assert row["ratio"] == pytest.approx(1, abs=1e-3)
            assert row["why_not"] is None
    assert rows_of(result, "korthikanti_fig1_param_optimizer_gib", 0)["gib"]["ratio"] == pytest.approx(1)


def test_what_cannot_be_predicted_says_why(result: dict) -> None:
    why = {(row["table"], row["index"]): row["why_not"] for row in result["rows"] if row["predicted"] is None}
    assert why == {
        ("zero_table1_model_states", 1): "unknown_model",
        ("megatron_sc21_table1", 1): "missing_field",
        ("megatron_bridge_perf_archive", 1): "unknown_model",
        ("megatron_bridge_perf_archive", 2): "unknown_gpu",
    }
    assert result["not_predicted"] == ["something_else"]


def test_classes_means_and_shares(result: dict) -> None:
    moe = rows_of(result, "megatron_bridge_perf_archive", 0)["tokens_s_gpu"]
    assert moe["class"] == "moe"
    key = "megatron_bridge_perf_archive/tokens_s_gpu/moe"
    assert result["mape_percent"][key] == pytest.approx(100 * abs(moe["ratio"] - 1))
    assert result["modelled_percent"]["megatron_bridge_perf_archive"] == pytest.approx(100 / 3)
    assert result["modelled_percent"]["zero_table1_model_states"] == pytest.approx(80)


def test_a_published_trillion_parameter_run_is_met(result: dict) -> None:
    """163 TFLOP/s on 3,072 A100s: arXiv 2104.04473, table 1."""
    assert rows_of(result, "megatron_sc21_table1", 0)["tflops_per_gpu"]["ratio"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tables: [{rows: []}]", "rows.yaml:1: a table needs an id"),
        ("tables:\n- id: x\n  rows: 3\n", "rows.yaml:2: table 'x' needs a list of rows"),
        ("rows: []", "list 'tables'"),
        ("tables: [", "not valid YAML"),
    ],
)
def test_a_file_of_another_form_is_one_clear_message(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRequest, match=message):
        predict(load(), [path])


def test_own_model_and_card_are_predicted_without_a_code_change(tmp_path: Path) -> None:
    own = tmp_path / "content"
    (own / "models").mkdir(parents=True)
    (own / "models" / "mine.yaml").write_text(
        "schema: 1\nmodels:\n- {id: my-model, name: My Model, family: Own, layers: 32, hidden: 4096, ffn: 14336, "
        "heads: 32, kv_heads: 8, head_dim: 128, vocab: 128256, assumptions: [layers, hidden, ffn, heads, "
        "kv_heads, head_dim, vocab]}\n",
        encoding="utf-8",
    )
    rows = tmp_path / "rows.yaml"
    rows.write_text(
        "tables:\n- id: megatron_bridge_perf_archive\n  rows:\n  - {model: My_Model, system: DGX-H100, precision: "
        "FP8, gpus: 8, gbs: 128, mbs: 1, seq: 8192, tp: 1, pp: 1, cp: 2, tokens_s_gpu: 12000}\n",
        encoding="utf-8",
    )
    row = predict(load(tmp_path), [rows])["rows"][0]
    assert row["why_not"] is None
    assert 6000 < row["predicted"] < 24000
