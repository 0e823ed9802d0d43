"""Start-up, page weight, durable autosaves, `--help`: `make bench` or `python -m benchmarks.web`.

Every figure stands beside a bare Starlette page (benchmarks/bare.py) or a bare Python
measured in the same run on the same machine.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CLIENTS = 64
SECONDS = 5.0
ROUNDS = 5


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(arguments: list[str], port: int, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "BURNIN_HOME": str(home)},
        stdout=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                get(port, "/")
                break
            except OSError:
                time.sleep(0.005)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def get(port: int, path: str) -> tuple[bytes, int]:
    """Fetch as a browser does; return the body and the bytes that it took on the wire."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=30) as response:
        wire = response.read()
        packed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(wire) if packed else wire, len(wire)


def cpu_seconds(pid: int) -> float:
    """User and system time so far, all threads (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve_arguments(port: int) -> list[str]:
    return ["-m", "burnin.cli.main", "serve", "--no-browser", "--port", str(port)]


def first_page(home: Path) -> dict[str, float]:
    """CPU seconds of a fresh server until its first page is out."""

    def once(bare: bool) -> float:
        port = free_port()
        arguments = ["-m", "benchmarks.bare", str(port)] if bare else serve_arguments(port)
        with running(arguments, port, home) as process:
            return cpu_seconds(process.pid)

    once(False)  # makes the database and warms the disk
    return {
        "burnin": statistics.median(once(False) for _ in range(ROUNDS)),
        "bare": statistics.median(once(True) for _ in range(ROUNDS)),
    }


def make_sittings(home: Path, count: int) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Make running sittings; return each one's id and (item, option ids)."""
    from burnin.app.wiring import open_services
    from burnin.domain.sitting import Conditions

    async def make() -> list[tuple[str, list[tuple[str, list[str]]]]]:
        made = []
        for seed in range(count):
            sitting = await services.take.create("NCP-GENL", conditions=Conditions.EXAM, seed=seed)
            view = await services.take.view(sitting)
            questions = [await services.take.question(sitting, n) for n in range(1, view.size + 1)]
            made.append((sitting, [(q.asked.id, [o.id for o in q.asked.options]) for q in questions]))
        return made

    services = open_services(home)
    try:
        return asyncio.run(make())
    finally:
        services.close()


def bodies(items: list[tuple[str, list[str]]], client: int, count: int) -> list[str]:
    """Answers as the question page sends them, a new choice each time."""
    return [
        json.dumps(
            {
                "id": f"bench-{client}-{n}",
                "kind": "answered",
                "item": items[n % len(items)][0],
                "options": [items[n % len(items)][1][(n // len(items)) % 4]],
            }
        )
        for n in range(count)
    ]


def autosaves(home: Path) -> dict[str, Any]:
    """Acknowledged saves a second at 64 clients, and the same load on a page that saves nothing."""
    sittings = make_sittings(home, CLIENTS)
    limit = 4000
    clients = [
        {"path": f"/api/sittings/{sitting}/events", "bodies": bodies(items, number, limit)}
        for number, (sitting, items) in enumerate(sittings)
    ]
    port = free_port()
    with running(serve_arguments(port), port, home):
        ours = load(port, clients)
    stored = count_events(home, [sitting for sitting, _ in sittings])
    port = free_port()
    with running(["-m", "benchmarks.bare", str(port)], port, home):
        bare = load(port, [{**client, "path": "/save"} for client in clients])
    return {"burnin": ours, "bare": bare, "stored": stored}


def load(port: int, clients: list[dict[str, Any]]) -> dict[str, float]:
    job = json.dumps({"port": port, "seconds": SECONDS, "clients": clients})
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"], input=job, capture_output=True, text=True, check=True
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


def count_events(home: Path, sittings: list[str]) -> int:
    """Answers on disk afterwards: every acknowledged one must be there."""
    from burnin.domain.sitting import EventKind
    from burnin.store import Store

    store = Store.open(home / "burnin.sqlite3")
    try:
        return sum(
            event.kind is EventKind.ANSWERED for sitting in sittings for event in store.events.load(sitting)
        )
    finally:
        store.close()


def question_page(home: Path) -> dict[str, int]:
    """Bytes on the wire and requests of a question page with everything that it loads."""
    ((sitting, _),) = make_sittings(home, 1)
    port = free_port()
    with running(serve_arguments(port), port, home):
        page, page_wire = get(port, f"/sittings/{sitting}/1")
        raw, wire = {"page": len(page)}, {"page": page_wire}
        queue = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())
        while queue:
            path = queue.pop()
            if path in raw:
                continue
            body, wire[path] = get(port, path)
            raw[path] = len(body)
            if path.endswith(".js"):
                # Modules import one another; what they import is loaded too.
                folder = path.rsplit("/", 1)[0]
                queue += [f"{folder}/{name}" for name in re.findall(r'from\s+"\./([^"]+)"', body.decode())]
    return {"wire": sum(wire.values()), "raw": sum(raw.values()), "requests": len(raw)}


def help_cpu() -> dict[str, float]:
    """CPU seconds of `burnin --help`, of a Python that imports click, and of one that does nothing."""

    def once(arguments: list[str]) -> float:
        before = os.times()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    runs = {
        "burnin": ["-m", "burnin.cli.main", "--help"],
        "click": ["-c", "import click"],
        "python": ["-c", "pass"],
    }
    return {name: statistics.median(once(run) for _ in range(9)) for name, run in runs.items()}


def line(name: str, figure: str, peer: str, ratio: float, aim: str) -> None:
    print(f"{name:<34} {figure:>12}   {peer:<28} ratio {ratio:5.2f}   {aim}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        helped = help_cpu()
        line(
            "burnin --help, CPU ms",
            f"{1000 * helped['burnin']:.0f}",
            f"import click {1000 * helped['click']:.0f}",
            helped["burnin"] / max(helped["click"], 1e-3),
            "aim under 150",
        )
        started = first_page(home)
        line(
            "start-up to first page, CPU s",
            f"{started['burnin']:.2f}",
            f"bare Starlette {started['bare']:.2f}",
            started["burnin"] / max(started["bare"], 1e-3),
            "aim under 0.7",
        )
        page = question_page(home)
        from benchmarks.bare import PAGE

        line(
            "question page, bytes on the wire",
            str(page["wire"]),
            f"bare Starlette {len(PAGE)}",
            page["wire"] / len(PAGE),
            f"aim under 25,000 ({page['raw']} unpacked); {page['requests']} requests, aim at most 5",
        )
        saved = autosaves(home)
        ours = saved["burnin"]["done"] / saved["burnin"]["seconds"]
        bare = saved["bare"]["done"] / saved["bare"]["seconds"]
        line(
            "durable autosaves/s, 64 clients",
            f"{ours:.0f}",
            f"bare Starlette POST {bare:.0f}",
            ours / bare,
            "aim over 3,000",
        )
        lost = saved["burnin"]["done"] - saved["stored"]
        print(
            f"acknowledged {saved['burnin']['done']:.0f}, refused {saved['burnin']['refused']:.0f}, "
            f"on disk {saved['stored']}, lost {max(0, lost):.0f}"
        )


if __name__ == "__main__":
    main()
