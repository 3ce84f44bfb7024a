"""`dudo-table replay`: sentences, positions, keys in a terminal, and errors in files."""

import io
import os
import pty
import select
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.console import Console

from engine import parse_position, parse_score
from firmware_host import cli
from firmware_host.store.scores.replay_events import seat_names, steps
from firmware_host.store.scores.replay_screen import NamedSteps, keys, render, step_after_key

SCORE = """dudo score 1
rules: palo-fijo
seat 0: Lima
seat 1:
seat 2: Cusco

0. 3/5/5 -/2/6
1. 11456/22334/13356 2:4x3 1:pass 0:dudo
2. ? 1:3x2 void 12356/2445/12266 1:1x2 2:leave ? 1:3x6
*
"""
STORY = """A match of palo-fijo between Lima, Seat 1 and Cusco.
One die each for the order of play: Lima 3, Seat 1 5, Cusco 5.
A tie: those roll again.
One die each for the order of play: Lima 3, Seat 1 5-2, Cusco 5-6.
They play in the order Cusco, Seat 1 and Lima.

Round 1. Fifteen dice: Cusco 5, Seat 1 5, Lima 5. Cusco opens.
Cusco bids four trains.
Seat 1 passes.
Lima doubts: dudo!
The cups go up: Lima 1 1 4 5 6, Seat 1 2 2 3 3 4, Cusco 1 3 3 5 6.
Seat 1’s pass was a bluff. Seat 1 loses a die."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.dudo"
    path.write_text(SCORE, "utf-8")
    return path


def test_without_a_terminal_the_whole_story_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(STORY + "\n\nRound 2.")
    assert "The round is void: nobody loses a die, and it is rolled again.\n" in out
    assert out.endswith(
        "Cusco gets up.\n\nRound 2. Nine dice: Seat 1 4, Lima 5. Seat 1 opens.\nSeat 1 bids three sixes.\n"
    )


def test_each_position_told_on_demand_is_one_that_reads_back(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(file), "--positions"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    assert [parse_position(line) for line in lines] == [*parse_score(SCORE).positions()]


def test_scores_of_one_file_are_told_one_after_the_other(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SCORE * 2, "utf-8")
    assert cli.main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.count("A match of palo-fijo") == 2


WRONG = {
    "": "line 1: '': is empty, expected the first line of a score, 'dudo score 1'",
    "hello": "line 1: 'hello': expected the first line of a score, 'dudo score 1'",
    SCORE[:-2]: "line 9: '1:3x6': ends too early, expected more of the match, * for a match that is not over",
    SCORE.replace("11456/22334/13356", "?"): "line 8: '0:dudo': the dice of its round are not in the score",
    SCORE.replace("2:4x3", "1:4x3"): "line 8: '1:4x3': seat 1 may not 4x3 (not-in-turn) in: palo-fijo bidding",
    SCORE.replace("palo-fijo", "palo-fija"): "line 2: 'palo-fija': expected kill-spot, pyrudo,",
    SCORE.replace("*", "9" * 300_000): f"line 10: '{'9' * 60}'…: expected a roll such as",
}


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_of_endless_size_is_not_read(
    command: str, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(b"%" * 5000)
    monkeypatch.setattr("firmware_host.store.scores.score_file.MAX_RECORD_BYTES", 4096)
    assert cli.main([command, str(file)]) == 2
    assert f"{file}: is larger than 4 KiB, no " in capsys.readouterr().err


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=range(len(WRONG)))
def test_a_wrong_file_gets_one_line_that_names_it_and_the_line(
    text: str, said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(text, "utf-8")
    assert cli.main(["replay", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"{file}: {said}")


def test_a_file_that_is_not_there_is_told_without_naming_shipped_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "no.dudo"]) == 2
    assert capsys.readouterr().err == "no.dudo: there is no such file; name a score file\n"


def test_a_file_that_is_no_text_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"dudo score 1\nrules: \xff")
    assert cli.main(["replay", str(file)]) == 2
    assert capsys.readouterr().err == f"{file}: line 2 = byte 0xff: is not UTF-8; save the file as UTF-8\n"


@pytest.fixture
def walked() -> NamedSteps:
    score = parse_score(SCORE)
    return [(seat_names(score), step) for step in steps(score)]


@pytest.mark.parametrize(
    ("place", "key", "to"),
    [
        (0, b"\r", 1),
        (0, b"\x1b[C", 1),
        (3, b"\x1b[D", 2),
        (0, b"\x1b[D", 0),
        (0, b"\x1b[B", 6),
        (9, b"\x1b[A", 6),
        (6, b"\x1b[A", 0),
        (6, b"\x1b[B", 14),
        (0, b"\x1b[F", 14),
        (14, b"\r", 14),
        (14, b"\x1b[H", 0),
        (5, b"?", 5),
    ],
)
def test_a_key_leads_to_a_step(place: int, key: bytes, to: int, walked: NamedSteps) -> None:
    assert step_after_key(walked, place, key) == to


def test_keys_that_come_at_once_are_taken_one_by_one() -> None:
    assert keys(b"\r\x1b[C\x1bOBq") == [b"\r", b"\x1b[C", b"\x1bOB", b"q"]
    assert keys(b"") == [b""]


def test_a_page_shows_the_table_above_the_story_so_far(walked: NamedSteps) -> None:
    console = Console(width=60, height=24, record=True, file=io.StringIO())
    console.print(render(walked, 5, 60, 24))
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert lines[:4] == ["  Cusco   ●●●●●  4x3  four trains", "  Seat 1  ●●●●●  pass", "▶ Lima    ●●●●●", ""]
    assert lines[-1].startswith("6/15   → Enter on")
    assert "Seat 1 passes." in lines
    assert "Lima doubts: dudo!" not in lines


@pytest.mark.parametrize("size", [(60, 24), (20, 5), (1, 1)])
def test_a_page_never_outgrows_the_terminal(size: tuple[int, int], walked: NamedSteps) -> None:
    console = Console(width=size[0], height=size[1], record=True, file=io.StringIO())
    for place in range(len(walked)):
        console.print(render(walked, place, *size))
        lines = console.export_text().splitlines()
        assert len(lines) <= size[1]
        assert max(map(len, lines)) <= size[0]


def test_in_a_terminal_keys_step_through_it_and_the_terminal_is_left_as_it_was(file: Path) -> None:
    leader, follower = pty.openpty()
    before = termios.tcgetattr(follower)
    command = [sys.executable, "-m", "firmware_host.cli", "replay", str(file)]
    root = str(Path(cli.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment) as process:
        try:
            seen = read_until(leader, "1/15")
            os.write(leader, b"\r\x1b[B")
            seen += read_until(leader, "7/15")
            os.write(leader, b"q")
            assert process.wait(20) == 0
        finally:
            process.kill()
    assert "Seat 1’s pass was a bluff." in seen
    assert termios.tcgetattr(follower) == before
    os.close(follower)
    os.close(leader)


def read_until(terminal: int, words: str) -> str:
    """Return the terminal's text up to `words`."""
    seen = b""
    while words.encode() not in seen:
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, f"{words!r} never came: {seen!r}"
        seen += os.read(terminal, 4096)
    return seen.decode()
