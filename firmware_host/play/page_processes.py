"""The pages beside a match of `play`, each in its own process, as beside a real table: `dudo-table screen`, and
`dudo-table phones` beside a rehearsal.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from firmware_host.clients.web.access import LOOPBACK, bind

SCREEN_PORT, PHONES_PORT = 8650, 8680
STOP_TIMEOUT_S = 5.0


@contextmanager
def screen_process(events: Path, host: str | None, language: str) -> Iterator[None]:
    """Serve the public page of the table at `events` until the block ends; the process prints its address.

    The address is one of this computer's, loopback if `host` is None, with a free port. The process ends with this one,
    even if this one is killed.
    """
    # As on the workbench's page: a table in English leaves the choice to each browser.
    with _page_process("screen", SCREEN_PORT, events, host, [] if language == "en" else ["--language", language]):
        yield


@contextmanager
def phones_process(events: Path, host: str | None) -> Iterator[None]:
    """Serve the page for guests' phones in the same way; the process prints each code."""
    with _page_process("phones", PHONES_PORT, events, host, []):
        yield


@contextmanager
def _page_process(name: str, first: int, events: Path, host: str | None, options: Sequence[str]) -> Iterator[None]:
    address = host or LOOPBACK
    with bind(None, address, first=first) as free:
        port = free.getsockname()[1]
    page = [sys.executable, "-m", "firmware_host.cli", name, "--with-parent", str(events)]
    command = [*page, "--listen", f"{address}:{port}", *options]
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
