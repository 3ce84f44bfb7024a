"""A match in which the daemon dies over and over, on a journal and a file for records that are really on disk.

    match = Mortal(loop, folder, PERUDO, seed=3, deaths=10)
    match.play()

It dies when a record is durable and nobody has heard of it yet, or before that, or while it takes its ease. No table is
laid: cups are programs that remember, hands are those of `support.table.harness`.
"""

import random
from pathlib import Path

from support.table.harness import Evening, recorded_in

from engine import Rules
from firmware_host.journal.journal import Journal
from firmware_host.journal.store import MatchLog
from firmware_host.scores.archive import MatchArchive
from firmware_host.scores.recorder import recording
from firmware_host.table.effects import Announce, Effect
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SceneName
from hardware.emulated.virtual_loop import VirtualLoop

SEATS = 3
DAY = "2026-11-21"


class DiedError(Exception):
    """The daemon is no more."""


class _Life(Evening):
    """One daemon's part of the match; `dies` says before each record whether it is the last, or the one before was."""

    match: "Mortal"

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        if recorded_in(effects):
            self.match.carry_out(recorded_in(effects)[0], effects)
        for event in told_in(effects):
            self.match.tell(event)
        return super()._carry_out(effects, before)


class Mortal:
    """One match, from the lobby to its end."""

    def __init__(self, loop: VirtualLoop, folder: Path, rules: Rules, *, seed: int, deaths: int) -> None:
        self._loop = loop
        self._folder = folder
        self._rules = rules
        self._rng = random.Random(seed)
        self._seed = seed
        self._every = 6
        self.deaths_to_come = deaths
        self.lives = 0
        self.last: Evening | None = None
        self.recorded: list[tuple[Scene, list[PublicEvent]]] = []  # by all daemons

    @property
    def id(self) -> str:
        """The match's name."""
        assert self.last is not None
        return self.last.game.id

    @property
    def record(self) -> str:
        """What stands in its file."""
        (file,) = self.exported.iterdir()
        return file.read_text("utf-8")

    @property
    def played(self) -> MatchLog:
        """What the journal has of it at the end."""
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
        """What `--record` names."""
        return self._folder / "record.dudo"

    def play(self) -> None:
        """Play until somebody has won, and let the daemon come up once more after that."""
        while not self._lived():
            pass
        self.deaths_to_come = 0
        self._lived()

    def carry_out(self, scene: Scene, effects: list[Effect]) -> None:
        """What the shell does with a `Record`."""
        dies, late = self._dies(), self._rng.random() < 0.5
        if dies and not late:
            raise DiedError
        self._loop.run_until_complete(self._journal.write(scene, {}, told_in(effects)))
        self.recorded.append((scene, told_in(effects)))
        if dies:
            raise DiedError

    def _dies(self) -> bool:
        last = self._journal.scene
        if not self.deaths_to_come or last is None or last.game is None or self._rng.randrange(self._every):
            return False
        self.deaths_to_come -= 1
        return True

    def _lived(self) -> bool:
        """Whether a daemon lived to see the end."""
        self.lives += 1
        Life = type("Life", (_Life,), {"match": self})
        journal = Journal(self._folder / "journal.sqlite", MatchArchive(self.exported), day=lambda: DAY)
        self._journal = journal
        scene, programs = journal.scene, {} if self.last is None else self.last.cups
        try:
            with recording(self.file, self._rules, ("North", "East", "South"), journal.match) as self.tell:
                made = range(SEATS) if self.last is None else ()
                seed = self._seed + 1000 * (self.lives - 1)  # the next daemon draws other seeds of the house
                evening = Life(self._rules, SEATS, seed=seed, programs=made, cups=programs, scene=scene)
                evening.rng = self._rng
                return self._played(evening)
        except DiedError:
            return False
        finally:
            journal.close()

    def _played(self, evening: Evening) -> bool:
        self.last = evening
        if evening.scene is SceneName.LOBBY:
            evening.joined()
        while evening.scene is not SceneName.OVER:
            if hands := [hand for hand in evening if hand.awaited]:
                self._rng.choice(hands).does_something(self._rng)
            else:
                evening.wait(2)
        return True


def told_in(effects: list[Effect]) -> list[PublicEvent]:
    """What the room is told."""
    return [effect.event for effect in effects if isinstance(effect, Announce)]
