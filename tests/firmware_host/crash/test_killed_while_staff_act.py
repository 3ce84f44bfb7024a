"""The daemon, a process of its own, is killed while staff undo, hand over, pause, end and reopen a match with robots.

What staff were answered is on disk after every death; what they were not has happened wholly or not at all.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from support import ROOT
from support.crash.daemon import OF_STAFF
from support.crash.table import KilledTable, Plan
from support.pages.browser import a_chromium
from support.pages.public_pages import StagedTable, a_screen
from support.proofs.phone_dice import CHECKED, difference

from engine import parse_score
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores import replay_events
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.staff.actions import StaffCommand
from firmware_host.wire import MatchWon

pytestmark = pytest.mark.system

SEED = os.environ.get("KILLED_SEED", "1")
SEATS, ROBOTS = 4, (2, 3)
KILLS_AT_EACH_POINT = 2
LIVES_S = 5.0
"""Seconds of play before a death at any moment: the process of the robots starts in one of them."""


def killed(folder: Path) -> KilledTable:
    """Play one match of two people and two robots to its end; daemons die at every point of what staff do."""

    async def scenario() -> KilledTable:
        async with KilledTable(folder, seed=SEED, seats=SEATS, robots=ROBOTS, has_staff=True, reckless=True) as table:
            for dies in OF_STAFF:
                await table.live(Plan("playing", LIVES_S))
                await table.go(KILLS_AT_EACH_POINT, dies=dies)
            await table.finish()
        return table

    return asyncio.run(scenario())


def command(*words: object) -> str:
    """Return what `dudo-table` prints; it must end well."""
    run = [sys.executable, "-m", "firmware_host.cli", *map(str, words)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done
    return done.stdout


class Played(NamedTuple):
    """A match that was played to its end."""

    table: KilledTable
    state: Path
    file: Path

    @property
    def record(self) -> str:
        return self.file.read_text("utf-8")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("killed") / "table"
    table = killed(folder)
    print({what.value: (table.staff.done[what], table.staff.open[what]) for what in StaffCommand}, table.counts)
    (file,) = (folder / "state" / "matches").glob("*.dudo")
    return Played(table, folder / "state", file)


def test_what_staff_were_answered_is_on_disk_after_every_death(match: Played) -> None:
    assert match.table.wrong == []
    assert match.table.counts["matches won"] == match.table.counts["matches verified"] == 1
    done = match.table.staff.done
    assert done[StaffCommand.UNDO] >= 10
    assert done[StaffCommand.HAND_OVER] >= 3
    assert min(done[StaffCommand.PAUSE], done[StaffCommand.REOPEN]) >= 1
    assert match.record.count("[robot ") == 2 * len(ROBOTS)  # in the heading and in the chain


def test_its_record_verifies_on_the_command_line(match: Played) -> None:
    (verdict,) = verify(match.record)
    told = command("verify", match.file)
    assert "\n".join(verdict.lines()) in told
    assert verdict.is_proven


def test_its_replay_ends_in_the_same_standing(match: Played) -> None:
    *_, last = replay_events.steps(parse_score(match.record))
    (won,) = [event for event in last.events if isinstance(event, MatchWon)]
    with Journal(match.state / "journal.sqlite") as journal:
        scene = journal.scene
    assert isinstance(scene, MatchOver)
    assert last.position == scene.game.position
    assert [scene.game.players[player] for player in won.standings] == [*scene.game.standings]
    names = parse_score(match.record).names
    assert f"{names[won.standings[0]]} wins" in command("replay", match.file)


def test_a_phone_computes_its_dice_as_verify_does(match: Played) -> None:
    with tempfile.TemporaryDirectory() as folder, a_chromium() as browser:
        staged = StagedTable(Path(folder) / "events.sock")
        with a_screen(staged.path) as screen, browser.new_context() as context, context.new_page() as page:
            page.goto(f"{screen.address}check/")
            (told,) = page.evaluate(CHECKED, [match.record])
            assert difference(match.record, told) is None
        staged.close()
