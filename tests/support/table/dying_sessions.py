"""A match in which the daemon dies repeatedly, with a journal and a record file on a real disk.

    match = KilledMatch(loop, folder, PERUDO, seed=3, deaths=10)
    match.play()

It dies before a record is durable, or after that but before anybody was shown it. There are no emulated devices: cups
are programs that remember, hands are those of `support.table.harness`.
"""

import random
from pathlib import Path

from support.table.harness import NAMES, TableHarness, scenes_in

from engine import Rules
from firmware_host.store.journal.journal import Journal
from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.store.scores.recorder import recording
from firmware_host.table.effects import Announce, Effect
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName
from hardware.emulated.virtual_loop import VirtualLoop

SEATS = 3
DAY = "2026-11-21"


class DiedError(Exception):
    """Raised where the daemon dies."""


class _KilledHarness(TableHarness):
    """One daemon's part of the match; `dies` says before each record whether it is the last, or the one before was."""

    match: "KilledMatch"

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        if scenes_in(effects):
            self.match.carry_out(scenes_in(effects)[0], effects)
        for event in events_in(effects):
            self.match.publish(event)
        return super()._carry_out(effects, before)


class KilledMatch:
    """One match, from the lobby to its end."""

    def __init__(
        self, loop: VirtualLoop, folder: Path, rules: Rules, *, seed: int, deaths: int, seats: int = SEATS
    ) -> None:
        self._loop = loop
        self._folder = folder
        self._rules = rules
        self._rng = random.Random(seed)
        self._seed = seed
        self._seats = seats
        self._every = 6
        self.deaths_to_come = deaths
        self.runs = 0
        self.last: TableHarness | None = None
        self.recorded: list[tuple[Scene, list[PublicEvent]]] = []  # by all daemons

    @property
    def id(self) -> str:
        """The match's name."""
        assert self.last is not None
        return self.last.game.id

    @property
    def record(self) -> str:
        """The content of its file."""
        (file,) = self.exported.iterdir()
        return file.read_text("utf-8")

    @property
    def played(self) -> MatchLog:
        """The match in the journal at the end."""
        journal = Journal(self._folder / "journal.sqlite")
        journal.close()
        assert journal.match is not None
        return journal.match

    @property
    def exported(self) -> Path:
        """The folder of the matches."""
        return self._folder / "matches"

    @property
    def file(self) -> Path:
        """The file that `--record` names."""
        return self._folder / "record.dudo"

    def play(self) -> None:
        """Play until somebody has won, then start the daemon once more."""
        while not self._run_daemon():
            pass
        self.deaths_to_come = 0
        self._run_daemon()

    def carry_out(self, scene: Scene, effects: list[Effect]) -> None:
        """Write a `Record` to the journal, as the daemon does."""
        dies, late = self._dies(), self._rng.random() < 0.5
        if dies and not late:
            raise DiedError
        self._loop.run_until_complete(self._journal.write(scene, {}, events_in(effects)))
        self.recorded.append((scene, events_in(effects)))
        if dies:
            raise DiedError

    def _dies(self) -> bool:
        last = self._journal.scene
        if not self.deaths_to_come or last is None or last.game is None or self._rng.randrange(self._every):
            return False
        self.deaths_to_come -= 1
        return True

    def _run_daemon(self) -> bool:
        """Run one daemon. Return whether it was still running at the end of the match."""
        self.runs += 1
        Harness = type("Life", (_KilledHarness,), {"match": self})
        journal = Journal(self._folder / "journal.sqlite", MatchArchive(self.exported), day=lambda: DAY)
        self._journal = journal
        scene, programs = journal.scene, {} if self.last is None else self.last.cups
        try:
            with recording(self.file, self._rules, NAMES[: self._seats], journal.match) as self.publish:
                made = range(self._seats) if self.last is None else ()
                seed = self._seed + 1000 * (self.runs - 1)  # the next daemon draws other seeds of the house
                harness = Harness(self._rules, self._seats, seed=seed, programs=made, cups=programs, scene=scene)
                harness.rng = self._rng
                return self._played(harness)
        except DiedError:
            return False
        finally:
            journal.close()

    def _played(self, harness: TableHarness) -> bool:
        self.last = harness
        if harness.scene is SceneName.LOBBY:
            harness.joined()
        while harness.scene is not SceneName.OVER:
            if hands := [hand for hand in harness if hand.awaited]:
                self._rng.choice(hands).does_something(self._rng)
            else:
                harness.wait(2)
        return True


def events_in(effects: list[Effect]) -> list[PublicEvent]:
    """Return the public events."""
    return [effect.event for effect in effects if isinstance(effect, Announce)]
