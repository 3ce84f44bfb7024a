"""What the service manager is told: that the table is up, how the evening stands, and that the loop still turns.

`run` has one. It speaks sd_notify(3): lines of NAME=value as a datagram to the socket that systemd names in the
environment. Where it names none, nobody is told; where it does not listen, the table plays on.
"""

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self


class Notify:
    """The way to the service manager, as an environment gives it."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self.watchdog_s = _watchdog_s(environment) if self._address else None
        """Within so many seconds it wants to hear `alive` each time; None if it does not watch."""
        self._status = ""
        self._socket: socket.socket | None = None
        if self._address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)

    @property
    def is_enabled(self) -> bool:
        """Whether a service manager listens: the daemon is a service then, and no program in a terminal."""
        return self._socket is not None

    def ready(self) -> None:
        """The table is up, for the first time or after `reloading`."""
        self._send("READY=1")

    def status(self, line: str) -> None:
        """How it stands, one line for `systemctl status`; said only when it is another."""
        if line != self._status and self._send(f"STATUS={' '.join(line.split())}"):
            self._status = line

    def reloading(self) -> None:
        """The configuration is being read anew; `ready` follows, whatever comes of it."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        """The table goes home."""
        self._send("STOPPING=1")

    def ping(self) -> None:
        """The loop turns, and who it turns for answers."""
        self._send("WATCHDOG=1")

    def close(self) -> None:
        """Tell nobody any more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, lines: str) -> bool:
        if self._socket is None:
            return False
        with suppress(OSError):  # a table does not end because nobody hears that it lives
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
    """Where the socket is: a path, or a name in no folder, written with an @; nothing for what is neither."""
    if named.startswith("@"):
        return f"\0{named[1:]}"
    return named if named.startswith("/") else ""


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """The time of sd_watchdog_enabled(3), None where it is meant for another process or not a time."""
    named = environment.get("WATCHDOG_USEC", "")
    meant_for = environment.get("WATCHDOG_PID", str(os.getpid()))
    if not named.isdecimal() or meant_for != str(os.getpid()):
        return None
    return int(named) / 1e6 or None
