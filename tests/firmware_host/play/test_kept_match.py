"""The match of `dudo-table play`: stopped or killed at any moment, it goes on at the next start."""

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support.host.play_process import ADDRESS, line, opened, playing
from support.pages.browser import a_short_match

from engine import PERUDO, PYRUDO
from firmware_host import cli
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.kept_match import JOURNAL, folder_name, kept_match
from firmware_host.public.record_client import request_figures
from firmware_host.table.events import PublicEvent, RoundBegan
from firmware_host.util import state_dir
from firmware_host.wire import MatchBegan, MatchWon
from hardware.config.layout import Layout, load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

TABLE = load_builtin("emulated").first(2)
Tells = Callable[[PublicEvent], bool]


def session(
    state: Path, seed: int, until: Tells, *, layout: Layout = TABLE, fresh: bool = False
) -> tuple[list[PublicEvent], list[str]]:
    """Play robots' session until an event; return the events, and what was said to the owner."""
    told: list[PublicEvent] = []
    said: list[str] = []

    async def play() -> None:
        ended = asyncio.Event()

        def tell(event: PublicEvent) -> None:
            told.append(event)
            if until(event):
                ended.set()

        with kept_match(layout, PERUDO, state, said.append, fresh=fresh) as kept:
            playing = asyncio.create_task(EmulatedSession(layout, PERUDO, seed, kept=kept).play(tell))
            await ended.wait()
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(play())
    return told, said


def round_begins(number: int) -> Tells:
    return lambda event: isinstance(event, RoundBegan) and event.number == number


def begun(told: list[PublicEvent]) -> int:
    return sum(isinstance(event, MatchBegan) for event in told)


def test_a_match_goes_on_in_the_round_in_which_it_was_stopped(tmp_path: Path) -> None:
    before, said = session(tmp_path, 1, round_begins(3))
    assert (begun(before), said) == (1, [])
    after, said = session(tmp_path, 2, round_begins(4))
    assert begun(after) == 0
    folder = tmp_path / "emulated-2-perudo"
    assert said == [f"The match kept in {folder} goes on in round 3; --fresh begins another one."]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / JOURNAL).stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_match_that_was_won_is_over_and_the_next_start_begins_another(tmp_path: Path) -> None:
    session(tmp_path, 1, lambda event: isinstance(event, MatchWon))
    told, said = session(tmp_path, 2, round_begins(1))
    assert (begun(told), said) == (1, [])


def test_fresh_begins_another_match(tmp_path: Path) -> None:
    session(tmp_path, 1, round_begins(2))
    told, said = session(tmp_path, 2, round_begins(1), fresh=True)
    assert (begun(told), said) == (1, [])


def test_a_match_of_seats_with_other_names_is_left_alone(tmp_path: Path) -> None:
    session(tmp_path, 1, round_begins(2))
    wired = load_builtin("wired-4").first(2)
    (tmp_path / folder_name(TABLE, PERUDO)).rename(tmp_path / folder_name(wired, PERUDO))
    told, said = session(tmp_path, 2, round_begins(1), layout=wired)
    assert (begun(told), said) == (1, [])


def test_every_choice_of_layout_seats_and_rules_has_a_match_of_its_own() -> None:
    tables = [(TABLE, PERUDO), (TABLE, PYRUDO), (load_builtin("emulated"), PERUDO), (load_builtin("wired-8"), PERUDO)]
    assert len({folder_name(*table) for table in tables}) == len(tables)


def test_no_name_of_a_layout_leads_out_of_the_folder() -> None:
    import msgspec

    assert folder_name(msgspec.structs.replace(TABLE, name="../../etc"), PERUDO) == "______etc-2-perudo"


def test_a_second_table_at_the_same_time_is_kept_nowhere_and_says_so(tmp_path: Path) -> None:
    with state_dir.locked(tmp_path / folder_name(TABLE, PERUDO)) as folder:
        told, said = session(tmp_path, 1, round_begins(1))
    assert begun(told) == 1
    problem = "another dudo-table keeps its journal there; stop that one, or name another folder with --state"
    assert said == [f"{folder}: {problem}. This match is kept nowhere: it ends with this command."]


def test_where_no_folder_can_be_made_the_match_is_kept_nowhere(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told, said = session(tmp_path / "file", 1, round_begins(1))
    assert begun(told) == 1
    assert [sentence.endswith("This match is kept nowhere: it ends with this command.") for sentence in said] == [True]


@pytest.mark.slow
def test_killed_twice_it_goes_on_and_the_record_of_its_dice_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "match.dudo"
    # Three players with two dice each lose four before one of them has won: a match has a fourth round.
    flags = ("--seats", "3", "--humans", "0", "--no-browser", "--speed", "30", "--rules", a_short_match(tmp_path))
    flags += ("--state", str(tmp_path / "state"), "--record", str(record))
    for number in (2, 4):
        with playing(*flags) as process, opened(line(process, ADDRESS)[1]):
            line(process, rf"\bround {number}\b|Round {number}\b")
            process.kill()
            process.wait()
    with playing(*flags) as process:
        resumed = line(process, r"goes on in round (\d+); --fresh begins another one\.")
        assert int(resumed[1]) >= 4
        with opened(line(process, ADDRESS)[1]):
            line(process, "wins the match")
            process.wait(30)
    assert cli.main(["verify", str(record)]) == 0
    assert len(re.findall(r"^dudo score", record.read_text(), re.MULTILINE)) == 1


@pytest.mark.slow
def test_the_figures_of_the_page_are_those_of_the_matches_played_there(tmp_path: Path) -> None:
    session(tmp_path, 5, lambda event: isinstance(event, MatchWon))
    events = tmp_path / "events.sock"
    flags = ["--no-browser", "--seats", "2", "--humans", "0", "--speed", "30", "--state", str(tmp_path)]
    flags += ["--events", str(events)]
    with playing(*flags) as process, opened(line(process, ADDRESS)[1]):
        line(process, r"\bbids\b")  # the socket is there
        found = json.loads(asyncio.run(request_figures(events)) or "null")
    assert found["all"]["matches"] == 1
    assert sum(player["won"] for player in found["all"]["players"]) == 1


@pytest.mark.slow
def test_staff_pause_and_end_a_match_that_is_played_on_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = tmp_path / "events.sock"

    def staff(*words: str) -> tuple[int, str]:
        code = cli.main(["staff", "--events", str(events), *words])
        return code, "".join(capsys.readouterr())

    flags = ["--no-browser", "--seats", "3", "--humans", "0", "--state", str(tmp_path), "--events", str(events)]
    with playing(*flags) as process, opened(line(process, ADDRESS)[1]):
        line(process, r"\bbids\b")
        assert staff("pause") == (0, "the match is paused\n")
        assert "paused" in staff("status")[1]
        assert staff("pause")[0] == 2
        assert staff("resume") == (0, "the match goes on\n")
        code, refusal = staff("rules", "pyrudo")
        assert (code, refusal) == (2, "a table of dudo-table play has its match alone: its flags are its settings\n")
        line(process, r"\bbids\b")
        assert staff("end-match") == (0, "the match is over, and nobody wins\n")
    assert events.with_name("staff.sock").exists()  # the process was killed
