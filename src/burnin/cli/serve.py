"""``burnin serve``"""

from __future__ import annotations

import click

from burnin.cli.output import home


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes any free port."
)
@click.option("--browser/--no-browser", default=True, help="Open a browser where there is one.")
def serve(port: int, browser: bool) -> None:
    """Start the web app on 127.0.0.1.

    Example: burnin serve --port 9000 --no-browser
    """
    from burnin.web.serve import serve as run

    run(host="127.0.0.1", port=port, open_browser=browser, home=home())
