"""`dudo-table stats`: figures of all kept matches, from a file that can be lost, damaged or locked."""

import csv
import fcntl
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import ROOT
from support.engine.played_score import played
from support.host.bad_disks import nobody, remount, small_disk

from engine import write_score
from firmware_host import cli
from firmware_host.store.house import database
from firmware_host.store.house.names import NameBook
from firmware_host.store.house.page import made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state folder with six matches of two days under two rule sets."""
    (tmp_path / "matches").mkdir()
    for number in range(6):
        keep(tmp_path, number)
    return tmp_path


def keep(state: Path, number: int) -> None:
    """Keep one more match: the folder changes, as when a daemon exports one."""
    score = played(("perudo", "kill-spot")[number % 2], 3, random.Random(number))
    day = f"2026-11-{20 + number // 3}"
    names = ("Lima", "Quito", "Puno")
    file = state / "matches" / f"{day}-{number:012x}.dudo"
    file.write_text(write_score(replace(score, names=names, date=day)), "utf-8")
    os.utime(state / "matches", ns=(number, number))


def printed(state: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """Return what `stats` prints."""
    assert cli.main(["stats", "--state", str(state), *flags]) == 0
    return capsys.readouterr().out


def as_json(state: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    """Return the figures that `stats --json` prints."""
    found: dict[str, Any] = json.loads(printed(state, capsys, "--json", *flags))
    return found


def test_the_hall_of_fame_counts_every_match(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(state, capsys)
    assert (found["matches"], found["broken_off"]) == (6, 0)
    assert (found["first_day"], found["last_day"]) == ("2026-11-20", "2026-11-21")
    players = found["players"]
    assert isinstance(players, list)
    assert sum(player["won"] for player in players) == 6
    assert {player["matches"] for player in players} == {6}
    assert "6 matches, 2026-11-20 to 2026-11-21" in printed(state, capsys)


def test_the_days_are_the_first_and_the_last_of_all_rule_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "matches").mkdir()
    keep(tmp_path, 0)  # perudo, on the 20th
    keep(tmp_path, 3)  # kill-spot, on the 21st
    found = as_json(tmp_path, capsys)
    assert (found["first_day"], found["last_day"]) == ("2026-11-20", "2026-11-21")


def test_figures_of_tonight_and_of_one_rule_set(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(state, capsys, "--tonight")["matches"] == 3
    assert as_json(state, capsys, "--since", "2026-11-21", "--rules", "perudo")["matches"] == 1
    assert "No such match" in printed(state, capsys, "--rules", "nonesuch")


@pytest.mark.parametrize("text", ["2026-13-01", "2026-02-30", "yesterday", "20261121"])
def test_a_day_that_no_calendar_has_is_refused(text: str, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["stats", "--state", str(state), "--since", text])
    assert ended.value.code == 2
    assert f"{text} is not a date, write it as in 2026-11-21" in capsys.readouterr().err


def test_csv_has_a_row_for_each_player(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(printed(state, capsys, "--csv").splitlines()))
    assert sorted(row["name"] for row in rows) == ["Lima", "Puno", "Quito"]


def test_a_new_match_is_added_and_a_known_one_not_read_again(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = as_json(state, capsys)
    read: list[Path] = []
    whole = database.read_scores
    monkeypatch.setattr(database, "read_scores", lambda file, **how: read.append(file) or whole(file, **how))
    assert as_json(state, capsys) == before
    keep(state, 6)
    assert as_json(state, capsys)["matches"] == 7
    assert [file.name for file in read] == ["2026-11-22-000000000006.dudo"]


def test_one_by_one_and_all_at_once_give_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "matches").mkdir()
    for number in range(12):
        keep(tmp_path, number)
        step_by_step = as_json(tmp_path, capsys)
    assert as_json(tmp_path, capsys, "--rebuild") == step_by_step


# What goes wrong


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_file_is_made_again(state: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    before = as_json(state, capsys)
    (state / "house.sqlite").write_bytes(content)
    assert as_json(state, capsys) == before


def test_a_damaged_file_is_kept_since_its_counters_are_nowhere_else(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = as_json(state, capsys)
    (state / "house.sqlite").write_bytes(b"no database" * 100)
    (state / "house.sqlite-journal").write_bytes(b"x")
    assert as_json(state, capsys) == before
    assert (state / "house.damaged").read_bytes() == b"no database" * 100


@pytest.mark.parametrize("page", range(6))
def test_a_file_with_a_damaged_page_is_made_again(state: Path, capsys: pytest.CaptureFixture[str], page: int) -> None:
    before = as_json(state, capsys)
    file = state / "house.sqlite"
    content = bytearray(file.read_bytes())
    content[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
    file.write_bytes(content)
    keep(state, 6)
    assert as_json(state, capsys)["matches"] == 7
    (state / "matches" / "2026-11-22-000000000006.dudo").unlink()
    assert as_json(state, capsys, "--rebuild") == before


def test_a_file_of_another_version_is_made_again(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = as_json(state, capsys)
    with closing(sqlite3.connect(state / "house.sqlite")) as house:
        house.execute("PRAGMA user_version = 99")
    assert as_json(state, capsys) == before


def test_a_locked_file_is_named(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_json(state, capsys)
    keep(state, 6)
    monkeypatch.setattr(database, "LOCKED_S", 0.0)
    with closing(sqlite3.connect(state / "house.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert cli.main(["stats", "--state", str(state)]) == 2
    assert (
        capsys.readouterr().err == f"{state}/house.sqlite: another program is using it; try again when that has ended\n"
    )


def test_what_is_not_a_file_is_left_alone(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(state / "house.sqlite")
    assert cli.main(["stats", "--state", str(state)]) == 2
    assert "house.sqlite: is not a file; move it away" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_has_figures_all_the_same(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = as_json(state, capsys)

    def refuse(_: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(database.state_dir, "create_file", refuse)
    assert as_json(state, capsys) == before
    keep(state, 6)
    assert as_json(state, capsys)["matches"] == 7
    (state / "house.sqlite").unlink()
    assert as_json(state, capsys)["matches"] == 7
    assert not (state / "house.sqlite").exists()


def test_a_read_only_disk_has_figures_under_the_names_that_are_kept(tmp_path: Path) -> None:
    for number, content in enumerate((None, b"no database at all" * 100)):
        with small_disk(tmp_path / str(number)) as disk:
            (disk / "matches").mkdir()
            keep(disk, 0)
            book = NameBook(disk)
            book.set_wishes(365, public=True)
            book.keep_match(f"{0:012x}", ("ANA",), "2026-11-20")
            if content is not None:
                (disk / "players.sqlite").write_bytes(content)
            remount(disk, "ro")
            found = json.loads(made(disk))
            assert {one["name"] for one in found["all"]["players"]} == {"ANA", "Quito", "Puno"}
            assert list(book.known()) == ["ANA"]


def test_who_may_not_read_the_names_has_the_figures_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        state.chmod(0o755)
        (state / "matches").mkdir()
        keep(state, 0)
        for path in (state / "matches", *(state / "matches").iterdir()):
            path.chmod(0o755)
        NameBook(state).keep_match(f"{0:012x}", ("ANA",), "2026-11-20")
        as_json(state, capsys)
        with nobody():
            assert cli.main(["stats", "--state", folder, "--json"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert {one["name"] for one in json.loads(out)["players"]} == {"Lima", "Quito", "Puno"}
        state.chmod(0o700)
        with nobody():
            assert cli.main(["stats", "--state", folder]) == 2
        assert capsys.readouterr().err == f"{folder}/matches: permission denied; run it with sudo\n"


@pytest.mark.slow
def test_processes_that_make_a_damaged_file_again_at_once_have_the_same_figures(state: Path) -> None:
    command = [sys.executable, "-m", "firmware_host.cli", "stats", "--state", state, "--json", "--rebuild"]
    for number in range(6, 60):
        shutil.copy(state / "matches" / "2026-11-20-000000000000.dudo", state / "matches" / f"2026-11-22-{number}.dudo")
    (state / "house.sqlite").write_bytes(b"no database at all" * 100)
    pipe = subprocess.PIPE
    processes = [subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) for _ in range(4)]
    printed = [process.communicate(timeout=60) for process in processes]
    assert {err for _, err in printed} == {""}
    (out,) = {out for out, _ in printed}
    assert json.loads(out)["matches"] == 60
    with closing(sqlite3.connect(state / "house.sqlite")) as house:
        assert house.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_process_that_hangs_while_it_makes_the_figures_is_named(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_json(state, capsys)
    monkeypatch.setattr(database, "TURN_S", 0.0)
    with open(state / database.LOCK_FILE, "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert cli.main(["stats", "--state", str(state)]) == 2
    assert capsys.readouterr().err == (
        f"{state}: another program is making the figures; try again when that has ended\n"
    )
    as_json(state, capsys)


def test_a_bad_record_is_named_and_the_others_count(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = state / "matches" / "2026-11-20-bad\x1b[31m.dudo"
    bad.write_text("dudo score 1\nrules: nonesuch\n", "utf-8")
    assert cli.main(["stats", "--state", str(state), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["matches"] == 6
    assert "2026-11-20-bad" in err
    assert "nonesuch" in err
    assert "\x1b" not in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("what", ["winner", "action", "undo"])
def test_a_match_that_cannot_have_happened_is_named_with_its_line(
    what: str, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = sorted((state / "matches").iterdir())[0]
    text = file.read_text("utf-8")
    winner = int(text.rstrip()[-6])
    first = next(word for word in text.split() if re.fullmatch(r"[0-2]:\d+x\d", word))
    wrong = {
        "winner": text.replace(f"{winner}:wins", f"{(winner + 1) % 3}:wins"),
        "action": text.replace(first, f"{first} {first}", 1),
        "undo": text.replace(first, f"{first} undo undo", 1),
    }[what]
    assert wrong != text
    file.write_text(wrong, "utf-8")
    assert cli.main(["stats", "--state", str(state), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["matches"] == 5
    assert re.search(rf"{file.name}: line \d+: ", err)


def test_names_are_not_read_as_markup(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (state / "matches").iterdir():
        file.write_text(file.read_text("utf-8").replace("Lima", "[red]Lima"), "utf-8")
    assert "[red]Lima" in printed(state, capsys)


def test_an_interruption_loses_a_batch_at_most(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BATCH", 2)

    def interrupted(names: list[str]) -> Iterator[str]:
        yield from names[:5]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        database.remembered(state, lambda house: None, progress=interrupted)  # type: ignore[arg-type]
    with closing(sqlite3.connect(state / "house.sqlite")) as house:
        assert house.execute("SELECT count(*) FROM matches").fetchone() == (5,)
    assert as_json(state, capsys)["matches"] == 6


def test_a_folder_without_matches_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path}/matches: there is no such folder, so no match was kept")


def test_the_folder_of_play_is_named_where_only_it_has_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "play" / "emulated-4-perudo"
    (kept / "matches").mkdir(parents=True)
    assert cli.main(["stats", "--state", str(tmp_path)]) == 2
    assert f"--state {kept}\n" in capsys.readouterr().err


def test_robots_are_counted_by_level_and_stay_out_of_the_hall_of_fame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "matches").mkdir()
    for number in range(4):
        score = played("perudo", 3, random.Random(number))
        names = ("Lima", "Quito [robot hard]", "Puno [robot hard]")
        file = tmp_path / "matches" / f"2026-11-20-{number:012x}.dudo"
        file.write_text(write_score(replace(score, names=names, date="2026-11-20")), "utf-8")
    found = as_json(tmp_path, capsys)
    assert [player["name"] for player in found["players"]] == ["Lima"]
    assert [(robot["name"], robot["matches"]) for robot in found["robots"]] == [("hard", 8)]
    assert {bluff["name"] for bluff in found["bluffs"]} <= {"Lima"}
    assert "Robot, hard: won" in printed(tmp_path, capsys)
