"""`dudo-table play` as a process: what it prints, and a page that is open."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host import cli

ROOT = str(Path(cli.__file__).parent.parent)


@contextmanager
def playing(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": ROOT, "PYTHONUNBUFFERED": "1"}
    environment.pop("DISPLAY", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware_host.cli", "play", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    try:
        yield process
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """Read lines until one matches."""
    assert process.stdout is not None
    for text in process.stdout:
        found = re.search(pattern, text)
        if found:
            return found
    raise AssertionError(f"it ended with {process.wait()}: {process.stderr and process.stderr.read()}")


ADDRESS = r"The table is at http://127\.0\.0\.1:([0-9]+)/"


def opened(port: str) -> socket.socket:
    """Open the page's WebSocket, as a browser does that shows the page."""
    page = socket.create_connection(("127.0.0.1", int(port)))
    key = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OUFCQ0RFRg=="
    page.sendall(f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n{key}\r\n\r\n".encode())
    assert page.recv(12) == b"HTTP/1.1 101"
    return page
