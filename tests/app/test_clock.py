from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnin.app import clock
from burnin.app.clock import SystemClock

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's own files")


def test_a_reading_goes_on_and_keeps_its_boot() -> None:
    first, second = SystemClock().now(), SystemClock().now()
    assert first.boot == second.boot or first.boot.startswith("process-")
    assert second.boottime_ms >= first.boottime_ms > 0
    assert abs(second.wall_ms - time.time() * 1000) < 60_000


@linux
def test_linux_reads_the_clock_that_counts_suspend_and_the_kernels_boot_id() -> None:
    tick = SystemClock().now()
    assert tick.boot.startswith(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    assert abs(tick.boottime_ms - time.clock_gettime(time.CLOCK_BOOTTIME) * 1000) < 60_000


@linux
def test_two_processes_of_one_boot_agree() -> None:
    code = "from burnin.app.clock import SystemClock; t = SystemClock().now(); print(t.boot, t.boottime_ms)"
    boot, boottime_ms = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    tick = SystemClock().now()
    assert boot == tick.boot
    assert 0 <= tick.boottime_ms - int(boottime_ms) < 60_000


def test_a_container_with_its_own_zero_of_boottime_is_a_boot_of_its_own(tmp_path: Path) -> None:
    boot_id, offsets = tmp_path / "boot_id", tmp_path / "offsets"
    boot_id.write_text("5ddba124\n")
    assert clock._linux_boot(boot_id, offsets) == "5ddba124"
    offsets.write_text("monotonic           0         0\nboottime            0         0\n")
    assert clock._linux_boot(boot_id, offsets) == "5ddba124"
    offsets.write_text("monotonic           0         0\nboottime       -86400       500\n")
    assert clock._linux_boot(boot_id, offsets) == "5ddba124+-86400.000000500"


def test_without_a_boot_id_each_process_is_a_boot_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock._linux_boot(tmp_path / "none", tmp_path / "none") is None
    monkeypatch.setattr(clock, "_linux_boot", lambda: None)
    first, second = SystemClock().now(), SystemClock().now()
    assert first.boot.startswith("process-")
    assert first.boot != second.boot


@linux
def test_an_unknown_platform_still_gets_readings() -> None:
    boot, since_boot_ms = clock._sources("sunos5")
    assert boot.startswith("process-")
    assert since_boot_ms() <= since_boot_ms()


@linux
def test_macos_reads_the_raw_clock_which_counts_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(clock, "_macos_boot", lambda: "8F1C")
    monkeypatch.setattr(time, "clock_gettime_ns", lambda which: asked.append(which) or 5_000_000)
    boot, since_boot_ms = clock._sources("darwin")
    assert (boot, since_boot_ms()) == ("8F1C", 5)
    assert asked == [time.CLOCK_MONOTONIC_RAW]


@linux
def test_where_macos_names_no_boot_the_process_does() -> None:
    # glibc has no sysctlbyname, so this is what a failing call looks like.
    assert clock._macos_boot() is None
    assert clock._sources("darwin")[0].startswith("process-")


def test_windows_reads_the_boot_counter_and_the_tick_count(monkeypatch: pytest.MonkeyPatch) -> None:
    class Word:
        value = 417

        @classmethod
        def from_address(cls, address: int) -> Word:
            assert address == 0x7FFE02C4
            return cls()

    class Kernel32:
        class GetTickCount64:
            def __call__(self) -> int:
                return 2**40 + 7

        GetTickCount64 = GetTickCount64()  # type: ignore[assignment, misc]

    monkeypatch.setattr(ctypes, "c_uint32", Word)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: {"kernel32": Kernel32}[name], raising=False)
    boot, since_boot_ms = clock._sources("win32")
    assert (boot, since_boot_ms()) == ("windows-417", 2**40 + 7)
    Word.value = 0
    assert clock._sources("win32")[0].startswith("process-")
