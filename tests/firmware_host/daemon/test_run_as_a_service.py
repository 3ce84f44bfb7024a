"""`dudo-table run` under a stand-in for systemd, which receives ready, the status, pings and the end."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from firmware_host import cli

ROOT = Path(cli.__file__).parent.parent


def received_until(manager: socket.socket, last: str, within_s: float = 20.0) -> list[str]:
    """Return the lines up to one that begins so; fail when it does not come."""
    manager.settimeout(within_s)
    messages: list[str] = []
    while not (messages and messages[-1].startswith(last)):
        messages.append(manager.recv(4096).decode())
    return messages


def test_a_service_says_that_it_is_up_how_it_stands_that_it_lives_and_that_it_ends(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "300000",
        }
        command = [sys.executable, "-m", "firmware_host.cli", "run", "--layout", "boards-8", "--state", str(tmp_path)]
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as table:
            try:
                messages = received_until(manager, "STATUS=")
                assert messages[0] == "READY=1"
                assert messages[-1].startswith("STATUS=Lobby, nobody sits at the table")
                began_s = time.monotonic()
                for _ in range(10):
                    received_until(manager, "WATCHDOG=1")
                assert time.monotonic() - began_s < 3.0
            finally:
                table.send_signal(signal.SIGTERM)
            messages = received_until(manager, "STOPPING=1")
            assert table.wait(20) == 0


def test_a_table_without_the_module_that_encrypts_for_phones_says_what_to_install_and_plays(tmp_path: Path) -> None:
    seats = ('Lima"\ncolor = "red"\nboard = "E6614103"', 'Cusco"\ncolor = "blue"\nphone = true')
    seat_tables = "".join(f'[[seat]]\nname = "{seat}\n' for seat in seats)
    (tmp_path / "table.toml").write_text(f'name = "bar"\n{seat_tables}')
    run = ["run", "--layout", str(tmp_path / "table.toml"), "--state", str(tmp_path)]
    code = f"import sys; sys.modules['nacl'] = None; from firmware_host.cli import main; main({run})"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True
        ) as table:
            try:
                received_until(manager, "STATUS=")
            finally:
                table.send_signal(signal.SIGTERM)
            _, log = table.communicate(timeout=20)
    assert log.count("seats for phones stay empty: the page needs nacl: ") == 1
    assert "Traceback" not in log
    assert not (tmp_path / "phones.key").exists()
