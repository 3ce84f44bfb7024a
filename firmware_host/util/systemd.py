"""Notifications to the service manager, sd_notify(3): the daemon is up, its status, and its loop's sign of life.

They are NAME=value lines in datagrams to the socket that systemd names in the environment. Without a socket, sending is
a no-op; without a listener, the table plays on.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from drivers.timing import align_up

PINGS_PER_TIMEOUT = 2
"""The number of pings within the watchdog's time-out, as sd_watchdog_enabled(3) advises.

At three seconds that is one every 1.5 seconds, which seldom coincides with other work of an idle table.
"""


class Notify:
    """The connection to the service manager named by an environment."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self.watchdog_s = _watchdog_s(environment) if self._address else None
        """The watchdog's time-out in seconds, None without a watchdog."""
        self._status = ""
        self._socket: socket.socket | None = None
        if self._address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)

    @property
    def is_enabled(self) -> bool:
        """Whether the daemon runs as a service rather than in a terminal."""
        return self._socket is not None

    def ready(self) -> None:
        """Report a running table, for the first time or after `reloading`."""
        self._send("READY=1")

    def status(self, line: str) -> None:
        """Send a line for `systemctl status` if it has changed."""
        if line != self._status and self._send(f"STATUS={' '.join(line.split())}"):
            self._status = line

    def reloading(self) -> None:
        """Report that the configuration is being read again. `ready` follows in any case."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        """Report the daemon's end."""
        self._send("STOPPING=1")

    def ping(self) -> None:
        """Reset the watchdog's timer."""
        self._send("WATCHDOG=1")

    def close(self) -> None:
        """Close the socket. Further notifications are dropped."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, lines: str) -> bool:
        if self._socket is None:
            return False
        with suppress(OSError):  # the table goes on without a service manager
            self._socket.sendto(lines.encode(), self._address)
            return True
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Notify {self._address or 'nobody'}>"


def _address(named: str) -> str:
    """Return the socket's address: a path, or an abstract name written with an @. Empty without one."""
    if named.startswith("@"):
        return f"\0{named[1:]}"
    return named if named.startswith("/") else ""


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return the time-out of sd_watchdog_enabled(3), None if it is invalid or meant for another process."""
    named = environment.get("WATCHDOG_USEC", "")
    meant_for = environment.get("WATCHDOG_PID", str(os.getpid()))
    if not named.isdecimal() or meant_for != str(os.getpid()):
        return None
    return int(named) / 1e6 or None


class Watchdog:
    """A timer that pings the service manager while the daemon `answers`. A context, idle without a watchdog.

    If the loop or the table hangs, or the journal's disk does not return, the pings stop. Then the service manager
    kills the daemon, and the next one resumes from the journal.
    """

    def __init__(self, notify: Notify, *, loop: asyncio.AbstractEventLoop, answers: Callable[[], bool]) -> None:
        self._notify = notify
        self._loop = loop
        self._answers = answers
        self._timer: asyncio.TimerHandle | None = None

    def _tick(self) -> None:
        assert self._notify.watchdog_s is not None
        # Aligned with the table's other timers, so that the loop wakes once for all.
        due_s = align_up(self._loop.time(), self._notify.watchdog_s / PINGS_PER_TIMEOUT)
        self._timer = self._loop.call_at(due_s, self._tick)
        if self._answers():
            self._notify.ping()

    def __enter__(self) -> Self:
        if self._notify.watchdog_s is not None:
            self._tick()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __repr__(self) -> str:
        return f"<Watchdog {'running' if self._timer else 'stopped'}>"
