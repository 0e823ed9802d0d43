"""An outsider's way to an item of her own: new, check, fill in, preview, sit."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.test_commands import burnin, object_of

NEW = ("bank", "new", "own-zero", "--exam", "NCP-GENL", "--objective", "gpu-acceleration/zero-memory")

FILLED = {
    "TODO: a system with numbers, a limit, and one thing to decide.": (
        "A team trains 13 billion parameters on 32 cards with plain data parallelism and mixed-precision "
        "Adam. Each card has room for 60 GB of model states. Traffic may not grow. Which stage suits?"
    ),
    "TODO the right option": "Shard optimizer states and gradients",
    "TODO why, with the number or mechanism.": (
        "2 bytes of weights stay whole (26 GB) and 14 bytes are shared by 32, 5.7 GB: 31.7 GB at equal traffic."
    ),
    "TODO what somebody with a mistake would choose (1)": "Shard parameters as well as the rest",
    "TODO what somebody with a mistake would choose (2)": "Shard nothing and halve the batch size",
    "TODO what somebody with a mistake would choose (3)": "Shard the forward activations alone",
    "TODO under what changed facts this would be right.": "If half as much traffic again were allowed.",
    "TODO which mistake leads here, and what is true.": "It is taken for free, or for model state; the traffic or the 208 GB say otherwise.",
    "{source: todo-source, locator: TODO section}": "{source: arxiv-1910.02054, locator: section 5}",
}


def test_new_check_fill_in_preview_and_sample(tmp_path: Path) -> None:
    made = burnin(tmp_path, *NEW)
    assert made.returncode == 0, made.stderr
    path = Path(made.stdout.strip())
    assert path == tmp_path / "content" / "items" / "own-zero.yaml"
    assert "burnin practice NCP-GENL --objective gpu-acceleration/zero-memory --unseen" in made.stderr

    unfinished = burnin(tmp_path, "bank", "check")
    assert unfinished.returncode == 1
    assert "own-zero.yaml" in unfinished.stderr
    # Everything that is missing, at once, and by the item's id too.
    looked = burnin(tmp_path, "bank", "preview", "own-zero")
    assert looked.returncode == 1
    for told in (unfinished.stderr, looked.stdout):
        assert "no source 'todo-source'" in told
        for field in (
            "stem",
            "options[0].text",
            "options[1].flip",
            "options[3].reason",
            "sources[0].locator",
        ):
            assert f"items[0].{field}: still says TODO" in told

    text = path.read_text(encoding="utf-8")
    for todo, words in FILLED.items():
        assert todo in text, todo
        text = text.replace(todo, words)
    text = text.replace('    reason: "It is', '    misconception: zero-free-of-cost\n    reason: "It is', 1)
    path.write_text(text, encoding="utf-8")
    sound = burnin(tmp_path, "bank", "check")
    assert sound.returncode == 0, sound.stderr

    seen = burnin(tmp_path, "bank", "preview", "own-zero", "--json")
    assert object_of(seen)["item"]["key"] == ["right"]
    assert object_of(seen)["look_again"] == [], object_of(seen)["look_again"]
    assert seen.returncode == 0
    shown = burnin(tmp_path, "bank", "preview", "own-zero")
    assert "Would be right: If half as much traffic" in shown.stdout


def test_a_todo_left_anywhere_keeps_an_item_out(tmp_path: Path) -> None:
    path = Path(burnin(tmp_path, *NEW).stdout.strip())
    whole = filled(path.read_text(encoding="utf-8"))
    for words, field in (
        ("Shard nothing and halve", "options[2].text"),
        ("the traffic or the 208 GB say otherwise", "options[1].reason"),
        ("locator: section 5", "sources[0].locator"),
    ):
        path.write_text(whole.replace(words, f"{words} TODO look up", 1), encoding="utf-8")
        told = burnin(tmp_path, "bank", "check")
        assert told.returncode == 1
        assert f"items[0].{field}: still says TODO" in told.stderr
    # A linter's finding in a stem is no gap.
    path.write_text(whole.replace("Shard nothing and halve", "Keep `# TODO` and halve", 1), encoding="utf-8")
    assert burnin(tmp_path, "bank", "check").returncode == 0


def filled(text: str) -> str:
    for todo, words in FILLED.items():
        text = text.replace(todo, words)
    return text


def test_preview_names_what_gives_an_item_away_in_a_file_anywhere(tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    path = Path(burnin(tmp_path, *NEW, "--out", str(drafts)).stdout.strip())
    assert path == drafts / "own-zero.yaml"
    text = filled(path.read_text(encoding="utf-8"))
    text = text.replace(
        "Shard optimizer states and gradients",
        "Usually shard 14 of the 16 bytes, since these are optimizer states and gradients, and keep traffic",
    )
    text = text.replace("2 bytes of weights stay whole", "Less").replace(
        " (26 GB) and 14 bytes are shared by 32, 5.7 GB: 31.7 GB at equal traffic.", "."
    )
    path.write_text(text, encoding="utf-8")
    seen = burnin(tmp_path, "bank", "preview", str(path))
    assert seen.returncode == 1
    for words in ("by far the longest", "hedges", "too short", "(misconception)"):
        assert words in seen.stdout, words
    assert burnin(tmp_path, "bank", "check").returncode == 0  # drafts are no content yet


def test_a_draft_too_like_an_item_of_the_bank_is_told(tmp_path: Path) -> None:
    whole = object_of(burnin(tmp_path, "bank", "preview", "genl-gpu-slowest-stage", "--json"))["item"]
    path = Path(burnin(tmp_path, *NEW, "--out", str(tmp_path / "drafts")).stdout.strip())
    text = filled(path.read_text(encoding="utf-8"))
    head, _, rest = text.partition("  stem: |\n")
    stem = "".join(f"    {line}\n" for line in whole["stem"].splitlines())
    options = iter(json.dumps(option["text"]) for option in whole["options"])
    rest = re.sub(r"text: .*", lambda _: f"text: {next(options)}", rest.partition("  options:")[2])
    path.write_text(f"{head}  stem: |\n{stem}  options:{rest}", encoding="utf-8")
    seen = burnin(tmp_path, "bank", "preview", str(path), "--json")
    again = object_of(seen)["look_again"]
    assert any("genl-gpu-slowest-stage" in line for line in again), again


def test_nothing_is_overwritten_and_bad_wishes_are_told(tmp_path: Path) -> None:
    assert burnin(tmp_path, *NEW).returncode == 0
    again = burnin(tmp_path, *NEW)
    assert again.returncode == 2
    for arguments, words in (
        (("own-x", "--exam", "NOPE", "--objective", "a/b"), "no exam"),
        (("own-x", "--exam", "NCP-GENL", "--objective", "nowhere/b"), "no domain"),
        (("own-x", "--exam", "NCP-GENL", "--objective", "evaluation/none"), "has objectives"),
        (("Own X", "--exam", "NCP-GENL", "--objective", "evaluation/judges"), "is no id"),
    ):
        done = burnin(tmp_path, "bank", "new", *arguments)
        assert done.returncode == 2
        assert words in done.stderr
    assert burnin(tmp_path, "bank", "preview", "nothing").returncode == 2
    absent = burnin(tmp_path, "bank", "preview", "nothing.yaml")
    assert absent.returncode == 2
    assert "cannot be read" in absent.stderr
    (tmp_path / "broken.yaml").write_text("items: [", encoding="utf-8")
    broken = burnin(tmp_path, "bank", "preview", str(tmp_path / "broken.yaml"))
    assert broken.returncode == 1
    assert "broken.yaml" in broken.stdout
