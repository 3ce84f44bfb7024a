"""A private Mosquitto, for the sections `memory` and `venue` and for tests."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.report import Figure, Section

FOLDERS = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin"
PROGRAM = shutil.which("mosquitto", path=FOLDERS)
"""Mosquitto's path, outside users' PATH on Debian; None without one."""
CONFIG = "listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
MEASURED = "max_queued_messages 20000\nsys_interval 1\n"
START_TIMEOUT_S = 30.0


def missing(title: str) -> Section | None:
    """Return a section reporting a missing Mosquitto, else None."""
    return None if PROGRAM else Section(title, (Figure(title, None, "", note="apt install mosquitto"),))


@contextmanager
def broker() -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Run a Mosquitto until the block ends; yield it and its port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "mosquitto.conf"
        config.write_text(CONFIG.format(port=port) + MEASURED)
        process = launched(config)
        try:
            wait_until(lambda: listens(port))
            yield process, port
        finally:
            process.kill()
            process.wait()


def launched(config: Path) -> "subprocess.Popen[bytes]":
    """Start a Mosquitto with a configuration; it does not listen yet."""
    assert PROGRAM is not None, "there is no mosquitto: apt install mosquitto"
    return subprocess.Popen([PROGRAM, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def listens(port: int) -> bool:
    """Return whether a local port takes connections."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    deadline_s = time.monotonic() + START_TIMEOUT_S
    while not holds():
        assert time.monotonic() < deadline_s, "a server does not listen"
        time.sleep(0.05)


def free_port() -> int:
    """Return an unused local port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
