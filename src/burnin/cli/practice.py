"""``burnin practice``"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from burnin.cli.exam import with_services
from burnin.cli.output import as_json, print_json, table

if TYPE_CHECKING:
    from burnin.app.wiring import Services


@click.command()
@click.argument("code", required=False)
@click.option("--domain", multiple=True, help="Domain id; repeat for several.")
@click.option("--objective", multiple=True, help="Objective as domain/id.")
@click.option("--focus", multiple=True, help="Focus point as domain/id.")
@click.option("--trap", multiple=True, help="Trap of the blueprint, or any misconception, by id.")
@click.option("--misconception", multiple=True, help="Questions where a wrong option carries it.")
@click.option("--missed", is_flag=True, help="Answered wrongly the last time.")
@click.option("--flagged", is_flag=True, help="Flagged the last time.")
@click.option("--slow", is_flag=True, help="Took over one and a half times the estimate the last time.")
@click.option("--unsure", is_flag=True, help="Rated unsure or guess the last time.")
@click.option("--unseen", is_flag=True, help="Never looked at.")
@click.option("--computed", is_flag=True, help="Also questions with computed numbers, new each time.")
@click.option("--count", type=click.IntRange(1, 300), default=20, show_default=True, help="At most so many.")
@click.option("--minutes", type=click.IntRange(min=1), help="No more than can be worked in that time.")
@click.option("--timed", is_flag=True, help="With a clock, reasons at the end; default: reasons at once.")
@click.option("--seed", type=click.IntRange(min=0), help="Same wish, history and seed: same questions.")
@click.option("--redo", metavar="SITTING", help="The questions of a sitting again, computed ones renumbered.")
@click.option("--list", "only_list", is_flag=True, help="Only say how many questions are meant.")
@as_json
def practice(
    code: str | None,
    domain: tuple[str, ...],
    objective: tuple[str, ...],
    focus: tuple[str, ...],
    trap: tuple[str, ...],
    misconception: tuple[str, ...],
    missed: bool,
    flagged: bool,
    slow: bool,
    unsure: bool,
    unseen: bool,
    computed: bool,
    count: int,
    minutes: int | None,
    timed: bool,
    seed: int | None,
    redo: str | None,
    only_list: bool,
    as_json: bool,
) -> None:
    """Practise questions of your choice in the terminal. It is never exam evidence.

    Example: burnin practice NCP-GENL --domain evaluation --missed --unsure
    """
    if (code is None) == (redo is None):
        raise click.UsageError("Name an exam, or a sitting with --redo.")
    if as_json and not only_list:
        raise click.UsageError("--json goes with --list: practice itself is a dialogue.")

    async def run(services: Services) -> None:
        from burnin.app.practice import Conditions, Selection
        from burnin.cli.terminal import TerminalSitting, show_rules

        chosen = Conditions.TIMED if timed else Conditions.TUTOR
        if redo is not None:
            sitting = await services.practice.redo(redo, conditions=chosen, seed=seed)
        else:
            assert code is not None
            wish = Selection(
                domains=domain,
                objectives=objective,
                focus=focus,
                misconceptions=(*trap, *misconception),
                missed=missed,
                flagged=flagged,
                slow=slow,
                unsure=unsure,
                unseen=unseen,
            )
            if only_list:
                meant = await services.practice.matching(code, wish, computed=computed)
                if as_json:
                    print_json(
                        {
                            "exam": meant.exam,
                            "items": meant.items,
                            "domains": meant.by_domain,
                            "kept_back": meant.kept_back,
                        }
                    )
                else:
                    rows = [[name, str(n)] for name, n in meant.by_domain.items() if n]
                    table(f"{meant.exam}: {meant.items} questions", ["Domain", "Questions"], rows)
                return
            sitting = await services.practice.create(
                code, wish, conditions=chosen, count=count, minutes=minutes, computed=computed, seed=seed
            )
        show_rules(chosen)
        await TerminalSitting(services, sitting).run()

    with_services(run)
