"""A program that answers for ever and prints what was acknowledged. Run as a subprocess.

Arguments: data folder, sittings (comma-separated), a name for the client ids.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from burnin.app.take import Command, EventKind
from burnin.app.wiring import Services, open_services
from tests.app.desk import catalog


async def main(services: Services, sittings: list[str], name: str) -> None:
    async def client(sitting: str) -> None:
        view = await services.take.view(sitting)
        n = 0
        while True:
            entry = view.entries[n % view.size]
            question = await services.take.question(sitting, entry.number)
            option = question.asked.options[n % 4].id
            id = f"{name}-{n}"
            ack = await services.take.act(sitting, Command(id, EventKind.ANSWERED, entry.item, (option,)))
            assert ack.ok, ack
            # One write call a line: a killed program leaves whole lines.
            sys.stdout.write(f"{sitting} {id} {entry.item} {option} {ack.version}\n")
            sys.stdout.flush()
            n += 1

    await asyncio.gather(*map(client, sittings))


if __name__ == "__main__":
    # The machine's own clock, so that the sitting runs across the program's deaths.
    asyncio.run(
        main(open_services(Path(sys.argv[1]), catalog=catalog()), sys.argv[2].split(","), sys.argv[3])
    )
