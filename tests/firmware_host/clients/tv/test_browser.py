"""The browser of the TV: it starts when the page is served, and is ended when it no longer shows it."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.clients.tv import browser
from firmware_host.clients.tv.browser import EXIT_LOST, PageAddress, PageWatch, VideoOutputs, rotated_otherwise, show

SHOWS = """
import socket, sys, time, urllib.parse
page = urllib.parse.urlsplit(sys.argv[1])
with socket.create_connection((page.hostname, page.port)):
    time.sleep(0.5)
sys.exit(7)
"""
SHOWS_NOTHING = "import time; time.sleep(3600)"
WRONG_ADDRESSES = (
    "",
    "8650",
    "https://127.0.0.1/",
    "file:///etc/passwd",
    "http://",
    "http://a b/",
    "http://a:99999/",
    "http://a:x/",
    "http://[::1]/",
)
TWO_OUTPUTS = """\
HDMI-A-1 "Some Maker TV 0x01010101 (HDMI-A-1)"
  Make: Some Maker
  Enabled: yes
  Modes:
    1920x1080 px, 60.000000 Hz (preferred, current)
  Position: 0,0
  Transform: normal
HDMI-A-2 "Some Maker TV (HDMI-A-2)"
  Enabled: yes
  Transform: 90
HDMI-A-3 "(null) (null) (HDMI-A-3)"
  Enabled: no
"""


@contextmanager
def served() -> Iterator[PageAddress]:
    """Give a server that accepts whoever comes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        yield PageAddress(f"http://127.0.0.1:{port}/", "127.0.0.1", port)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often, so that a test takes a moment."""
    monkeypatch.setattr(browser, "POLL_S", 0.05)
    monkeypatch.setattr(browser, "RETRY_S", 0.05)


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_a_browser_that_shows_nothing_is_ended_after_a_while() -> None:
    with served() as page:
        assert show(page, python(SHOWS_NOTHING), watch=PageWatch(start_s=0.3)) == EXIT_LOST


def test_a_browser_that_shows_the_page_is_left_alone_and_gives_its_exit_code() -> None:
    with served() as page:
        assert show(page, python(SHOWS), watch=PageWatch(start_s=20, lost_s=0.2)) == 7


def test_a_browser_waits_for_its_page() -> None:
    with served() as page:
        pass
    codes: list[int] = []
    waiting = threading.Thread(target=lambda: codes.append(show(page, python("pass"))))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    with socket.create_server((page.host, page.port)):
        waiting.join(20)
    assert codes == [0]


def test_a_browser_has_a_minute_to_show_its_page() -> None:
    watch = PageWatch(start_s=60, lost_s=20)
    lost = [watch.is_lost(is_shown=False, is_served=True, now_s=now_s) for now_s in (10, 69, 70)]
    assert lost == [False, False, True]


def test_a_page_that_was_shown_is_lost_sooner() -> None:
    watch = PageWatch(start_s=60, lost_s=20)
    watch.is_lost(is_shown=True, is_served=True, now_s=5)
    lost = [watch.is_lost(is_shown=False, is_served=True, now_s=now_s) for now_s in (10, 29, 30)]
    assert lost == [False, False, True]


@pytest.mark.parametrize(("is_shown", "is_served"), [(True, True), (False, False)])
def test_a_page_that_is_shown_or_has_no_server_starts_the_time_again(is_shown: bool, is_served: bool) -> None:
    watch = PageWatch(start_s=60, lost_s=60)
    watch.is_lost(is_shown=False, is_served=True, now_s=0)
    assert not watch.is_lost(is_shown=is_shown, is_served=is_served, now_s=59)
    assert not watch.is_lost(is_shown=False, is_served=True, now_s=61)
    assert not watch.is_lost(is_shown=False, is_served=True, now_s=120)


def test_a_connection_of_another_user_shows_nothing(tmp_path: Path) -> None:
    listed = Path("/proc/net/tcp")
    with served() as page, socket.create_connection((page.host, page.port)):
        assert page.is_shown()
        lines = [line.split() for line in listed.read_text().splitlines()]
        others = tmp_path / "tcp"
        others.write_text("\n".join(" ".join([*words[:7], "4321", *words[8:]]) for words in lines))
        assert not page.is_shown(others)


def test_a_page_elsewhere_is_not_taken_for_this_one() -> None:
    with served() as page, served() as other, socket.create_connection((other.host, other.port)):
        assert not page.is_shown()


@pytest.mark.parametrize("text", WRONG_ADDRESSES)
def test_no_other_address_than_that_of_a_page_is_taken(text: str) -> None:
    with pytest.raises(ValueError, match="is no address of a page"):
        PageAddress.read(text)


def test_an_address_without_a_port_is_at_port_80() -> None:
    assert PageAddress.read("http://table.local/?language=es").port == 80


def test_each_output_that_is_not_rotated_is_found() -> None:
    assert rotated_otherwise(TWO_OUTPUTS, "90") == ["HDMI-A-1"]
    assert rotated_otherwise(TWO_OUTPUTS, "normal") == ["HDMI-A-2"]
    assert rotated_otherwise("", "90") == []


def test_a_picture_that_cannot_be_rotated_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "wlr-randr")

    monkeypatch.setattr(subprocess, "run", fails)
    outputs = VideoOutputs(90)
    outputs.rotate()
    outputs.rotate()
    assert len(caplog.records) == 1


def test_without_a_rotation_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    VideoOutputs(0).rotate()


def test_a_browser_that_is_not_installed_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as page:
        assert cli.main(["kiosk", "--page", page.url, "no-such-browser", "--kiosk"]) == 2
    said = capsys.readouterr().err
    assert said == "kiosk: no-such-browser can't be started: no such file or directory; install it, or name another\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("kiosk", "kiosk: name a browser, such as: dudo-table kiosk chromium --kiosk"),
        ("kiosk --page ftp://x chromium", "ftp://x is no address of a page, write one such as http://127.0.0.1:8650/"),
        ("kiosk --rotate 45 chromium", "--rotate: 45 is not a choice, there is 0, 90, 180, 270"),
    ],
)
def test_wrong_lines_are_refused(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(line.split())
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err
