"""The wheel, installed into an empty environment, works with the network off."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PROBE = r"""
import fcntl, json, os, re, socket, struct, subprocess, sys, urllib.request

# A new network namespace has a loopback that is down, and nothing else.
with socket.socket() as s:
    request = struct.pack("16sh", b"lo", 0x1 | 0x40)
    fcntl.ioctl(s, 0x8914, request)
try:
    socket.create_connection(("192.0.2.1", 80), 1).close()
    raise SystemExit("the network is on")
except OSError:
    pass
server = subprocess.Popen([sys.argv[1], "serve", "--no-browser", "--port", "0"], stdout=subprocess.PIPE, text=True)
address = re.search(r"http://\S+/", server.stdout.readline())[0]
pages = {}
for path in ("healthz", "", "exams", "exams/NCP-GENL", "help/keys", "sittings/new?exam=NCA-GENM"):
    with urllib.request.urlopen(address + path, timeout=20) as response:
        pages[path] = [response.status, len(response.read())]
server.terminate()
server.wait(20)
print(json.dumps(pages))
"""


def _wheel(folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_everything_and_starts_without_a_network(tmp_path: Path) -> None:

    wheel = _wheel(tmp_path / "dist")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "burnin/content/compiled.msgpack" in names
    for folder, pattern in (
        ("web/static", "*"),
        ("web/templates", "*.html"),
        ("content", "*.yaml"),
        ("store", "*.py"),
    ):
        for path in (ROOT / "src" / "burnin" / folder).rglob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT / "src").as_posix() in names

    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    bin_ = environment / ("Scripts" if os.name == "nt" else "bin")
    installed = subprocess.run(
        [str(bin_ / "python"), "-m", "pip", "install", "-q", str(wheel)], capture_output=True, text=True
    )
    if installed.returncode != 0:
        pytest.skip(f"no packages to install: {installed.stderr.strip().splitlines()[-1]}")

    clean = {**os.environ, "BURNIN_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    stats = subprocess.run(
        [str(bin_ / "burnin"), "bank", "check"], cwd=tmp_path, env=clean, capture_output=True, text=True
    )
    assert stats.returncode == 0, stats.stdout + stats.stderr
    assert not (tmp_path / "cache").exists(), "the compiled bundle of the wheel was not used"

    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-n", "true"], capture_output=True).returncode != 0:
        pytest.skip("this system lets nobody turn the network off (unshare -n)")
    probe = tmp_path / "probe.py"
    probe.write_text(PROBE, encoding="utf-8")
    done = subprocess.run(
        [unshare, "-n", str(bin_ / "python"), str(probe), str(bin_ / "burnin")],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = json.loads(done.stdout)
    assert len(pages) == 6
    assert {status for status, _ in pages.values()} == {200}
