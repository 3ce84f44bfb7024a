"""The public page beside a match of `play`: `dudo-table screen` in its own process, as beside a real table."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from firmware_host.clients.web.access import LOOPBACK, bind

FIRST_PORT = 8650
STOP_TIMEOUT_S = 5.0


@contextmanager
def screen_process(events: Path, host: str | None, language: str) -> Iterator[None]:
    """Serve the public page of the table at `events` until the block ends; the process prints its address.

    The address is one of this computer's, loopback if `host` is None, with a free port. The process ends with this one,
    even if this one is killed.
    """
    address = host or LOOPBACK
    with bind(None, address, first=FIRST_PORT) as free:
        port = free.getsockname()[1]
    screen = [sys.executable, "-m", "firmware_host.cli", "screen", "--with-parent"]
    command = [*screen, str(events), "--listen", f"{address}:{port}"]
    if language != "en":  # as on the workbench's page: a table in English leaves the choice to each browser
        command += ["--language", language]
    with ExitStack() as stack:
        with _holding_back_ctrl_c():
            process = subprocess.Popen(command, stdin=subprocess.PIPE)  # closes with this process, and ends the child
            stack.callback(_stop, process)
        yield


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _holding_back_ctrl_c() -> Iterator[None]:
    """Delay signals to the end of the block: amid it, they would leave the new process behind."""
    caught: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number, handler in handlers.items():
        if callable(handler):  # an ignored one stays so, also in the new process
            signal.signal(number, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for held_back in caught:
            signal.raise_signal(held_back)
