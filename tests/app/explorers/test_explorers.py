"""What explorers say against the models they stand on, and against the command that says the same."""

import json
import shlex
from urllib.parse import parse_qsl

import pytest
from click.testing import CliRunner

from burnin.app.simulate.explorers import EXPLORERS, explore
from burnin.cli.main import burnin
from burnin.systems.memory import training_memory
from burnin.systems.placement import coordinates
from burnin.systems.plan import Plan
from tests.systems.shapes import catalog, gpu, model


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("BURNIN_HOME", str(tmp_path))


def answer(name, **values):
    found = explore(EXPLORERS[name], catalog(), {key: str(value) for key, value in values.items()})
    assert found.view is not None, found.refusal
    return found.view


def command(view):
    words = shlex.split(view.command)
    assert words[0] == "burnin"
    done = CliRunner().invoke(burnin, [*words[1:], *(() if "--json" in words else ("--json",))])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_memory_is_that_of_the_model_and_its_parts_add_up():
    view = answer("memory", model="llama-3.1-70b", dp=64, zero=3, micro_batches=8)
    held = training_memory(
        model("llama-3.1-70b"),
        Plan(data=64, zero=3, global_batch=512, optimizer="adam-mixed"),
        gpu("h100-sxm5-80gb"),
    )
    (picture,) = view.pictures
    assert picture.total == pytest.approx(held.total / 2**30)
    assert view.verdict == "bad"
    assert f"Does not fit: {held.total / 2**30:.1f} of 79.7 GiB" in view.answer
    *parts, total = view.tables[0].rows
    assert sum(float(row[1]) for row in parts) == pytest.approx(float(total[1]), abs=0.05)


def test_the_smallest_change_named_is_a_link_that_fits():
    found = explore(EXPLORERS["memory"], catalog(), {"model": "llama-3.1-70b", "dp": "64", "zero": "3"})
    (change,) = found.view.changes
    there = explore(EXPLORERS["memory"], catalog(), dict(parse_qsl(found.to(change.values))))
    assert there.view.verdict == "good"
    assert change.words.partition(": ")[2] in found.view.answer


def test_offloaded_states_leave_the_card_and_stay_in_the_table():
    here = answer("memory", dp=1, zero=0)
    away = answer("memory", dp=1, zero=0, offload="states")
    gone = dict(here.pictures[0].parts)["optimizer states"]
    assert away.pictures[0].total == pytest.approx(here.pictures[0].total - gone)
    assert any(row[0] == "optimizer states, on the host" for row in away.tables[0].rows)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"model": "llama-3.1-70b", "dp": 2, "tp": 8, "pp": 4, "zero": 1, "micro": 2, "recompute": "full"},
        {"model": "mixtral-8x7b", "ep": 8, "flash": "off", "offload": "both", "fragmentation": 0.1},
    ],
)
def test_the_command_of_the_memory_page_gives_its_number(values):
    view = answer("memory", **values)
    said = command(view)
    assert said["total"]["gib"] == pytest.approx(view.pictures[0].total, rel=1e-6)
    assert said["fits"] == (view.verdict == "good")


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"schedule": "interleaved", "chunks": 4, "send_ms": 0.1},
        {"schedule": "zb-v", "stages": 5, "micro_batches": 11, "slow": 1.25, "activation_gib": 1.5},
    ],
)
def test_the_command_of_the_pipeline_page_gives_its_answer(values):
    view = answer("pipeline", **values)
    said = command(view)
    assert said["answer"] == view.answer
    assert max(block.end for block in view.pictures[0].blocks) == pytest.approx(said["makespan_ms"])


def test_a_slow_last_stage_is_the_last_one():
    blocks = answer("pipeline", slow=2, forward_ms=3).pictures[0].blocks
    lengths = {(block.lane, block.kind): block.end - block.start for block in blocks}
    assert lengths[0, 0] == 3
    assert lengths[3, 0] == 6


def test_schedules_at_the_same_size_link_to_themselves_and_say_why_not():
    view = answer("pipeline", stages=3, micro_batches=4)
    table = next(t for t in view.tables if "other schedules" in t.title)
    rows = dict(zip((row[0] for row in table.rows), zip(table.rows, table.links, strict=True), strict=True))
    assert rows["GPipe"][1] == {"schedule": "gpipe"}
    assert rows["1F1B (PipeDream-flush)"][1] is None
    row, link = rows["Interleaved 1F1B"]
    assert link is None
    assert "multiples of the 3 stages" in row[-1]


def test_thousands_of_passes_come_without_a_row_each():
    view = answer("pipeline", stages=16, micro_batches=64)
    assert len(view.pictures[0].blocks) == 2048
    assert max(len(table.rows) for table in view.tables) == 16


def test_ranks_that_share_a_letter_differ_in_that_coordinate_alone():
    view = answer("parallelism", tp=2, cp=2, dp=2, pp=2, rank=6, model="llama-3.1-8b")
    plan = Plan(tensor=2, context=2, data=2, pipeline=2)
    mine = coordinates(plan, 6)
    letters = {"tensor": "T", "context": "C", "data": "D", "pipeline": "P"}
    for rank, shared in enumerate(view.pictures[0].letters):
        theirs = coordinates(plan, rank)
        differ = [kind for kind in mine if mine[kind] != theirs[kind]]
        if rank == 6:
            assert set(shared) == set(letters.values())
        else:
            assert shared == (letters[differ[0]] if len(differ) == 1 else "")


def test_groups_and_their_domains_are_those_of_the_command():
    view = answer("parallelism", tp=4, dp=2, pp=4, rank=5)
    said = {group["kind"]: group for group in command(view)["groups"]}
    for row in view.tables[0].rows:
        assert (int(row[1]), int(row[2]), int(row[4])) == (
            said[row[0]]["size"],
            said[row[0]]["stride"],
            said[row[0]]["domains"],
        )
    assert "32 ranks on 4 nodes" in view.answer


def test_tensor_groups_across_nodes_are_told():
    assert answer("parallelism", tp=16, dp=1).verdict == "bad"
    assert "in every layer" in answer("parallelism", tp=16, dp=1).answer


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"rank": 8}, "There is no rank 8: the plan has ranks 0 to 7."),
        ({"tp": 64, "dp": 64}, "4,096 ranks"),
        ({"tp": 3}, "Tensor parallel 3 does not divide 64 heads"),
    ],
)
def test_contradictions_are_refused_in_words(values, why):
    found = explore(EXPLORERS["parallelism"], catalog(), {k: str(v) for k, v in values.items()})
    assert found.view is None
    assert why in found.refusal


@pytest.mark.parametrize(
    "values", [{}, {"model": "llama-3.1-8b", "gpus": 8, "tp": 1, "pp": 1, "zero": 3, "price": 4}]
)
def test_the_command_of_the_training_page_gives_its_numbers(values):
    view = answer("training", **values)
    said = command(view)
    assert view.pictures[0].total == pytest.approx(said["seconds"])
    assert view.pictures[1].here[1] == pytest.approx(said["tokens_s_gpu"])
    assert f"{said['usd_million_tokens']:.3g} US$" in view.answer


def test_no_plan_of_the_front_beats_another_and_the_best_is_the_fastest():
    view = answer("training")
    points = sorted(view.pictures[1].points)
    assert points == sorted(points, key=lambda p: p[1])
    assert f"reaches {points[-1][1]:,.0f}" in view.answer


def test_a_plan_of_the_front_opened_stands_on_the_front():
    found = explore(EXPLORERS["training"], catalog(), {})
    table = next(t for t in found.view.tables if t.links)
    for row, link in list(zip(table.rows, table.links, strict=True))[:3]:
        there = explore(EXPLORERS["training"], catalog(), dict(parse_qsl(found.to(link))))
        assert f"{there.view.pictures[1].here[1]:,.0f}" == row[5]
        assert f"{there.view.pictures[1].here[0]:.1f}" == row[7]


def test_gpus_that_do_not_divide_are_refused():
    found = explore(EXPLORERS["training"], catalog(), {"gpus": "60", "tp": "8"})
    assert "60 GPUs are no multiple of TP 8 x PP 4 x CP 1 = 32" in found.refusal
