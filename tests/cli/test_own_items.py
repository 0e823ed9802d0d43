"""An outsider's way to an item of her own: new, check, fill in, preview, sit."""

from __future__ import annotations

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
    "{source: TODO, locator: TODO section}": "{source: arxiv-1910.02054, locator: section 5}",
}


def test_new_check_fill_in_preview_and_sample(tmp_path: Path) -> None:
    made = burnin(tmp_path, *NEW)
    assert made.returncode == 0, made.stderr
    path = Path(made.stdout.strip())
    assert path == tmp_path / "content" / "items" / "own-zero.yaml"

    unfinished = burnin(tmp_path, "bank", "check")
    assert unfinished.returncode == 1
    assert "own-zero.yaml" in unfinished.stderr
    assert "must be a lower-case id" in unfinished.stderr or "no source" in unfinished.stderr

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


def test_preview_names_what_gives_an_item_away(tmp_path: Path) -> None:
    path = Path(burnin(tmp_path, *NEW).stdout.strip())
    text = path.read_text(encoding="utf-8").replace(
        "{source: TODO, locator: TODO section}", "{source: arxiv-1910.02054, locator: section 5}"
    )
    text = text.replace(
        "TODO the right option",
        "Usually shard 14 of the 16 bytes, since these are optimizer states and gradients, and keep traffic",
    )
    path.write_text(text, encoding="utf-8")
    seen = burnin(tmp_path, "bank", "preview", "own-zero")
    assert seen.returncode == 1
    for words in ("by far the longest", "hedges", "TODO stands in it", "too short"):
        assert words in seen.stdout, words


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
