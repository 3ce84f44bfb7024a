"""A Mosquitto of its own for a measurement, and the processes beside it; used by the sections `bridge` and `venue`."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.report import Figure, Section

PROGRAM = Path("/usr/sbin/mosquitto")
CONFIG = """listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 20000
sys_interval 1
"""
START_S = 10.0


def missing(title: str) -> Section | None:
    """Return a section that says that there is no Mosquitto, None where there is one."""
    return None if PROGRAM.exists() else Section(title, (Figure(title, None, "", note="apt install mosquitto"),))


@contextmanager
def broker(folder: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Run a Mosquitto until the block ends; yield it and its port."""
    port = free_port()
    config = Path(folder) / "mosquitto.conf"
    config.write_text(CONFIG.format(port=port))
    with running(str(PROGRAM), "-c", str(config)) as process:
        deadline_s = time.monotonic() + START_S
        while not _listens(port):
            assert time.monotonic() < deadline_s, "mosquitto does not start"
            time.sleep(0.05)
        yield process, port


@contextmanager
def running(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process until the block ends, which kills it."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def free_port() -> int:
    """Return a port of this computer at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
