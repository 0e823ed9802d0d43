"""The server's clocks: time since boot that counts suspend, a boot's name, and wall time.

================  ==============================================  ==========================================
platform          time since boot                                 name of the boot
================  ==============================================  ==========================================
Linux             ``CLOCK_BOOTTIME``, clock_getres(2)             ``/proc/sys/kernel/random/boot_id``, random(4)
macOS             ``CLOCK_MONOTONIC_RAW``: goes on in sleep,      ``kern.bootsessionuuid``, sysctlbyname(3)
                  unlike ``CLOCK_UPTIME_RAW``, clock_gettime(3)
Windows           ``GetTickCount64``: biased by sleep and         ``KUSER_SHARED_DATA.BootId`` (ntddk.h): "boot
                  hibernation, unlike                             sequence, incremented for each boot attempt"
                  ``QueryUnbiasedInterruptTime`` (Windows Time)
anything else     ``time.monotonic()``                            one name per process
================  ==============================================  ==========================================

Python's ``time.monotonic`` stops in suspend on Linux and macOS, so it is no substitute.
Where a boot's name cannot be read, each process is a boot of its own: its sittings go by
wall time across restarts and count as interrupted, which errs on the honest side.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from burnin.domain.sitting import Tick

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
TIME_NAMESPACE = Path("/proc/self/timens_offsets")


class Clock(Protocol):
    """Anything that can be asked for a reading."""

    def now(self) -> Tick:
        """Return one reading of all clocks."""
        ...


class SystemClock:
    """This machine's clocks, as the table above has them."""

    def __init__(self) -> None:
        self._boot, self._since_boot_ms = _sources(sys.platform)

    def now(self) -> Tick:
        """Return one reading of all clocks."""
        return Tick(boot=self._boot, boottime_ms=self._since_boot_ms(), wall_ms=time.time_ns() // 1_000_000)


def _sources(platform: str) -> tuple[str, Callable[[], int]]:
    if platform == "linux":
        return _linux_boot() or _own_boot(), _clock_ms(time.CLOCK_BOOTTIME)
    if platform == "darwin":
        return _macos_boot() or _own_boot(), _clock_ms(time.CLOCK_MONOTONIC_RAW)
    if platform == "win32":
        return _windows_boot() or _own_boot(), _windows_ms()
    return _own_boot(), lambda: time.monotonic_ns() // 1_000_000


def _own_boot() -> str:
    return f"process-{secrets.token_hex(8)}"


def _clock_ms(clock: int) -> Callable[[], int]:
    return lambda: time.clock_gettime_ns(clock) // 1_000_000


def _linux_boot(boot_id: Path = BOOT_ID, time_namespace: Path = TIME_NAMESPACE) -> str | None:
    try:
        boot = boot_id.read_text().strip()
    except OSError:
        return None
    # A container may have its own zero of CLOCK_BOOTTIME: time_namespaces(7).
    try:
        offsets = {line.split()[0]: line.split()[1:] for line in time_namespace.read_text().splitlines()}
        shift = [int(part) for part in offsets["boottime"]]
    except (OSError, LookupError, ValueError):
        shift = []
    return f"{boot}+{shift[0]}.{shift[1]:09d}" if any(shift) else boot or None


def _macos_boot() -> str | None:
    import ctypes

    try:
        sysctl = ctypes.CDLL(None, use_errno=True).sysctlbyname
        buffer, size = ctypes.create_string_buffer(64), ctypes.c_size_t(64)
        if sysctl(b"kern.bootsessionuuid", buffer, ctypes.byref(size), None, ctypes.c_size_t(0)) != 0:
            return None
        return buffer.value.decode("ascii") or None
    except (AttributeError, OSError, UnicodeDecodeError):
        return None


def _windows_boot() -> str | None:
    import ctypes

    # The page is mapped read-only at this address in every process; BootId is 0x2C4 into it
    # from Windows 10 on (before, the field was reserved and zero).
    boot = ctypes.c_uint32.from_address(0x7FFE0000 + 0x2C4).value
    return f"windows-{boot}" if boot else None


def _windows_ms() -> Callable[[], int]:
    import ctypes

    tick = ctypes.WinDLL("kernel32").GetTickCount64  # type: ignore[attr-defined,unused-ignore]
    tick.restype = ctypes.c_uint64
    return lambda: int(tick())
