"""Tells a journal that a living program writes from one that a killed program left.

On one machine a lock on the file tells it. Locks need not reach from one machine to another, and
some file systems have none. A journal therefore names its writer in a lease, and the writer renews
the file's time every `RENEW_AFTER` seconds for as long as it has unsaved steps::

    "lease": {"host": "atlas", "boot": "f3c1…", "process": 4711, "time": "2026-11-29T10:00:00Z"}

A lease on another machine counts until the file is `STALE_AFTER` seconds old. One on this machine
counts where there are no locks, as long as its process is there.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

RENEW_AFTER = 10.0  # seconds
STALE_AFTER = 300.0  # seconds; other machines may see a file's time a minute late
_LONGEST_HOST = 64  # characters of a name that are shown


@dataclass(frozen=True)
class Lease:
    """The writer of a journal.

    Attributes
    ----------
    host : str
        The name of the machine.
    boot : str
        Names the time from one start of the machine to its next; empty where the system has no
        such name.
    process : int
    time : str
        When the lease was written, in UTC.
    """

    host: str
    boot: str
    process: int
    time: str

    @property
    def is_of_this_boot(self) -> bool:
        """Whether the writer ran, or runs, on this machine, which has not been restarted since."""
        return self.boot == boot_id() and (bool(self.boot) or self.host == socket.gethostname())

    @property
    def shown_host(self) -> str:
        """The machine's name as it may be shown, whoever wrote it."""
        return "".join(filter(str.isprintable, self.host))[:_LONGEST_HOST] or "another machine"

    def is_alive(self, renewed: float, has_locks: bool, held_here: bool) -> bool:
        """Whether the writer goes on writing a journal that nobody has locked.

        Parameters
        ----------
        renewed : float
            When the file was changed, in seconds since 1970.
        has_locks : bool
            Whether a program of this machine that has the file open would have locked it.
        held_here : bool
            Whether this process is writing the file.
        """
        fresh = abs(time.time() - renewed) < STALE_AFTER
        if self.is_of_this_boot:
            if has_locks or not fresh:
                return False
            return held_here if self.process == os.getpid() else _is_running(self.process)
        restarted = self.host == socket.gethostname() and renewed < _booted_at()
        return fresh and not restarted


def own_lease() -> Lease:
    """The lease of this process, made now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Lease(socket.gethostname(), boot_id(), os.getpid(), now)


def lease_as_json(lease: Lease) -> dict[str, Any]:
    """A lease as a line of a journal has it."""
    return asdict(lease)


def lease_from_json(value: Any) -> Lease | None:
    """The lease that a line has; None where it makes no sense, as in journals of older versions."""
    kinds = {"host": str, "boot": str, "process": int, "time": str}
    if not isinstance(value, dict) or any(
        type(value.get(name)) is not kind for name, kind in kinds.items()
    ):
        return None
    return Lease(**{name: value[name] for name in kinds})


@lru_cache
def boot_id() -> str:
    """Name the time since this machine was started; empty where the system has no such name."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _booted_at() -> float:
    """When this machine was started, in seconds since 1970; 0 where nothing tells it."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if clock is None else time.time() - time.clock_gettime(clock)


def _is_running(process: int) -> bool:
    """Whether there is such a process; taken for granted where asking could disturb it."""
    if os.name != "nt" and process > 0:
        with contextlib.suppress(PermissionError, OverflowError):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return False
    return True
