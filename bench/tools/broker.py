"""A Mosquitto of its own, for the sections `memory` and `venue` and for tests."""

import shutil
import signal
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
"""The path of Mosquitto, which is in no user's PATH on Debian; None where there is none."""
CONFIG = "listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
MEASURED = "max_queued_messages 20000\nsys_interval 1\n"
START_TIMEOUT_S = 30.0


def missing(title: str) -> Section | None:
    """Return a section that says that there is no Mosquitto, None where there is one."""
    return None if PROGRAM else Section(title, (Figure(title, None, "", note="apt install mosquitto"),))


class Mosquitto:
    """A broker that forgets everything when it is killed, and can be started again at the same port."""

    def __init__(self, settings: str = "") -> None:
        """Prepare a broker at a free port; `settings` are more lines of its configuration."""
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory()
        self._config = Path(self._folder.name) / "mosquitto.conf"
        self._config.write_text(CONFIG.format(port=self.port) + settings)

    def launch(self) -> "subprocess.Popen[bytes]":
        """Start it; it does not listen yet."""
        assert PROGRAM is not None, "there is no mosquitto: apt install mosquitto"
        self.process = subprocess.Popen(
            [PROGRAM, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return self.process

    def listens(self) -> bool:
        """Whether it takes connections yet. Raises `AssertionError` if it has ended."""
        assert self.process is not None
        assert self.process.poll() is None, "mosquitto does not start"
        return listens(self.port)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """Kill it."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=10)
            self.process = None

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        self._folder.cleanup()


@contextmanager
def broker() -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Run a Mosquitto until the block ends; yield it and its port."""
    mosquitto = Mosquitto(MEASURED)
    try:
        process = mosquitto.launch()
        wait_until(mosquitto.listens)
        yield process, mosquitto.port
    finally:
        mosquitto.close()


def listens(port: int) -> bool:
    """Whether anybody takes connections at a port of this computer."""
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
    """Return a port of this computer at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
