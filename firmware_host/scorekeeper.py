"""Keeps the score of the matches at a table from its public events alone, and writes it down round by round.

`dudo-table play --record FILE` uses it. It hears what everybody hears, so it has the dice of a round once its cups are
up; of a round that ended without a call nobody ever learns them.
"""

import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TextIO

from engine import Bid, Call, Deal, Hand, Pass, RoundKind, Rules, Score, write_score
from engine.rules import DICE
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from hardware.faults import Fault, FileError

FIRST_WORDS = "dudo score "


class RecordFileError(FileError):
    """A file that no score can be written to."""


@contextmanager
def recording(path: Path | None, rules: Rules, names: Sequence[str]) -> Iterator[Callable[[PublicEvent], None]]:
    """Give the ears that write scores, with the date of today, to the end of a file; deaf ones if `path` is None.

    Raises `RecordFileError`, also for a file that holds other things.
    """
    if path is None:
        yield lambda _: None
        return
    with _opened(path) as file:
        keeper = Scorekeeper(rules, names, date.today().isoformat(), file)
        try:
            yield keeper.hear
        finally:
            keeper.close()


def _opened(path: Path) -> TextIO:
    try:
        if path.exists() and stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as before:
                start = before.read(len(FIRST_WORDS))
            if start and start != FIRST_WORDS.encode():
                raise RecordFileError(str(path), [Fault("", "", "holds something else than scores", "name a new file")])
        return path.open("a", encoding="utf-8")
    except (OSError, ValueError) as error:
        if isinstance(error, RecordFileError):
            raise
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        fault = Fault("", "", f"can't be written: {why.lower()}", "name a file in a folder that is yours")
        raise RecordFileError(str(path), [fault]) from error


class Scorekeeper:
    """Ears for one evening. `names` are those of the layout's seats."""

    def __init__(self, rules: Rules, names: Sequence[str], day: str, file: TextIO) -> None:
        self._rules = rules
        self._names = tuple(names)
        self._day = day
        self._file = file
        self._score: Score | None = None
        self._written = 0  # lines of the score
        self._players: tuple[int, ...] = ()
        self._dice: list[int] = []  # by player
        self._rolled = [0] * len(names)  # dice for the order of play, by seat of the layout
        self._round: events.RoundBegan | None = None
        self._dealt = False  # somebody has bid, so there are dice under the cups
        self._choice_due = False

    def hear(self, event: PublicEvent) -> None:
        """Write down what belongs in a score."""
        match event:
            case events.MatchBegan():
                self._begin(event)
            case events.OrderRolled(rolls):
                self._order(rolls)
            case events.RoundBegan():
                self._open(event)
            case events.ChoiceAwaited():
                self._choice_due = True
            case events.Said():
                self._say(event)
            case events.Revealed():
                self._reveal(event)
            case events.MatchWon(seat):
                self._end(seat)
            case _:
                pass

    def close(self) -> None:
        """Write down what there is of a match that is not over."""
        if self._score is not None:
            self._write(self._score, all_of_it=True)
        self._score = None

    def _begin(self, event: events.MatchBegan) -> None:
        self.close()
        self._players = event.players
        self._score = Score(self._rules, tuple(_fit(self._names[seat]) for seat in event.players), date=self._day)
        self._written = 0
        self._dice = [DICE] * len(event.players)
        self._rolled = [0] * len(self._names)
        self._round = None
        self._dealt = self._choice_due = False

    def _order(self, rolls: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        if self._score is None:
            return
        new = {self._player(seat): dice[-1] for seat, dice in rolls if len(dice) > self._rolled[seat]}
        if new:
            self._score = self._score.roll_for_order(new)
        for seat, dice in rolls:
            self._rolled[seat] = len(dice)

    def _open(self, event: events.RoundBegan) -> None:
        """A round begins, or begins again: because it is void, a seat has left, or its special kind is forgone."""
        if self._score is None:
            return
        before, self._round = self._round, event
        if before is None and self._rules.seating == "fixed":
            self._score = replace(self._score, first=self._player(event.first))
        gone = self._without(dict(event.dice))
        again = before is not None and before.number == event.number
        special = self._choice_due or (again and before is not None and before.kind is not RoundKind.NORMAL)
        if special and event.kind is RoundKind.NORMAL and not gone:
            self._score = self._score.forgo()
        elif again and self._dealt and not gone:
            self._score = self._score.void()
        self._dealt = self._choice_due = False

    def _without(self, living: dict[int, int]) -> bool:
        """Write down who has left: who held dice, and is not among the living."""
        gone = [player for player, seat in enumerate(self._players) if self._dice[player] and seat not in living]
        for player in gone:
            assert self._score is not None
            self._score = self._score.leave(player)
            self._dice[player] = 0
        return bool(gone)

    def _say(self, event: events.Said) -> None:
        if self._score is None:
            return
        if isinstance(event.action, Bid | Pass | Call) and not self._dealt:
            self._dealt = True
            self._score = self._score.roll_unseen()
        if isinstance(event.action, RoundKind):
            self._choice_due = False
        self._score = self._score.play(self._player(event.seat), event.action)

    def _reveal(self, event: events.Revealed) -> None:
        if self._score is None:
            return
        entries = list(self._score.entries)
        at = max(place for place, entry in enumerate(entries) if isinstance(entry, Deal))
        entries[at] = Deal(tuple(map(Hand, event.showdown.hands)))
        self._score = replace(self._score, entries=tuple(entries))
        self._dice = list(event.dice)
        self._dealt = False
        self._write(self._score, all_of_it=False)

    def _end(self, winner: int) -> None:
        if self._score is None:
            return
        self._without({winner: 1})
        self._score = self._score.won(self._player(winner))
        self.close()

    def _player(self, seat: int) -> int:
        return self._players.index(seat)

    def _write(self, score: Score, *, all_of_it: bool) -> None:
        lines = write_score(score).splitlines()
        if not all_of_it:
            lines.pop()  # the result
        if not self._written and self._file.seekable() and self._file.tell():
            self._file.write("\n")
        self._file.writelines(f"{line}\n" for line in lines[self._written :])
        self._file.flush()
        self._written = len(lines)


def _fit(name: str) -> str:
    """A name as a score can hold it."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
