"""Hardware and models as data: own files work, faults name file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnin.catalog.compiling import compile_folder, pack, unpack
from burnin.catalog.loading import load

from .content import line_of, write

GPU = """\
schema: 1
gpus:
- id: my-card
  name: My card
  architecture: Own
  memory_gb: 48
  memory_gib: 44
  memory_gb_s: 1000
  dense_tflops: {bf16: 300, fp8: 600}
  nvlink_gb_s_total: 0
  pcie_gb_s: 32
  tdp_w: 300
  price_usd_hour: 1
  sources: [{source: paper-one, locator: table 1}]
  assumptions: [price_usd_hour]
clusters:
- {id: my-rack, name: My rack, gpu: my-card, gpus_per_node: 4, nvlink_domain: 1, network_gbit_s: 100, nvlink_latency_us: 3, network_latency_us: 6, host_memory_gb: 500, nvme_gb_s: 10, overhead_w_per_gpu: 100, assumptions: [gpus_per_node, nvlink_domain, network_gbit_s, nvlink_latency_us, network_latency_us, host_memory_gb, nvme_gb_s, overhead_w_per_gpu]}
"""

MODEL = """\
schema: 1
models:
- id: my-model
  name: My model
  family: Own
  layers: 4
  hidden: 64
  ffn: 256
  heads: 8
  kv_heads: 2
  head_dim: 8
  vocab: 1000
  sources: [{source: paper-one, locator: table 2}]
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def folder_with(path: Path, gpu: str = GPU, model: str = MODEL) -> Path:
    write(path)
    for name, text in (("hardware/h.yaml", gpu), ("models/m.yaml", model)):
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_own_cards_clusters_and_models_are_read_and_survive_packing(tmp_path: Path) -> None:
    bundle, problems = compile_folder(folder_with(tmp_path))
    assert problems == []
    assert unpack(pack(bundle)) == bundle
    assert bundle.gpus[0].dense_tflops == {"bf16": 300, "fp8": 600}
    assert bundle.clusters[0].network_gb_s == 12.5
    assert bundle.models[0].attention == "gqa"


def test_a_home_folder_adds_a_card_to_the_built_in_ones(tmp_path: Path) -> None:
    built_in = folder_with(tmp_path / "built-in")
    own = tmp_path / "home" / "content" / "hardware"
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text(
        GPU[: GPU.index("clusters:")].replace("my-card", "other-card"), encoding="utf-8"
    )
    catalog = load(tmp_path / "home", built_in=built_in)
    assert set(catalog.gpus) == {"my-card", "other-card"}
    assert catalog.problems == ()


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "message"),
    [
        ("h", "memory_gb: 48", "memory_gb: -48", "gpus[0].memory_gb", "expected `float` > 0.0"),
        ("h", "gpu: my-card", "gpu: no-card", "clusters[0].gpu", "no GPU 'no-card'"),
        ("h", "assumptions: [price_usd_hour]", "assumptions: [price]", "gpus[0].assumptions", "no field"),
        (
            "h",
            "sources: [{source: paper-one, locator: table 1}]",
            "sources: [{source: paper-one, locator: t, fields: [memory_gb]}]",
            "gpus[0].tdp_w",
            "stands without a source",
        ),
        ("m", "kv_heads: 2", "kv_heads: 3", "models[0].kv_heads", "cannot share"),
        ("m", "ffn: 256", "ffn: 0", "models[0].ffn", "needs a width"),
        ("m", "source: paper-one", "source: paper-two", "models[0].sources[0].source", "no source"),
        ("m", "vocab: 1000", "vocab: 1000\n  window: 128", "models[0].window", "go together"),
    ],
)
def test_a_fault_is_told_with_file_line_and_field_and_the_rest_still_loads(
    tmp_path: Path, file: str, old: str, new: str, field: str, message: str
) -> None:
    texts = {"h": GPU, "m": MODEL}
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    folder = folder_with(tmp_path, texts["h"], texts["m"])
    bundle, problems = compile_folder(folder)
    name = {"h": "hardware/h.yaml", "m": "models/m.yaml"}[file]
    assert any(p.file == name and p.field == field and message in p.message for p in problems), problems
    if field.endswith(("memory_gb", "kv_heads")):
        key = field.rpartition(".")[2]
        assert {p.line for p in problems if p.field == field} == {line_of(folder, name, f"{key}:")}
    assert len(bundle.items) == 2


def test_the_built_in_hardware_and_models_are_sound() -> None:
    catalog = load()
    assert not [p for p in catalog.problems if p.file.startswith(("hardware/", "models/", "sources/systems"))]
    assert {"v100-sxm2-32gb", "h100-sxm5-80gb", "gb300"} <= set(catalog.gpus)
    assert {m.attention for m in catalog.models.values()} == {"mha", "mqa", "gqa", "mla"}


def test_names_and_aliases_point_to_one_entry_each() -> None:
    catalog = load()
    for kind in (catalog.gpus, catalog.clusters, catalog.models):
        names = [
            n
            for noun in kind.values()
            for n in {name.lower() for name in (noun.id, noun.name, *noun.aliases)}
        ]
        assert len(names) == len(set(names))
