"""What somebody reads whose Python is too old or lacks venv."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "bootstrap.py"


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    return module


def test_an_old_python_is_told_with_what_to_type(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "LEAST", (4, 0))
    monkeypatch.setattr(
        bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}" if name == "python3.12" else None
    )
    with pytest.raises(SystemExit) as stopped:
        bootstrap.check_python()
    assert "needs Python 4.0 or newer" in str(stopped.value)
    assert "make PYTHON=python3.12 run" in str(stopped.value)


def test_a_python_without_venv_is_told_with_what_to_type(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Debian ships Python without ensurepip until python3-venv is installed.
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit) as stopped:
        bootstrap.make_venv()
    assert "sudo apt install python3-venv" in str(stopped.value)
    assert "pipx install ." in str(stopped.value)


def test_without_arguments_it_explains_itself_and_wrong_use_exits_with_2() -> None:
    explained = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True)
    assert "bootstrap.py run" in explained.stdout
    wrong = subprocess.run(
        [sys.executable, str(SCRIPT), "nonsense"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
