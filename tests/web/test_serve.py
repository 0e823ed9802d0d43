"""The server as a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from burnin.web.serve import CannotListen, serve


def start(home: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    child = subprocess.Popen(
        [sys.executable, "-m", "burnin.cli.main", "serve", "--no-browser", *options],
        env={**os.environ, "BURNIN_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    line = child.stdout.readline()
    assert "http://127.0.0.1:" in line, line + (child.stderr.read() if child.stderr else "")
    return child, next(word for word in line.split() if word.startswith("http"))


def stop(child: subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> int:
    child.send_signal(how)
    status = child.wait(15)
    for pipe in (child.stdout, child.stderr):
        if pipe:
            pipe.close()
    return status


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_address_is_printed_once_it_listens_and_a_signal_stops_it_cleanly(
    tmp_path: Path, how: signal.Signals
) -> None:
    child, url = start(tmp_path, "--port", "0")
    with urllib.request.urlopen(url + "healthz") as answer:
        assert answer.status == 200
    assert stop(child, how) == 0
    assert not list(tmp_path.glob("*-wal"))  # the store was closed, not only left


def test_a_port_in_use_gets_one_clear_message(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "burnin.cli.main", "serve", "--no-browser", "--port", str(port)],
            env={**os.environ, "BURNIN_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 2
    assert f"Port {port} is in use" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "example.org"])
def test_only_this_machine_is_served(tmp_path: Path, host: str) -> None:
    with pytest.raises(CannotListen, match="only this machine"):
        serve(host, 0, False, tmp_path)
