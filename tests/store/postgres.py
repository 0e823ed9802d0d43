"""A temporary PostgreSQL cluster on a free port, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def missing() -> str | None:
    """Why no cluster can be started here, or None."""
    if _programs() is None:
        return "no PostgreSQL server is installed (initdb was not found)"
    if os.geteuid() == 0 and _account() is None:
        return "PostgreSQL does not run as root and there is no user 'postgres' to run it"
    return None


@contextmanager
def cluster() -> Iterator[str]:
    """Start a cluster; yield the address of its server without a database's name."""
    programs = _programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="burnin-pg-"))
    try:
        account = _account() if os.geteuid() == 0 else None
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        who: dict[str, Any] = {"cwd": folder}
        if account is not None:
            who |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        data = folder / "data"
        _run(programs / "initdb", "-D", data, "-U", "burnin", "-A", "trust", "-E", "UTF8", "--no-sync", **who)
        port = _free_port()
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=16MB"
        _run(
            programs / "pg_ctl",
            "-D",
            data,
            "-o",
            options,
            "-l",
            folder / "log",
            "-w",
            "-t",
            "60",
            "start",
            **who,
        )
        try:
            yield f"postgresql://burnin@127.0.0.1:{port}"
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop", **who)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: object, **who: Any) -> None:
    # A server that starts keeps the pipes it inherits open, so nothing is captured but to a file.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run([str(part) for part in command], stdout=output, stderr=output, **who)
        output.seek(0)
        assert done.returncode == 0, output.read().decode(errors="replace")


def _programs() -> Path | None:
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    return installed[-1].parent if installed else None


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
