"""`dudo-table kiosk`: starts a browser once the public page is served, and ends it when it no longer shows the page.

After a failed load or a crash a browser shows its own error page for ever. A visible public page keeps a connection
open. So the kernel's list of connections is the judge: while the server answers, this user must have a connection to
it. systemd then starts the next browser, with a new profile.
"""

import logging
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

POLL_S = 5.0
"""Seconds between two looks at a running browser."""
RETRY_S = 1.0
"""Seconds between two looks for the server before the browser starts."""
START_S = 60.0
"""Seconds until a browser must show its page, also on a small Pi with a slow card."""
LOST_S = 20.0
"""Seconds without a connection until a browser that has shown its page is ended; a page retries at least every 8."""
STOP_TIMEOUT_S = 5.0
CONNECT_TIMEOUT_S = 2.0
ROTATE_TIMEOUT_S = 5.0
EXIT_LOST = 1
CONNECTIONS = Path("/proc/net/tcp")
"""The kernel's list, proc_pid_net(5)."""
ESTABLISHED = "01"

log = logging.getLogger(__name__)


class PageAddress(NamedTuple):
    """A public page's address, at an IPv4 host."""

    url: str
    host: str
    port: int

    @classmethod
    def read(cls, url: str) -> "PageAddress":
        """Read a URL's address. Raises `ValueError` if no public page can be there."""
        with suppress(ValueError):  # for a port
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or 80
            if parts.scheme == "http" and host and ":" not in host and url.isprintable() and " " not in url:
                return cls(url, host, port)
        raise ValueError(f"{url} is no address of a page over http and IPv4")

    def is_served(self) -> bool:
        """Return whether a server takes connections there."""
        try:
            with socket.create_connection((self.host, self.port), CONNECT_TIMEOUT_S):
                return True
        except OSError:
            return False

    def is_shown(self, connections: Path = CONNECTIONS) -> bool:
        """Return whether this user has a connection to it, in the kernel's list."""
        own = str(os.geteuid())
        with suppress(OSError):
            found = socket.getaddrinfo(self.host, self.port, socket.AF_INET, socket.SOCK_STREAM)
            remotes = {_as_listed(*place[4][:2]) for place in found}
            for line in connections.read_text().splitlines()[1:]:
                _, _, remote, state, _, _, _, uid, *_ = line.split()
                if remote in remotes and state == ESTABLISHED and uid == own:
                    return True
        return False


class PageWatch:
    """The rule for a browser without its page. Pure."""

    def __init__(self, start_s: float = START_S, lost_s: float = LOST_S) -> None:
        self._allowed_s = start_s
        self._lost_s = lost_s
        self._since_s: float | None = None

    def is_lost(self, *, is_shown: bool, is_served: bool, now_s: float) -> bool:
        """Return whether the page stayed hidden too long while it was served."""
        if is_shown:
            self._allowed_s = self._lost_s
        if is_shown or not is_served:  # a page that was loaded once waits for its server itself
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = now_s
        return now_s - self._since_s >= self._allowed_s


def show(page: PageAddress, browser: Sequence[str], rotation: int = 0, watch: PageWatch | None = None) -> int:
    """Show a page in `browser`, a command line to which the address is added, and return its exit code.

    Waits for the server first. Raises `OSError` if the browser can't be started.
    """
    _wait_for(page)
    watch = watch or PageWatch()
    outputs = VideoOutputs(rotation)
    with subprocess.Popen([*browser, page.url], stdin=subprocess.DEVNULL) as process:
        try:
            while True:
                outputs.rotate()
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(POLL_S)
                is_shown = page.is_shown()
                if watch.is_lost(is_shown=is_shown, is_served=is_shown or page.is_served(), now_s=time.monotonic()):
                    log.warning("%s is served, and the browser does not show it: the browser is ended", page.url)
                    return EXIT_LOST
        finally:
            _end(process)


def _wait_for(page: PageAddress) -> None:
    if page.is_served():
        return
    log.info("waiting for a page at %s", page.url)
    while not page.is_served():
        time.sleep(RETRY_S)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()


class VideoOutputs:
    """Compositor outputs, rotated through wlr-randr. A replugged TV loses its rotation."""

    def __init__(self, rotation: int) -> None:
        """Rotate by `rotation` degrees; 0 leaves everything as it is."""
        self._wanted = str(rotation) if rotation else ""
        self._problem = ""

    def rotate(self) -> None:
        """Rotate each output that needs it. Log a failure once."""
        if not self._wanted:
            return
        try:
            for name in rotated_otherwise(_wlr_randr(), self._wanted):
                _wlr_randr("--output", name, "--transform", self._wanted)
            self._problem = ""
        except (OSError, subprocess.SubprocessError) as error:
            if not self._problem:
                log.warning("the picture can't be rotated: %s", error)
            self._problem = str(error)


def rotated_otherwise(listed: str, wanted: str) -> list[str]:
    """Return the outputs in wlr-randr's list with a transform other than `wanted`."""
    outputs = re.findall(r"^(\S+) .*\n((?:\s+.*\n?)*)", listed, re.MULTILINE)
    return [
        name
        for name, facts in outputs
        if (found := re.search(r"^\s+Transform: (\S+)$", facts, re.MULTILINE)) and found[1] != wanted
    ]


def _wlr_randr(*arguments: str) -> str:
    done = subprocess.run(
        ["wlr-randr", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=ROTATE_TIMEOUT_S,
        check=True,
    )
    return done.stdout


def _as_listed(host: str, port: int) -> str:
    """Return an address in the form of `/proc/net/tcp`: four bytes as a native number, in hexadecimal."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
