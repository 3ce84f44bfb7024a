"""Names that players have entered: where they are kept, for how long, and how one is removed."""

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from support import ROOT
from support.engine.played_score import played

from engine import write_score
from firmware_host import cli
from firmware_host.daemon.answers import FIGURES
from firmware_host.daemon.names import CHECK_S, NameKeeper
from firmware_host.store.house import report
from firmware_host.store.house.database import remembered
from firmware_host.store.house.figures import Selection, figures
from firmware_host.store.house.names import FILE_NAME, MAX_REGULARS, NameBook
from firmware_host.table.seat.names import LETTERS, NO_NAMES, KeepNames, NameOptions, NamesRead
from hardware.emulated.virtual_loop import VirtualLoop

PLACES = ("North", "East", "South")
NOON = datetime(2026, 11, 21, 12)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state folder with six kept matches; in the first four ANA plays at the first seat."""
    (tmp_path / "matches").mkdir()
    book = NameBook(tmp_path)
    for number in range(6):
        day, name = f"2026-11-{20 + number // 3}", f"{number:012x}"
        score = replace(played("perudo", 3, random.Random(number)), names=PLACES, date=day)
        (tmp_path / "matches" / f"{day}-{name}.dudo").write_text(write_score(score), "utf-8")
        if number < 4:
            book.keep_match(name, ("ANA", "", "ÑÉŒ"), day)
    return tmp_path


def run(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def players(state: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    """Return the matches of each player in the figures."""
    capsys.readouterr()
    assert run("stats", "--json", "--state", state) == 0
    return {player["name"]: player["matches"] for player in json.loads(capsys.readouterr().out)["players"]}


def everything(state: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(state.rglob("*")) if file.is_file())


def in_public(state: Path) -> set[str]:
    """Return the players in figures that everybody may see."""
    found = remembered(state, lambda house: figures(house, Selection("")), public=True)
    return {player.name for player in found.players}


def page_of_figures(state: Path) -> str:
    """Return what the daemon's process prints for the page."""
    command = [sys.executable, "-m", FIGURES.module, str(state)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout


def test_figures_in_public_have_the_names_of_seats_unless_the_owner_wants_names_there(state: Path) -> None:
    assert in_public(state) == set(PLACES)
    begun(state, 365)
    assert in_public(state) == set(PLACES)
    assert not any(name in page_of_figures(state) for name in ("ANA", "ÑÉŒ"))
    begun(state, 365, public=True)
    assert all(name in page_of_figures(state) for name in ("ANA", "ÑÉŒ"))
    assert in_public(state) == {*PLACES, "ANA", "ÑÉŒ"}
    begun(state, None)
    assert in_public(state) == set(PLACES)
    assert b"ANA" not in (state / "house.sqlite").read_bytes()


def test_figures_forget_names_when_the_file_of_names_is_lost(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players(state, capsys)
    (state / FILE_NAME).unlink()
    assert players(state, capsys) == dict.fromkeys(PLACES, 6)
    NameBook(state).set_regulars(["Luz"])
    assert players(state, capsys) == dict.fromkeys(PLACES, 6)
    assert b"ANA" not in everything(state)


def test_figures_have_the_names_that_players_entered(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert players(state, capsys) == {"ANA": 4, "North": 2, "East": 6, "ÑÉŒ": 4, "South": 2}


def test_a_name_entered_after_the_match_was_counted_is_counted_too(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players(state, capsys)
    NameBook(state).keep_match(f"{5:012x}", ("EVA",), "2026-11-21")
    found = players(state, capsys)
    assert (found["EVA"], found["North"], found["ANA"]) == (1, 1, 4)
    rebuilt = NameBook(state)
    assert rebuilt.known()["EVA"] == (1, False, False)


def test_one_command_removes_a_name_everywhere(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players(state, capsys)
    records = {file: file.read_bytes() for file in (state / "matches").iterdir()}
    book = NameBook(state)
    book.set_regulars(["Ana", "Luz"])
    book.keep_evening(PLACES, ("ANA", "", ""), (), "2026-11-21")
    assert run("names", "--remove", "ana", "--state", state) == 0
    assert b"ANA" not in everything(state)
    assert b"Ana" not in everything(state)
    assert players(state, capsys)["North"] == 6
    assert {file: file.read_bytes() for file in (state / "matches").iterdir()} == records
    assert list(NameBook(state).known()) == ["Luz", "ÑÉŒ"]


def test_all_names_are_removed_at_once(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("names", "--remove-all", "--state", state) == 0
    assert players(state, capsys) == dict.fromkeys(PLACES, 6)


@pytest.mark.parametrize(
    "command", [("stats",), ("stats", "--rebuild"), ("names", "--remove", "ana"), ("names", "--remove-all")]
)
def test_a_bar_shows_how_far_many_matches_are_read_again(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    players(state, capsys)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(*command, "--state", state) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(report, "MIN_FILES_WITH_BAR", 3)
    NameBook(state).keep_match(f"{0:012x}", ("ANA",), "2026-11-20")
    players(state, capsys)
    if command == ("stats",):
        (state / "players.sqlite").write_bytes(b"no database at all" * 100)
    assert run(*command, "--state", state) == 0
    assert "Reading matches" in capsys.readouterr().err


def test_an_unknown_name_is_one_clear_error(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("names", "--remove", "\x1b[31mBOB", "--state", state) == 2
    error = capsys.readouterr().err
    assert "is not a name that this table keeps" in error
    assert "\x1b" not in error
    assert error.count("\n") == 1


def test_names_are_listed_with_their_matches(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    NameBook(state).set_regulars(["Luz"])
    assert run("names", "--state", state) == 0
    assert capsys.readouterr().out == "ANA: 4 matches\nLuz: regular\nÑÉŒ: 4 matches\n"


def test_names_of_old_matches_expire(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players(state, capsys)
    begun(state, 1)
    assert players(state, capsys)["ANA"] == 1
    begun(state, 0)
    assert "ANA" not in players(state, capsys)


def test_names_expire_as_before_when_the_owner_asks_for_none_any_more(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun(state, 2)
    assert begun(state, None) == NO_NAMES
    assert players(state, capsys)["ANA"] == 4
    assert begun(state, None, NOON + timedelta(days=2)) == NO_NAMES
    assert "ANA" not in players(state, capsys)


def test_regulars_come_from_a_file(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "regulars.txt"
    file.write_text("# the Thursday table\nAna\n\nJosé  \nD’Arcy\n", "utf-8")
    assert run("names", "--regulars", file, "--state", state) == 0
    assert set(NameBook(state).options(PLACES, "2026-11-21").regulars) == {"Ana", "José", "D’Arcy"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"Ana\nBartholomew\n", "line 2 = Bartholomew: has 11 characters"),
        (b"Ana\nana\n", "line 2 = ana: stands there twice"),
        (b"Ana\n<b>\n", "line 2 = <b>: has characters that can't be entered"),
        (b"Ana\n\x1b[2J\n", "line 2"),
        (b"\xff\xfeA\x00", "line 1"),
        ("".join(f"N{n}\n" for n in range(MAX_REGULARS + 1)).encode(), f"is one name more than {MAX_REGULARS}"),
        (b"x" * 70_000, "has more than 65536 bytes"),
    ],
)
def test_a_bad_list_of_regulars_gives_one_error_and_changes_nothing(
    content: bytes, problem: str, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    NameBook(state).set_regulars(["Luz"])
    file = tmp_path / "regulars.txt"
    file.write_bytes(content)
    assert run("names", "--regulars", file, "--state", state) == 2
    error = capsys.readouterr().err
    assert str(file) in error
    assert problem in error.replace('"', "")
    assert NameBook(state).options(PLACES, "").regulars == ("Luz",)


def test_a_damaged_book_is_replaced_and_costs_the_names_alone(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (state / FILE_NAME).write_bytes(b"no database" * 500)
    assert players(state, capsys) == dict.fromkeys(PLACES, 6)


@pytest.mark.parametrize("what", ["folder", "fifo"])
def test_a_book_that_is_no_file_is_one_error(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / FILE_NAME
    file.mkdir() if what == "folder" else os.mkfifo(file)
    assert run("names", "--state", tmp_path) == 2
    assert "is not a file" in capsys.readouterr().err
    assert begun(tmp_path, 30) == NameOptions(asks=True)


def test_the_book_is_private(state: Path) -> None:
    assert (state / FILE_NAME).stat().st_mode & 0o777 == 0o600


# The daemon


def begun(state: Path, days: int | None, now: datetime = NOON, *, public: bool = False) -> NameOptions:
    """Return what the table of a new session knows."""

    async def session() -> NameOptions:
        async with NameKeeper(state, lambda: now) as keeper:
            return await keeper.begin(PLACES, days, public=public)

    return asyncio.run(session())


def kept(state: Path, *names: KeepNames, days: int | None = 365) -> NameBook:
    """Return the book after a session in which players entered names."""

    async def session() -> None:
        async with NameKeeper(state, lambda: NOON) as keeper:
            await keeper.begin(PLACES, days)
            for name in names:
                keeper.keep(name)

    asyncio.run(session())
    return NameBook(state)


def test_the_names_of_an_evening_survive_a_restart_and_not_the_night(tmp_path: Path) -> None:
    kept(tmp_path, KeepNames(("ANA", "", ""), (1,)))
    assert begun(tmp_path, 365) == NameOptions(True, names=("ANA", "", ""), skipped=(1,))
    assert begun(tmp_path, 365, datetime(2026, 11, 22, 5)).names[0] == "ANA"
    assert begun(tmp_path, 365, datetime(2026, 11, 22, 6)).names == ("", "", "")


def test_a_match_is_kept_under_the_names_of_its_players(tmp_path: Path) -> None:
    with kept(tmp_path, KeepNames(("ANA", "EVA", ""), (), "a1b2", (2, 0))).lookup() as lookup:
        assert lookup("a1b2") == {1: "ANA"}


def test_names_that_did_not_change_are_no_reason_to_make_figures_again(tmp_path: Path) -> None:
    names = KeepNames(("ANA", "EVA", ""), (), "a1b2", (2, 0))
    assert kept(tmp_path, names, names, names).changed_since(0) == (1, ["a1b2"])


def test_for_no_days_no_match_has_names(tmp_path: Path) -> None:
    with kept(tmp_path, KeepNames(("ANA", "", ""), (), "a1b2", (2, 0)), days=0).lookup() as lookup:
        assert lookup("a1b2") == {}


def test_a_table_that_asks_for_no_names_makes_no_file(tmp_path: Path) -> None:
    kept(tmp_path, days=None)
    assert begun(tmp_path, None) == NO_NAMES
    assert not (tmp_path / FILE_NAME).exists()


def test_the_owners_changes_reach_a_running_table(tmp_path: Path) -> None:
    read: list[NamesRead] = []

    async def session() -> None:
        async with NameKeeper(tmp_path, lambda: NOON) as keeper:
            await keeper.begin(PLACES, 365)
            keeper.follow(read.append)
            keeper.keep(KeepNames((LETTERS[26:29], "", ""), ()))
            await keeper.read_again()
            NameBook(tmp_path).remove(LETTERS[26:29].lower())
            await keeper.read_again()

    asyncio.run(session())
    assert [message.options.names[0] for message in read] == [LETTERS[26:29], ""]


def test_a_locked_book_costs_the_names_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.store.house.names.LOCKED_S", 0.01)
    kept(tmp_path, KeepNames(("ANA", "", ""), ()))
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert begun(tmp_path, 365) == NameOptions(asks=True)
    other.close()


@pytest.mark.parametrize("written", ["\x1b[2J", "<b>", "X" * 5000, b"ANA", "", "\u202eANA"])
def test_a_name_that_this_program_never_wrote_is_not_shown(written: object, tmp_path: Path) -> None:
    kept(tmp_path, KeepNames(("ANA", "", ""), (), "a1b2", (0, 1, 2)))
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        for table in ("matches", "evening"):
            other.execute(f"UPDATE {table} SET name = ?", (written,))
        other.execute("INSERT INTO regulars VALUES (?)", (written,))
    other.close()
    known = begun(tmp_path, 365)
    assert (known.names, known.regulars) == (("", "", ""), ())
    with NameBook(tmp_path).lookup() as lookup:
        assert lookup("a1b2") == {}


def test_names_of_an_evening_that_ends_in_a_match_stay_until_it_is_over(tmp_path: Path) -> None:
    times, read = [NOON], list[NamesRead]()

    async def session() -> None:
        async with NameKeeper(tmp_path, lambda: times[0]) as keeper:
            await keeper.begin(PLACES, 365)
            keeper.follow(read.append)
            keeper.keep(KeepNames(("ANA", "", ""), (), "a1b2", (0, 1)))
            times[0] += timedelta(days=1)
            await asyncio.sleep(CHECK_S + 1)
            assert not read
            keeper.keep(KeepNames(("ANA", "", ""), ()))
            await asyncio.sleep(CHECK_S + 1)
            assert [message.options.names for message in read] == [("", "", "")]

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(session())
    with NameBook(tmp_path).lookup() as lookup:
        assert lookup("a1b2") == {0: "ANA"}
