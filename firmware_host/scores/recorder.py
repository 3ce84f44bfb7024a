"""Keeps the score of the matches at a table from its public events alone, and writes it down round by round.

`dudo-table play` and `run` use it with `--record FILE`, `matches` for what the journal has kept of a match. It hears
what everybody hears, so it has the dice of a round once its cups are up; of a round that ended without a call nobody
ever learns them. With what proves the dice a score is a record: `dudo-table verify` checks it.

It can be told again what it has heard, as a daemon tells that comes up in the midst of a match.
"""

import io
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TextIO

from engine import Bid, Call, DealtHands, Departure, OrderRoll, Pass, PlayedAction, RoundKind, Rules, Ruling
from engine.rules import DICE
from firmware_host.fairness.lines import is_match_line, printable_name, read_match_line
from firmware_host.journal.store import MatchLog
from firmware_host.scores.score_file import opened, truncate_to_match
from firmware_host.scores.score_writer import RecordWriter
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

log = logging.getLogger("dudo-table")


@contextmanager
def recording(
    path: Path | None, rules: Rules, names: Sequence[str], resumed: MatchLog | None = None
) -> Iterator[Callable[[PublicEvent], None]]:
    """Give the ears that write scores, with the date of the day, to the end of a file; deaf ones if `path` is None.

    A match that was `resumed` is written down from its beginning, in place of what the file has of it. Raises
    `RecordFileError`, also for a file that holds other things. A disk that fails later costs the match that is being
    written down, and is said in the log; the table plays on.
    """
    if path is None:
        yield lambda _: None
        return
    file = opened(path)
    keeper = MatchRecorder(rules, names, _today, file)
    try:
        if resumed is not None:
            keeper.resume(path, resumed)
        yield keeper.hear
    finally:
        keeper.close()
        with suppress(OSError):  # what it could not write was said
            file.close()


def record_text(played: MatchLog) -> str:
    """A match of the journal as a record, with a star if it is not over. Raises `ValueError` if it has no proofs."""
    told = played.told()
    lines = [event.line for event in told if isinstance(event, events.ChainEntryAdded)]
    if not lines or not is_match_line(lines[0]):
        raise ValueError("it does not say who plays")
    rules, names = read_match_line(lines[0])
    file = io.StringIO()
    keeper = MatchRecorder(rules, names, lambda: played.day, file)
    keeper.record_all(told)
    keeper.close()
    return file.getvalue()


def _today() -> str:
    return date.today().isoformat()


class MatchRecorder:
    """Ears for one table. `names` are those of the layout's seats; `day` says the date when a match begins."""

    def __init__(self, rules: Rules, names: Sequence[str], day: Callable[[], str], file: TextIO) -> None:
        self._rules = rules
        self._names = tuple(names)
        self._day = day
        self._file = file
        self._sheet: RecordWriter | None = None
        self._players: tuple[int, ...] = ()
        self._dice: list[int] = []  # by player
        self._rolled: dict[int, int] = {}  # dice for the order of play, by seat of the layout
        self._began = ""  # the day on which the match did
        self._round: events.RoundBegan | None = None
        self._dealt = False  # somebody has bid, so there are dice under the cups
        self._choice_due = False

    def resume(self, path: Path, played: MatchLog) -> None:
        """Write down a match of the journal anew, in place of what the file has of it; one that is over only there."""
        told, day = played.told(), self._day
        is_over = any(isinstance(event, events.MatchWon) for event in told)
        with self._as_the_disk_allows():
            if not truncate_to_match(path, self._file, played.name, record_text(played)) and is_over:
                return
            self._day = lambda: played.day
            self.record_all(told)
        self._day = day

    def record_all(self, told: Iterable[PublicEvent]) -> None:
        """Hear one after the other."""
        for event in told:
            self.hear(event)

    def hear(self, event: PublicEvent) -> None:
        """Write down what belongs in a score. What is heard before a match begins does not."""
        with self._as_the_disk_allows():
            if isinstance(event, events.MatchBegan):
                self._begin(event)
            elif self._sheet is not None:
                self._hear(event, self._sheet)

    def _hear(self, event: PublicEvent, sheet: RecordWriter) -> None:
        match event:
            case events.OrderRolled(rolls):
                self._order(rolls, sheet)
            case events.RoundBegan():
                self._open(event, sheet)
            case events.ChoiceAwaited():
                self._choice_due = True
            case events.ActionTaken():
                self._say(event, sheet)
            case events.Revealed():
                self._dice, self._dealt = list(event.dice), False
                sheet.show(event.showdown.hands)
            case events.ChainEntryAdded(line, head):
                if is_match_line(line):
                    sheet = self._sheet = RecordWriter(*read_match_line(line), self._began, self._file)
                sheet.prove(line, head)
            case events.Left(seat):
                self._leave(self._player(seat), sheet)
            case events.MatchWon(seat):
                self._without({seat: 1}, sheet)
                self._end(self._player(seat))
            case events.MatchBrokenOff():
                self._end(None)

    def close(self) -> None:
        """Write down what there is of a match that is not over."""
        with self._as_the_disk_allows():
            self._end(None)

    @contextmanager
    def _as_the_disk_allows(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._sheet = None
            log.error(
                "%s: can't be written: %s; this match will not be in it", self._file.name, error.strerror or error
            )

    def _begin(self, event: events.MatchBegan) -> None:
        self._end(None)
        self._players = event.players
        self._began = self._day()
        names = [printable_name(self._names[seat]) if seat < len(self._names) else "" for seat in event.players]
        self._sheet = RecordWriter(self._rules, names, self._began, self._file)
        self._dice = [DICE] * len(event.players)
        self._rolled = dict.fromkeys(event.players, 0)
        self._round = None
        self._dealt = self._choice_due = False

    def _order(self, rolls: Sequence[tuple[int, tuple[int, ...]]], sheet: RecordWriter) -> None:
        new = {self._player(seat): dice[-1] for seat, dice in rolls if len(dice) > self._rolled[seat]}
        if new:
            sheet.add(OrderRoll(tuple(map(new.get, range(len(self._players))))))
        for seat, dice in rolls:
            self._rolled[seat] = len(dice)

    def _open(self, event: events.RoundBegan, sheet: RecordWriter) -> None:
        """A round begins, or begins again: because it is void, a seat has left, or its special kind is forgone."""
        before, self._round = self._round, event
        sheet.first(self._player(event.first))
        gone = self._without(dict(event.dice), sheet)
        again = before is not None and before.number == event.number
        special = self._choice_due or (again and before is not None and before.kind is not RoundKind.NORMAL)
        if special and event.kind is RoundKind.NORMAL and not gone:
            sheet.add(Ruling.FORGO)
        elif again and self._dealt and not gone:
            sheet.add(Ruling.VOID)
        self._dealt = self._choice_due = False

    def _leave(self, player: int, sheet: RecordWriter) -> None:
        """A seat has left: what begins after that begins anew, and by no ruling."""
        sheet.add(Departure(player))
        self._dice[player] = 0
        self._round, self._dealt, self._choice_due = None, False, False

    def _without(self, living: dict[int, int], sheet: RecordWriter) -> bool:
        """Write down who has left: who held dice, and is not among the living."""
        gone = [player for player, seat in enumerate(self._players) if self._dice[player] and seat not in living]
        for player in gone:
            sheet.add(Departure(player))
            self._dice[player] = 0
        return bool(gone)

    def _say(self, event: events.ActionTaken, sheet: RecordWriter) -> None:
        if isinstance(event.action, Bid | Pass | Call) and not self._dealt:
            self._dealt = True
            sheet.add(DealtHands(None))
        if isinstance(event.action, RoundKind):
            self._choice_due = False
        sheet.add(PlayedAction(self._player(event.seat), event.action))

    def _end(self, winner: int | None) -> None:
        if self._sheet is not None:
            self._sheet.end(winner)
        self._sheet = None

    def _player(self, seat: int) -> int:
        return self._players.index(seat)
