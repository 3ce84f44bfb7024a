"""`dudo-table play` as a process: what it says, and how it ends."""

import asyncio
import os
import select
import signal
import socket
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest
from support.host.play_process import ADDRESS, line, opened, playing
from support.pages.browser import a_short_match

from engine import RULESETS
from firmware_host import cli
from firmware_host.clients.web.access import bind
from firmware_host.fairness import commitments
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.table.events import PublicEvent
from firmware_host.wire import MatchBegan
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.mark.slow
@pytest.mark.parametrize("pace", [[], ["--real-time"]], ids=str)
def test_ctrl_c_ends_the_evening_without_a_word(pace: list[str]) -> None:
    with playing("--seats", "2", "--no-browser", *pace) as process:
        port = line(process, ADDRESS)[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert page.status == 200
        with opened(port):
            line(process, "Cusco sits down")
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (130, "")


@pytest.mark.parametrize(
    ("flags", "foreseen"),
    [
        ((), False),
        (("--humans", "2"), False),
        (("--real-time",), False),
        (("--humans", "0"), True),
        (("--seed", "5"), True),
    ],
    ids=str,
)
def test_a_seed_that_was_not_asked_for_deals_people_no_dice(
    flags: tuple[str, ...], foreseen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[EmulatedSession] = []
    monkeypatch.setattr("firmware_host.play._play_on_page", lambda run, *_: laid.append(run.session))
    assert cli.main(["play", *flags]) == 0
    host_seeds = laid[0].host_seeds
    assert (host_seeds is None) is foreseen
    assert host_seeds is None or len({host_seeds(), host_seeds(), bytes(32)}) == 3
    assert (laid[0].seed < 1_000_000) is foreseen  # those of robots that people play against: nobody tries them all


HOST_IO = "firmware_host.devices.host_io.phone"


def test_the_houses_own_seeds_are_what_a_match_is_named_after() -> None:
    events: list[PublicEvent] = []
    session = EmulatedSession(
        load_builtin("emulated").first(2), RULESETS["perudo"], seed=5, host_seeds=lambda: b"\x07" * 32
    )
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(session.play(events.append))
    assert [event.match for event in events if isinstance(event, MatchBegan)] == [commitments.match_name(b"\x07" * 32)]


@pytest.mark.slow
def test_robots_wait_until_somebody_opens_a_page_that_no_browser_shows() -> None:
    with playing("--seats", "2", "--humans", "0", "--speed", "200", "--no-browser") as process:
        port = line(process, ADDRESS + r" \(Ctrl-C stops it\); the robots wait until somebody opens it\.$")[1]
        assert process.stdout is not None
        silent, _, _ = select.select([process.stdout], [], [], 3)
        assert not silent
        with opened(port):
            line(process, "sits down")


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP], ids=str)
def test_however_it_is_stopped_it_leaves_nothing_behind(stop: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as folder:  # a socket's path is short, and pytest's folders are long
        monkeypatch.setenv("TMPDIR", folder)
        with playing("--seats", "2", "--no-browser") as process:
            line(process, "The table is at")
            assert os.listdir(folder)
            process.send_signal(stop)
            assert process.wait(20) == 130
        assert not os.listdir(folder)


def test_a_background_job_of_a_shell_script_where_ctrl_c_is_ignored_can_be_stopped() -> None:
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is ignored is inherited
    try:
        with playing("--seats", "2", "--no-browser") as process:
            line(process, "The table is at")
            process.terminate()
            assert process.wait(20) == 130
    finally:
        signal.signal(signal.SIGINT, ours)


@pytest.mark.slow
def test_robots_alone_play_to_the_end_with_a_page_to_look_at(tmp_path: Path) -> None:
    flags = ("--seats", "2", "--humans", "0", "--seed", "5", "--speed", "2000", "--rules", a_short_match(tmp_path))
    with playing(*flags, "--no-browser") as process:
        line(process, "seed 5: --seed 5 plays it again")
        with opened(line(process, ADDRESS)[1]):
            line(process, "wins the match")
        _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")


@pytest.mark.slow
def test_the_public_lines_can_be_had_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = Path(f"/tmp/dudo-{os.getpid()}.sock")
    with playing("--seats", "2", "--events", str(place), "--no-browser") as process:
        with opened(line(process, ADDRESS)[1]):
            line(process, "sits down")
        with socket.socket(socket.AF_UNIX) as reader:
            reader.connect(str(place))
            assert reader.recv(1 << 16).startswith(b'{"type":"state"')
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert not place.exists()


def test_a_port_that_is_taken_is_refused_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with bind(0) as taken:
        port = taken.getsockname()[1]
        assert cli.main(["play", "--port", str(port)]) == 2
    assert capsys.readouterr() == ("", f"--port {port}: another program listens there; stop it, or name another port\n")


def test_without_the_module_that_encrypts_for_phones_a_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith(("firmware_host.play.workbench", HOST_IO, "nacl"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "nacl", None)
    for prefix, remedy in (
        ("/usr", "sudo apt install python3-nacl"),
        ("/v", f"{sys.executable} -m pip install pynacl"),
    ):
        monkeypatch.setattr(sys, "base_prefix", "/usr")
        monkeypatch.setattr(sys, "prefix", prefix)
        assert cli.main(["play"]) == 2
        said = f"play: the page needs nacl: {remedy}; --watch and --headless play without it\n"
        assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("module", ["aiohttp", "segno", "ifaddr"])
@pytest.mark.parametrize(
    ("prefix", "remedy"),
    [
        ("/usr", "sudo apt install python3-aiohttp python3-ifaddr python3-segno"),
        ("/home/ana/venv", f"{sys.executable} -m pip install aiohttp ifaddr segno"),
    ],
    ids=["system", "venv"],
)
@pytest.mark.parametrize(("command", "instead"), [("play", "; --watch and --headless play without it"), ("screen", "")])
def test_without_a_module_of_the_page_a_line_says_what_to_install(
    command: str,
    instead: str,
    module: str,
    prefix: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    of_pages = ("firmware_host.clients.web", "firmware_host.play.workbench", "firmware_host.clients.tv", module)
    for name in [name for name in sys.modules if name.startswith(of_pages)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "prefix", prefix)
    assert cli.main([command]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"{command}: the page needs {module}: {remedy}{instead}\n")
