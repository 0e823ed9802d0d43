"""Warming up in a process of its own, ended with the server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnin.app import warming


def test_a_process_of_its_own_keeps_what_it_worked_out(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "burnin.app.warming", "calc-kv-cache-gib", "none-such"],
        env={
            **os.environ,
            "XDG_CACHE_HOME": str(tmp_path),
            "HOME": str(tmp_path),
            "BURNIN_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert done.stdout == b""
    kept = [path.name for path in tmp_path.rglob("calc-*.msgpack")]
    assert len(kept) == 1
    assert kept[0].startswith("calc-kv-cache-gib-")


def test_it_ends_with_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def popen(arguments: list[str], **kwargs: object) -> subprocess.Popen[bytes]:
        assert arguments[1:] == ["-m", "burnin.app.warming"]
        started.append(real([sys.executable, "-c", "import time; time.sleep(600)"]))
        return started[-1]

    monkeypatch.setattr(warming.subprocess, "Popen", popen)
    with warming.warming(after_s=0.01):
        end = time.monotonic() + 10
        while not started and time.monotonic() < end:
            time.sleep(0.01)
        assert started[0].poll() is None
    assert started[0].poll() is not None


def test_a_short_visit_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming.subprocess, "Popen", lambda *_, **__: pytest.fail("started"))
    with warming.warming(after_s=30):
        pass
