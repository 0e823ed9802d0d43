"""``burnin bank``"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from burnin.cli.output import as_json, catalogue, home, print_json, table

if TYPE_CHECKING:
    from burnin.app.inspect import Catalog, Shown


@click.group()
def bank() -> None:
    """The question bank."""


@bank.command()
@as_json
def stats(as_json: bool) -> None:
    """Count items by exam, domain, objective, focus point, trap and official number."""
    from burnin.app.inspect import stats as count

    counted = count(catalogue())
    if as_json:
        print_json(counted)
        return
    for code, exam in counted["exams"].items():
        rows = [
            [
                str(domain["items_static"]),
                f"{domain['weight']} %",
                name,
                _covered(domain["objectives"]),
                _covered(domain["focus"]),
                _covered(domain["traps"]),
                _covered(domain["official"]),
            ]
            for name, domain in exam["domains"].items()
        ]
        title = (
            f"{code}: {exam['items_static']} items, {exam['scenario']} scenarios, {exam['multiple']} choose-N, "
            f"{exam['with_flip_point']} with a flip point"
        )
        table(title, ["Items", "Weight", "Domain", "Objectives", "Focus", "Traps", "Official"], rows)
        click.echo("")
    click.echo(
        f"{counted['items_static']} items in all; {counted['misconceptions']} misconceptions, "
        f"{counted['sources']} sources, {counted['exhibits']} exhibits. "
        "3/4 means: three of four have at least one item."
    )


def _covered(counts: dict[str, int]) -> str:
    return f"{sum(n > 0 for n in counts.values())}/{len(counts)}"


@bank.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@as_json
def check(folder: Path | None, as_json: bool) -> None:
    """Check content files: each fault with file, line and field.

    FOLDER is a content folder (with items/, sources/ …); without it the built-in
    content and your own in BURNIN_HOME/content are checked.

    Example: burnin bank check ./my-content
    """
    from burnin.app.inspect import check as check_content

    checked = check_content(folder, home())
    if as_json:
        problems = [
            {"file": p.file, "line": p.line, "field": p.field, "message": p.message} for p in checked.problems
        ]
        print_json({"items": checked.items, "problems": problems, "passed": checked.passed})
    else:
        for problem in checked.problems:
            click.echo(str(problem), err=True)
        count = len(checked.problems)
        click.echo(f"{checked.items} items stand; {count} problem{'s' * (count != 1)}.")
    sys.exit(0 if checked.passed else 1)


@bank.command()
@click.option("--why", is_flag=True, help="Name the items behind each figure.")
@as_json
def audit(why: bool, as_json: bool) -> None:
    """Measure what the options give away, and what stands twice; exit status 1 if a bar fails.

    Picks without reading the stem (the longest option, a trained guesser over the options' form)
    are set against chance; a bar fails where the excess is beyond chance and three points or more.
    docs/quality/audit.md says how each figure is made and what it cannot see.

    Example: burnin bank audit --why
    """
    from burnin.app.inspect import audit as measure

    measured = measure(catalogue())
    if as_json:
        print_json(measured)
    else:
        _audit_table(measured)
        if why:
            _audit_reasons(measured)
    sys.exit(0 if measured["passed"] else 1)


_AUDIT_WORDS = {
    "longest_correct": ("Longest is right", "rate", "chance"),
    "options_only": ("Guesser sees options only", "accuracy", "chance"),
    "brand": ("NVIDIA named: right, wrong", "correct", "wrong"),
    "stem_overlap": ("Nearest to stem is right", "rate", "chance"),
}


def _audit_table(measured: dict[str, Any]) -> None:
    def verdict(name: str) -> str:
        return {True: "holds", False: "FAILS", None: "told only"}[measured["bars"].get(name)]

    rows = [
        [
            words,
            f"{measured[name][first]:.1%}",
            f"{measured[name][second]:.1%}",
            f"{100 * measured[name]['lower95']:+.1f} points",
            verdict(name),
        ]
        for name, (words, first, second) in _AUDIT_WORDS.items()
    ]
    counts = {
        "options_without_reason": ("Options without a reason", measured["options_without_reason"]),
        "items_without_source": ("Items without a source", measured["items_without_source"]),
        "near_duplicates": ("Near-duplicate pairs", len(measured["near_duplicates"])),
        "distractor_reuse_max": (
            "Uses of one wrong option",
            measured["distractor_reuse_max"],
        ),
        "stem_leak": ("Stem leaks into right option", len(measured["stem_leak"])),
    }
    rows += [[words, str(count), "", "", verdict(name)] for name, (words, count) in counts.items()]
    table(f"{measured['items']} items", ["Measure", "Here", "Against", "Excess over", "Bar"], rows)
    click.echo(
        "The audit passes." if measured["passed"] else "The audit does not pass; --why names the items."
    )


def _audit_reasons(measured: dict[str, Any]) -> None:
    details = measured["details"]
    lists = {
        "Right option longest (by characters)": [
            f"{entry['item']} (+{entry['longer_by']})" for entry in details["longest_correct"]
        ],
        "Cues the guesser leans on (log-odds a standard deviation)": [
            f"{entry['cue']} ({entry['log_odds']:+.2f})" for entry in details["options_only"]["cues"]
        ],
        "Told from the options (belief in the key over an even spread)": [
            f"{entry['item']} ({entry['lift']:.2f})" for entry in details["options_only"]["told"]
        ],
        "Cues that set right options apart (standard errors; items with more, with less)": [
            f"{entry['cue']} ({entry['z']:+.1f}; {len(entry['more_in_right'])}, {len(entry['less_in_right'])})"
            for entry in details["tells"]
        ],
        "Product names more in right options": details["brand"]["more_in_right"],
        "Product names more in wrong options": details["brand"]["more_in_wrong"],
        "Near-duplicates": [f"{a} ~ {b} ({alike:.2f})" for a, b, alike in measured["near_duplicates"]],
        "Wrong options used again": [
            f"{entry['words']}: {', '.join(entry['items'])}" for entry in details["reused_distractors"]
        ],
        "Stem keywords in the right option alone": [
            f"{item}: {', '.join(words)}" for item, words in details["stem_leak"].items()
        ],
        "Nearest to the stem and right": details["stem_overlap"],
        "Options without a reason": details["options_without_reason"],
        "Items without a source": details["items_without_source"],
    }
    for title, entries in lists.items():
        if entries:
            click.secho(f"\n{title}: {len(entries)}", bold=True)
            for entry in entries:
                click.echo(f"  {entry}")


@bank.command()
@as_json
def coverage(as_json: bool) -> None:
    """Set the items against what an examiner could ask: concepts with and without an item.

    Example: burnin bank coverage --json
    """
    from burnin.app.inspect import coverage as covered

    found = covered(catalogue())
    if as_json:
        print_json(found)
        return
    for code, exam in found["exams"].items():
        rows = [
            [str(counts["concepts"]), str(counts["with_item"]), reference]
            for reference, counts in exam["objectives"].items()
        ]
        table(
            f"{code}: {exam['with_item']} of {exam['concepts']} concepts are asked",
            ["Concepts", "Asked", "Objective"],
            rows,
        )
    for concept in found["missing"]:
        click.echo(f"no item asks {concept}")


@bank.command()
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(min=0),
    default=180,
    show_default=True,
    help="Days since the last check.",
)
@as_json
def freshness(days: int, as_json: bool) -> None:
    """Say when claims were last checked, and which product versions items lean on.

    Example: burnin bank freshness --older-than 90
    """
    from datetime import UTC, datetime

    from burnin.app.inspect import freshness as measure
    from burnin.figures.freshness import freshness_text

    found = measure(catalogue(), datetime.now(UTC).date(), older_than_days=days)
    if as_json:
        print_json(found)
    else:
        click.echo(freshness_text(found))


@bank.command()
@click.argument("item_id")
@click.option("--exam", "code", required=True, help="Exam code.")
@click.option("--objective", required=True, metavar="DOMAIN/OBJECTIVE", help="What it asks.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder; default: BURNIN_HOME/content/items.",
)
def new(item_id: str, code: str, objective: str, out: Path | None) -> None:
    """Start an item of your own: write a file with everything it needs, told in comments.

    Example: burnin bank new own-zero-traffic --exam NCP-GENL --objective gpu-acceleration/zero-memory
    """
    from datetime import UTC, datetime

    from burnin.app.inspect import new_file, starter

    text = starter(catalogue(), item_id, code, objective, datetime.now(UTC).date())
    path = new_file(out or home() / "content" / "items", item_id, text)
    click.echo(f"{path}")
    click.echo(f"Fill it in, then: burnin bank check && burnin bank preview {item_id}", err=True)
    click.echo(f"To be asked it: burnin practice {code} --objective {objective} --unseen", err=True)


@bank.command()
@click.argument("target", metavar="ID|FILE")
@as_json
def preview(target: str, as_json: bool) -> None:
    """Show an item, or every item of a file, as a sitting does: every reason, what is missing, what its
    form gives away.

    Exit status 1 where the author should look again.

    Examples: burnin bank preview genl-gpu-slowest-stage; burnin bank preview drafts/own.yaml
    """
    from burnin.app.inspect import Shown, plain_item
    from burnin.app.inspect import preview as look_at

    seen = look_at(catalogue(), home(), target)
    entries = [
        (Shown(item=item, order=tuple(o.id for o in item.options)), found) for item, found in seen.items
    ]
    if as_json:
        plain = [
            {"item": plain_item(seen.catalog, entry, key=True), "look_again": list(found)}
            for entry, found in entries
        ]
        problems = [str(problem) for problem in seen.problems]
        first = plain[0] if len(plain) == 1 else {}
        print_json({**first, "items": plain, "problems": problems, "passed": seen.passed})
    else:
        for entry, found in entries:
            _print(seen.catalog, [entry], True, False)
            for line in found:
                click.secho(f"Look again: {line}", fg="yellow")
            if not found:
                click.echo("Nothing in its form gives it away.")
        for problem in seen.problems:
            click.secho(f"To mend: {problem}", fg="yellow")
        if not entries:
            click.echo("It is shown once these are mended.")
    sys.exit(0 if seen.passed else 1)


@bank.command()
@click.argument("item_id")
@click.option("--key", is_flag=True, help="Show key, reasons, flip points and sources.")
@as_json
def show(item_id: str, key: bool, as_json: bool) -> None:
    """Show one item.

    Example: burnin bank show genl-gpu-zero3-traffic --key
    """
    from burnin.app.inspect import shown

    catalog = catalogue()
    _print(catalog, [shown(catalog, item_id)], key, as_json)


@bank.command()
@click.option("--exam", "code", required=True, help="Exam code.")
@click.option("-n", "--number", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same bank: same sample.")
@click.option("--domain", help="Only this domain.")
@click.option("--key", is_flag=True, help="Show key, reasons, flip points and sources.")
@as_json
def sample(code: str, number: int, seed: int, domain: str | None, key: bool, as_json: bool) -> None:
    """Draw items at random, options shuffled.

    Example: burnin bank sample --exam NCA-GENM -n 5 --seed 7
    """
    from burnin.app.inspect import sample as draw

    catalog = catalogue()
    drawn = draw(catalog, code, number=number, seed=seed, domain=domain)
    if len(drawn) < number:
        click.echo(f"only {len(drawn)} items to draw from", err=True)
    _print(catalog, drawn, key, as_json)


@bank.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write the files into this folder."
)
def schema(out: Path | None) -> None:
    """Print the JSON Schemas of the content files, or write them to a folder.

    Example: burnin bank schema --out ./schema
    """
    from burnin.app.inspect import json_schemas

    schemas = json_schemas()
    if out is None:
        print_json({name: json.loads(body) for name, body in schemas.items()})
        return
    out.mkdir(parents=True, exist_ok=True)
    for name, body in schemas.items():
        (out / name).write_bytes(body)
        click.echo(str(out / name))


def _print(catalog: Catalog, items: list[Shown], key: bool, as_json: bool) -> None:
    from burnin.app.inspect import plain_item
    from burnin.figures.text import exhibit_text

    plain = [plain_item(catalog, entry, key=key) for entry in items]
    if as_json:
        print_json({"items": plain})
        return
    for entry in plain:
        click.secho(f"{entry['id']}  ({entry['exam']}, {entry['objective']})", bold=True)
        click.echo(f"\n{entry['stem']}\n")
        if entry["exhibit"]:
            click.echo(exhibit_text(catalog.exhibits[entry["exhibit"]["id"]]) + "\n")
        if entry["choose"] > 1:
            click.echo(f"Select {entry['choose']}.")
        for option in entry["options"]:
            mark = ("[right] " if option["correct"] else "[wrong] ") if key else "- "
            click.echo(f"{mark}{option['text']}")
            if key:
                click.echo(f"        {option['reason']}")
                if option["flip"]:
                    click.echo(f"        Would be right: {option['flip']}")
        for source in entry.get("sources", ()):
            click.echo(f"Source: {source['title']}, {source['locator']} <{source['url']}>")
        click.echo("")
