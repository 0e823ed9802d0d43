"""Set burnin up and start it, or test it, with nothing but Python.

    python3 scripts/bootstrap.py run [ARGUMENTS OF burnin]
    python3 scripts/bootstrap.py test [ARGUMENTS OF pytest]
    python3 scripts/bootstrap.py install | lint

Works on Linux, macOS and Windows; `make run` and `make test` call it. Everything is
installed into .venv beside this repository and nowhere else; `test` may ask Debian's
packages for Chromium and PostgreSQL when it runs as root or sudo asks no password.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LEAST = (3, 11)


def stop(message: str) -> None:
    sys.exit(f"burnin: {message}")


def check_python() -> None:
    if sys.version_info < LEAST:
        found = [f"python3.{minor}" for minor in range(11, 20) if shutil.which(f"python3.{minor}")]
        hint = (
            f" Try: make PYTHON={found[-1]} run"
            if found
            else " Install it from python.org or your system's packages."
        )
        stop(
            f"needs Python {LEAST[0]}.{LEAST[1]} or newer; this is {sys.version.split()[0]} ({sys.executable}).{hint}"
        )


def make_venv() -> None:
    if (
        PYTHON.exists()
        and subprocess.run([str(PYTHON), "-m", "pip", "--version"], capture_output=True).returncode == 0
    ):
        return
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        stop(
            "this Python lacks the venv module. On Debian or Ubuntu: sudo apt install "
            f"python3-venv (or python{version}-venv). Without root: pipx install . and then burnin, "
            "or uv tool install . and then burnin."
        )
    print(f"Making a virtual environment in {VENV.name} …", flush=True)
    venv.EnvBuilder(with_pip=True, clear=VENV.exists()).create(VENV)


def newest_source() -> float:
    return (ROOT / "pyproject.toml").stat().st_mtime


def install(extra: str = "") -> None:
    """Install burnin in place, so that a `git pull` takes effect at the next start."""
    check_python()
    make_venv()
    stamp = VENV / f"installed{'-' + extra if extra else ''}"
    if stamp.exists() and stamp.stat().st_mtime >= newest_source():
        return
    print("Installing burnin and the packages it needs …", flush=True)
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "-q", "-e", target]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        stop("the installation failed; what pip says stands above. Without a network nothing can be fetched.")
    stamp.touch()


def run(arguments: list[str]) -> int:
    install()
    program = BIN / ("burnin.exe" if os.name == "nt" else "burnin")
    if os.name != "nt":
        os.execv(program, [str(program), *arguments])
    return subprocess.run([str(program), *arguments]).returncode


def debian_packages() -> None:
    """Fetch Chromium and PostgreSQL from Debian's packages where that is possible."""
    wanted = []
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        wanted.append("chromium")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")) and not shutil.which("initdb"):
        wanted.append("postgresql")
    if not wanted or not shutil.which("apt-get"):
        return
    prefix: list[str] = []
    if os.geteuid() != 0:
        if (
            not shutil.which("sudo")
            or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode != 0
        ):
            return
        prefix = ["sudo", "-n"]
    print(f"Installing from Debian's packages: {', '.join(wanted)} …", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run([*prefix, "apt-get", "update", "-q"], **quiet)
    for package in wanted:
        if subprocess.run([*prefix, "apt-get", "install", "-q", "-y", package], **quiet).returncode != 0:
            print(f"{package} could not be installed; its tests will be skipped.", flush=True)


def step(name: str, command: list[str]) -> bool:
    began = time.monotonic()
    print(f"== {name}", flush=True)
    passed = subprocess.run(command, cwd=ROOT).returncode == 0
    print(f"== {name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True)
    return passed


def lint() -> bool:
    results = [
        step("ruff", [str(BIN / "ruff"), "check", "src", "tests", "scripts", "benchmarks"]),
        step("format", [str(BIN / "ruff"), "format", "--check", "src", "tests", "scripts", "benchmarks"]),
        step("mypy", [str(BIN / "mypy")]),
        step("import rules", [str(BIN / "lint-imports")]),
        step("bank check", [str(BIN / "burnin"), "bank", "check", str(ROOT / "src" / "burnin" / "content")]),
    ]
    return all(results)


def test(arguments: list[str]) -> int:
    install("test")
    if sys.platform.startswith("linux"):
        debian_packages()
    passed = lint()
    passed = step("pytest", [str(PYTHON), "-m", "pytest", *arguments]) and passed
    return 0 if passed else 1


def main() -> int:
    what, *arguments = sys.argv[1:] or ["help"]
    if what == "run":
        return run(arguments)
    if what == "test":
        return test(arguments)
    if what == "install":
        install()
        return 0
    if what == "lint":
        install("test")
        return 0 if lint() else 1
    print(__doc__)
    return 0 if what in {"help", "-h", "--help"} else 2


if __name__ == "__main__":
    sys.exit(main())
